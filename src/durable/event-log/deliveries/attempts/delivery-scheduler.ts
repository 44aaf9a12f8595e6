import { ClockWatch } from '../../../clock-watch.ts';
import { earliest } from '../../../due-times.ts';
import { logFault } from '../../../log.ts';
import type { LogState } from '../../log-state.ts';
import { leaseMs } from '../delivery-order.ts';
import type { AttemptKind, WebhookReader } from '../webhooks/webhook-reader.ts';
import type { WebhookReaders } from '../webhooks/webhook-readers.ts';
import { type AskShare, HostLoad } from './host-load.ts';
import type { Planner } from './planner.ts';
import type { SenderCalls } from './sender-calls.ts';

const name = 'deliveries.leasedUntil';

/**
 * How long open deliveries wait after a restart: attempts that were in progress before it have ended by then. The end of the
 * wait is stored, so that an object that sleeps meanwhile does not wait again after each sleep.
 */
export class AttemptLease {
  readonly #state: LogState;
  readonly until: number;
  #isStored: boolean;

  constructor(state: LogState, bornAt: number) {
    this.#state = state;
    const stored = state.get<number>(name);
    // One that is further ahead was stored by a clock that went back since.
    this.until = Math.min(stored ?? Number.POSITIVE_INFINITY, bornAt + leaseMs);
    this.#isStored = stored !== null;
  }

  /** Something is open, and waits for its end. */
  store(): void {
    if (this.#isStored) return;
    this.#isStored = true;
    this.#state.put(name, this.until);
  }

  /** Nothing waits for it any more. */
  end(): void {
    if (!this.#isStored) return;
    this.#isStored = false;
    this.#state.remove(name);
  }
}

/** Calls of the sender since something last called the object: the platform counts them by invocation. */
const callsMax = 15;
/** A wake-up of a queue may come so early. */
const earlyMs = 1_000;
const kinds: readonly AttemptKind[] = ['retry', 'first', 'replay'];

interface Parts {
  readers: WebhookReaders;
  planner: Planner;
  calls: SenderCalls;
  lease: AttemptLease;
  head: () => number;
  waitUntil: (work: Promise<unknown>) => void;
  askShare: AskShare;
  /** Sets the object's alarm, where it has become earlier. */
  arm: () => void;
}

/**
 * Starts attempts: whenever something has happened, it starts as many calls as each webhook may have. A receiver that hangs
 * occupies only its own webhook's calls.
 */
export class DeliveryScheduler {
  readonly #parts: Parts;
  readonly #hosts: HostLoad;
  readonly #clock = new ClockWatch();
  #callsLeft = 0;
  /** There is more to do than one invocation may begin. */
  #continueAt: number | null = null;
  /** By then everything that is under way is over: whatever is still open then was lost. */
  #lookAgainAt: number | null = null;
  /** Whose turn it is first. */
  #turn = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { askShare: ask, waitUntil } = parts;
    this.#hosts = new HostLoad({ ask, waitUntil, onRoom: (host) => this.#runAll(host) });
    // Stored positions lag: what lies behind them may all have its outcome.
    for (const reader of parts.readers.all) this.#read(reader);
    if (this.#isBehind()) {
      this.#lookAgainAt = parts.lease.until;
      parts.lease.store();
    } else {
      parts.lease.end();
    }
  }

  dueAt(): number | null {
    return earliest([this.#continueAt, this.#lookAgainAt]);
  }

  /** Something called the object: begins what may be begun. `wakeUps`: webhooks that a queue has woken it for. */
  wake(wakeUps: readonly string[] = []): void {
    const now = Date.now();
    this.#callsLeft = callsMax;
    this.#continueAt = null;
    if (this.#clock.wentBack(now)) {
      this.#parts.readers.endWaitsOfOtherClock(now);
      if (this.#lookAgainAt !== null) this.#lookAgainAt = Math.min(this.#lookAgainAt, now + leaseMs);
    }
    if (this.#lookAgainAt !== null && this.#lookAgainAt <= now) {
      this.#lookAgainAt = null;
      this.#parts.lease.end();
    }
    const { all } = this.#parts.readers;
    this.#turn += 1;
    for (const index of all.keys()) {
      const reader = all[(this.#turn + index) % all.length];
      if (reader !== undefined) this.run(reader, wakeUps.includes(reader.id) ? earlyMs : 0);
    }
    if (this.#lookAgainAt === null && this.#isBehind()) this.#lookAgainAt = now + leaseMs;
    this.#parts.arm();
  }

  /** Begins what may be begun for one webhook. Never throws: the others, and who called the object, go on. */
  run(reader: WebhookReader, early = 0): void {
    try {
      this.#begin(reader, early);
    } catch (error) {
      logFault('webhook.not_planned', error, { webhookId: reader.id });
    }
  }

  #read(reader: WebhookReader): void {
    try {
      if (reader.isOn) this.#parts.planner.read(reader);
    } catch (error) {
      logFault('webhook.not_read', error, { webhookId: reader.id });
    }
  }

  #begin(reader: WebhookReader, early: number): void {
    const { planner, calls, readers, waitUntil } = this.#parts;
    if (!reader.isOn || readers.get(reader.id) !== reader) return;
    // The alarm will wake all of them.
    if (this.#continueAt !== null) return;
    planner.read(reader);
    const { host } = reader;
    const roomFor = (wanted: number) => this.#hosts.roomFor(host, wanted, reader.isIdle);
    for (const kind of kinds) {
      for (;;) {
        const now = Date.now();
        const attempts = planner.next(reader, kind, kind === 'retry' ? now + early : now, roomFor);
        if (attempts.length === 0) break;
        if (this.#callsLeft === 0) {
          this.#continueAt = now + 1;
          this.#parts.arm();
          return;
        }
        this.#callsLeft -= 1;
        this.#hosts.begin(host, attempts.length);
        waitUntil(calls.make(reader, kind, attempts).then(() => this.#goOn(reader, host, attempts.length)));
      }
    }
  }

  /** A call has ended: its webhook goes on, and others that have waited for its host. */
  #goOn(reader: WebhookReader, host: string, attempts: number): void {
    const areOthersWaiting = this.#hosts.end(host, attempts);
    this.run(reader);
    if (areOthersWaiting) this.#runAll(host);
  }

  #runAll(host: string): void {
    for (const reader of this.#parts.readers.all) if (reader.host === host) this.run(reader);
  }

  #isBehind(): boolean {
    const head = this.#parts.head();
    return this.#parts.readers.all.some((reader) => reader.isOn && reader.isBehind(head));
  }
}
