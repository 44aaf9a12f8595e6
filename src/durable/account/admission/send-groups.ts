/** Sends that share one transaction. */
const groupMax = 64;
/** This many sends within that time are a stream. Then each waits one turn of the event loop for others. */
const streamSends = 4;
const streamMs = 10;
/** How long after a group of several the next send waits too: alone it would use the time in which others arrive. */
const afterGroupMs = 100;

interface Waiting<Send, Verdict> {
  send: Send;
  resolve: (verdict: Verdict) => void;
  reject: (error: unknown) => void;
}

/** Lets a send that is alone go at once; those of a stream go on together, so that many share one transaction. */
export class SendGroups<Send, Verdict> {
  readonly #go: (sends: readonly Send[]) => readonly Verdict[];
  readonly #waiting: Waiting<Send, Verdict>[] = [];
  /** When the last sends came, oldest first. */
  readonly #cameAt: number[] = [];
  #lastGroupAt = 0;
  #isScheduled = false;

  /** `go` decides about sends in the order in which they came. It throws when nothing of it is stored. */
  constructor(go: (sends: readonly Send[]) => readonly Verdict[]) {
    this.#go = go;
  }

  join(send: Send): Promise<Verdict> {
    const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
    this.#waiting.push({ send, resolve, reject });
    if (this.#isScheduled) return promise;
    if (this.#isStream()) void this.#goLater();
    else this.#goAll();
    return promise;
  }

  async #goLater(): Promise<void> {
    this.#isScheduled = true;
    await scheduler.wait(0);
    this.#isScheduled = false;
    this.#goAll();
  }

  #goAll(): void {
    while (this.#waiting.length > 0) this.#decide(this.#waiting.splice(0, groupMax));
  }

  #decide(group: readonly Waiting<Send, Verdict>[]): void {
    if (group.length > 1) this.#lastGroupAt = Date.now();
    let verdicts: readonly Verdict[];
    try {
      verdicts = this.#go(group.map(({ send }) => send));
    } catch (error) {
      // One that cannot be decided must not take the others with it.
      if (group.length > 1) for (const one of group) this.#decide([one]);
      else group[0]?.reject(error);
      return;
    }
    for (const [index, { resolve }] of group.entries()) resolve(verdicts[index] as Verdict);
  }

  #isStream(): boolean {
    const now = Date.now();
    this.#cameAt.push(now);
    if (this.#cameAt.length <= streamSends) return false;
    const before = this.#cameAt.shift() ?? 0;
    return now - before < streamMs || now - this.#lastGroupAt < afterGroupMs;
  }
}
