import type { Configuration, ConfiguredSender } from '../configuration/snapshot.ts';
import { type Candidate, readinessOf, SenderPool } from './candidates.ts';
import { Rotation } from './rotation.ts';
import { healthNow, type Sender, senderWeight } from './sender.ts';
import type { Senders } from './senders.ts';

/** Keeps the pool of senders as their reports, the configuration, the rotation and the clock make it. */
export class CurrentPool {
  readonly #senders: Senders;
  /** Numbers that have changed since they were put in their place. */
  readonly #changed: Set<string>;
  #configuration: Configuration | null = null;
  #order: ReadonlyMap<string, number> = new Map();
  #pool = new SenderPool();
  #rotation = new Rotation();
  /** Numbers whose objects do not answer. In memory: a new life asks them once more. */
  readonly #failing = new Set<string>();
  /** When the health of a number changes by the clock alone; and none does so before {@link #nextChangeAt}. */
  readonly #healthChangesAt = new Map<string, number>();
  #nextChangeAt = Number.POSITIVE_INFINITY;
  #readyCount = 0;

  constructor(senders: Senders) {
    this.#senders = senders;
    this.#changed = senders.watch();
  }

  /** The pool as it is now. */
  pool(configuration: Configuration, now: number): SenderPool {
    this.follow(configuration, now);
    return this.#pool;
  }

  /** Takes over what has changed. */
  follow(configuration: Configuration, now: number): void {
    if (this.#configuration !== configuration) this.#configure(configuration);
    if (this.#nextChangeAt <= now) this.#noteHealthChanges(now);
    for (const numberId of this.#changed) this.#put(numberId, now);
    this.#changed.clear();
  }

  /**
   * The number takes its turn for a message: others are next. The sender is to be saved in the same transaction.
   * `rotated`: it was next.
   */
  give(sender: Sender, rotated: boolean, now: number): void {
    const turn = this.#rotation.next(sender.turn, senderWeight(sender), rotated);
    sender.turn = { start: Math.max(sender.turn.start, turn.start), end: turn.end };
    this.#rotation.note(turn);
    if (sender.report?.health.status === 'resting') sender.triedRevision = sender.report.revision;
    this.#put(sender.numberId, now);
  }

  /** Whether the number's object answers. */
  noteFailing(numberId: string, isFailing: boolean): void {
    if (this.#failing.has(numberId) === isFailing) return;
    if (isFailing) this.#failing.add(numberId);
    else this.#failing.delete(numberId);
    this.#senders.noteChanged(numberId);
  }

  /** Rises whenever a number has become ready: messages that found no other may find one now. */
  get readyCount(): number {
    return this.#readyCount;
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#configuration = null;
  }

  #configure(configuration: Configuration): void {
    this.#configuration = configuration;
    this.#order = new Map([...configuration.senders.keys()].map((numberId, index) => [numberId, index]));
    this.#pool = new SenderPool();
    this.#rotation = new Rotation([...this.#senders.all].map(({ turn }) => turn));
    this.#healthChangesAt.clear();
    for (const numberId of configuration.senders.keys()) this.#changed.add(numberId);
  }

  #put(numberId: string, now: number): void {
    this.#healthChangesAt.delete(numberId);
    const configured = this.#configuration?.senders.get(numberId);
    if (!configured) return;
    const sender = this.#senders.of(numberId);
    const candidate = this.#candidate(configured, sender, now);
    const before = this.#pool.find(numberId);
    this.#pool.put(candidate);
    const wasReady = before !== null && readinessOf(before) === 'ready';
    if (!wasReady && readinessOf(candidate) === 'ready') this.#readyCount += 1;
    const until = sender.report?.health.until ?? null;
    if (until === null || until <= now) return;
    this.#healthChangesAt.set(numberId, until);
    this.#nextChangeAt = Math.min(this.#nextChangeAt, until);
  }

  #noteHealthChanges(now: number): void {
    for (const [numberId, at] of this.#healthChangesAt) if (at <= now) this.#changed.add(numberId);
    const later = [...this.#healthChangesAt.values()].filter((at) => at > now);
    this.#nextChangeAt = Math.min(Number.POSITIVE_INFINITY, ...later);
  }

  #candidate({ numberId, inPool, filters }: ConfiguredSender, sender: Sender, now: number): Candidate {
    const weight = senderWeight(sender);
    return {
      numberId,
      inPool,
      filters,
      state: sender.report?.state ?? 'unpaired',
      phoneNumber: sender.report?.phoneNumber ?? null,
      health: healthNow(sender, now),
      isFailing: this.#failing.has(numberId),
      weight,
      place: this.#rotation.place(sender.turn, weight),
      order: this.#order.get(numberId) ?? 0,
    };
  }
}
