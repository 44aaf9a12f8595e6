import { sendLanes } from '../../../contract/messages/message.ts';
import { earliest, isDue } from '../../due-times.ts';
import { messageKinds, type Sender } from '../senders/sender.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { type Failures, tooLate } from './failures.ts';

/** Messages of a kind that one transaction looks at. */
const sliceMax = 64;

interface ExpiryParts {
  senders: Senders;
  backlog: Backlog;
  failures: Failures;
  change: <Result>(work: () => Result) => Result;
}

/**
 * Fails messages that could not be sent in time. All have the same lifetime, so those of a number expire in the order of their
 * arrival, and only the oldest are examined. Those with a `sendAt` have an order of their own.
 */
export class Expiry {
  readonly #parts: ExpiryParts;
  readonly #changed: Set<string>;
  /** No message is over its time before that; null: there is none. */
  #dueAt: number | null = null;

  constructor(parts: ExpiryParts) {
    this.#parts = parts;
    this.#changed = parts.senders.watch();
  }

  dueAt(): number | null {
    for (const numberId of this.#changed) this.#note(this.#parts.senders.of(numberId));
    this.#changed.clear();
    return this.#dueAt;
  }

  async run(now: number): Promise<void> {
    const { senders, change } = this.#parts;
    this.#dueAt = null;
    for (const { numberId } of [...senders.all]) {
      const isOver = () => isDue(senders.of(numberId).expiresAt, now);
      while (isOver()) {
        change(() => this.#expire(senders.of(numberId), now));
        // Others have their turn.
        if (isOver()) await scheduler.wait(0);
      }
      this.#note(senders.of(numberId));
    }
  }

  #expire(sender: Sender, now: number): void {
    const { backlog, failures, senders } = this.#parts;
    let expiresAt: number | null = null;
    const over: string[] = [];
    const first = [
      ...messageKinds.flatMap((kind) =>
        sendLanes.flatMap((lane) => backlog.first(sender.numberId, kind, lane, sliceMax, { inOrder: true })),
      ),
      ...backlog.firstOver(sender.numberId, sliceMax),
    ];
    for (const message of first) {
      // What was offered to the number is its own until it answers.
      if (sender.batch?.includes(message.messageId)) continue;
      if (message.expiresAt <= now) {
        over.push(message.messageId);
        failures.fail(message, sender, tooLate(sender), now);
      } else {
        expiresAt = earliest([expiresAt, message.expiresAt]);
      }
    }
    backlog.remove(sender, over);
    // Where a slice was over as a whole, there may be more.
    const mayBeMore = over.length >= sliceMax;
    sender.expiresAt = mayBeMore ? now : expiresAt;
    senders.save(sender);
  }

  #note({ expiresAt }: Sender): void {
    this.#dueAt = earliest([this.#dueAt, expiresAt]);
  }
}
