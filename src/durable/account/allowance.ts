/** A number's report may have crossed that many messages on its way, and still be held against each. */
const finishedMax = 256;

/**
 * What a number may still send today: what it said in its last report, less what it has been given since. Reports and
 * answers cross on their way; stamps of the number's own, which rise with everything that it takes and tells, say
 * which messages a report tells of already. One that is under way counts as untold until its answer has come.
 */
export class Allowance {
  #remaining: number | null = null;
  /** Of the last report; null while this life of the account has not had one. */
  #asOf: number | null = null;
  #givenSince = 0;
  readonly #underWay: Set<string>;
  /** Those of them that an earlier life of the account has given: by the next report they have arrived, or are lost. */
  #inherited: readonly string[];
  /** Stamps of the messages that the number took last. */
  #finished: number[] = [];

  /** `remaining` as of the last save, what is `underWay` taken off; null: no limit. */
  constructor(remaining: number | null = null, underWay: Iterable<string> = []) {
    this.#underWay = new Set(underWay);
    this.#inherited = [...this.#underWay];
    this.#remaining = remaining === null ? null : remaining + this.#underWay.size;
  }

  /** Messages that may still be given to the number; negative when it has had more; null: no limit. */
  get left(): number | null {
    return this.#remaining === null ? null : this.#remaining - this.#givenSince - this.#underWay.size;
  }

  /** The number reports, under its stamp. */
  told(remaining: number | null, asOf: number): void {
    this.#remaining = remaining;
    this.#asOf = asOf;
    for (const messageId of this.#inherited) this.#underWay.delete(messageId);
    this.#inherited = [];
    this.#finished = this.#finished.filter((takenAt) => takenAt > asOf);
    this.#givenSince = this.#finished.length;
  }

  given(messageId: string): void {
    this.#underWay.add(messageId);
  }

  /** The number has taken the message, under its stamp; null: it is not known under which. */
  taken(messageId: string, takenAt: number | null): void {
    if (!this.#underWay.delete(messageId)) return;
    const isUntold = this.#asOf === null || (takenAt !== null && takenAt > this.#asOf);
    if (!isUntold) return;
    this.#givenSince += 1;
    if (takenAt !== null) this.#finished = [...this.#finished.slice(1 - finishedMax), takenAt];
  }

  /** The number does not have it. */
  notTaken(messageId: string): void {
    this.#underWay.delete(messageId);
  }
}
