import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { cancelled, type Failures } from './failures.ts';

const tooLate = refuse('CONFLICT', 'The message has already been sent, or is about to be.');

interface CancellingParts {
  senders: Senders;
  backlog: Backlog;
  failures: Failures;
  logOutbox: LogOutbox;
  change: <Result>(work: () => Result) => Result;
}

/** Takes messages back that their number has not been given. They end as failed, and the quota has them back. */
export class Cancelling {
  readonly #parts: CancellingParts;

  constructor(parts: CancellingParts) {
    this.#parts = parts;
  }

  /** Safe to repeat as long as the log has not been told of it; from then on the log knows. */
  cancel(messageId: string, numberId: string, now: number): { ok: true } | Refusal {
    return this.takeBack(messageId, numberId, now) || this.#isToBeTold(messageId) ? { ok: true } : tooLate;
  }

  /** Whether this number had not been given it yet, and it is taken back now. */
  takeBack(messageId: string, numberId: string, now: number): boolean {
    const { senders, backlog, failures, change } = this.#parts;
    const sender = senders.of(numberId);
    const message = backlog.find(numberId, messageId);
    if (message === null || sender.batch?.includes(messageId)) return false;
    change(() => {
      backlog.removeLater(numberId, messageId);
      backlog.remove(sender, [messageId]);
      failures.fail(message, sender, cancelled, now);
      senders.save(sender);
    });
    return true;
  }

  /** Whether it was cancelled, and the log is still to hear of it. */
  #isToBeTold(messageId: string): boolean {
    const fact = this.#parts.logOutbox.findLast(
      messageId,
      (it) => it.kind === 'message.failed' && it.message.messageId === messageId,
    );
    return fact?.kind === 'message.failed' && fact.errorCode === cancelled.errorCode;
  }
}
