import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { Backlog } from '../outbox/backlog.ts';
import { cancelled, type Failures } from '../outbox/failures.ts';
import type { Senders } from '../senders/senders.ts';

const tooLate = refuse('CONFLICT', 'The message has left already, or is about to.');

export interface CancellingParts {
  senders: Senders;
  backlog: Backlog;
  failures: Failures;
  change: <Result>(work: () => Result) => Result;
}

/** Takes messages back that their number has not been given. They end as failed, and the quota has them back. */
export class Cancelling {
  readonly #parts: CancellingParts;

  constructor(parts: CancellingParts) {
    this.#parts = parts;
  }

  cancel(messageId: string, numberId: string, now: number): { ok: true } | Refusal {
    const { senders, backlog, failures, change } = this.#parts;
    const sender = senders.of(numberId);
    const message = backlog.find(numberId, messageId);
    if (message === null || sender.batch?.includes(messageId)) return tooLate;
    change(() => {
      backlog.removeLater(numberId, messageId);
      backlog.remove(sender, [messageId]);
      failures.fail(message, sender, cancelled, now);
      senders.save(sender);
    });
    return { ok: true };
  }
}
