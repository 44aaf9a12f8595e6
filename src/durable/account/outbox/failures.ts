import type { OutboundRecord } from '../../event-log/facts.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { log } from '../../log.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { Sender } from '../senders/sender.ts';

/** A message as the log is told of it. */
export function recordOf(message: AcceptedMessage, { numberId, report }: Sender): OutboundRecord {
  const { messageId, to, chatType, content, senderSource, queuedAt } = message;
  const from = report?.phoneNumber ?? null;
  return { messageId, numberId, from, to, chatType, content, senderSource, queuedAt };
}

/** Fails messages that never left: the log is told, and the quota of the month of their acceptance has them back. */
export class Failures {
  readonly #counts: SendCounts;
  readonly #logOutbox: LogOutbox;

  constructor(counts: SendCounts, logOutbox: LogOutbox) {
    this.#counts = counts;
    this.#logOutbox = logOutbox;
  }

  /** Call in the transaction that takes the message out of the account, or does not take it in again. */
  fail(message: AcceptedMessage, sender: Sender, errorMessage: string, now: number): void {
    this.#counts.takeOff(sender.numberId, message.queuedAt);
    this.#logOutbox.add([
      { kind: 'message.failed', message: recordOf(message, sender), at: now, errorMessage },
    ]);
    log('message.failed', { messageId: message.messageId, numberId: sender.numberId });
  }
}

/** Why a message was not sent in time, in the words of its number where it has some. */
export function lateMessage({ report }: Sender): string {
  const hindrance = report === null ? 'The number was never connected.' : report.health.reason;
  return `It could not be sent in time. ${hindrance ?? 'The number had too much to send.'}`;
}

export const deletedMessage = 'The number was deleted.';
export const optedOutMessage = 'The recipient has opted out.';
