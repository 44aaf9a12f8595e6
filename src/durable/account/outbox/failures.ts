import { isAction } from '../../../contract/messages/actions.ts';
import type { MessageErrorCode } from '../../../contract/messages/message.ts';
import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import { type OutboundRecord, outboundRecord } from '../../event-log/facts.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { log } from '../../log.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { Sender } from '../senders/sender.ts';

/** Why a message fails: for a person, and for a program. */
export interface Failure {
  errorMessage: string;
  errorCode: MessageErrorCode;
}

/** A message as the log is told of it. */
export const recordOf = (message: AcceptedMessage, { numberId, report }: Sender): OutboundRecord =>
  outboundRecord(message, { numberId, phoneNumber: report?.phoneNumber ?? null });

/** Fails messages that never left: the log is told, and the quota of the month of their acceptance has them back. */
export class Failures {
  readonly #counts: SendCounts;
  readonly #logOutbox: LogOutbox;

  constructor(counts: SendCounts, logOutbox: LogOutbox) {
    this.#counts = counts;
    this.#logOutbox = logOutbox;
  }

  /** Call in the transaction that takes the message out of the account, or does not take it in again. */
  fail(message: AcceptedMessage, sender: Sender, failure: Failure, now: number): void {
    if (!isAction(message.content)) this.#counts.takeOff(sender.numberId, message.queuedAt);
    this.#logOutbox.add([
      { kind: 'message.failed', message: recordOf(message, sender), at: now, ...failure },
    ]);
    const { errorCode } = failure;
    log('message.failed', { messageId: message.messageId, numberId: sender.numberId, errorCode });
  }
}

/** A message that was not sent in time, in the words of its number where it has some. */
export function tooLate({ report }: Sender): Failure {
  const hindrance = report === null ? reasonSentence('never_connected') : report.health.reason;
  return {
    errorMessage: `It could not be sent in time. ${hindrance ?? 'The number had too much to send.'}`,
    errorCode: 'expired',
  };
}

export const numberDeleted: Failure = {
  errorMessage: 'The number was deleted.',
  errorCode: 'number_deleted',
};
export const cancelled: Failure = {
  errorMessage: 'It was cancelled before it left.',
  errorCode: 'cancelled',
};
export const recipientOptedOut: Failure = {
  errorMessage: 'The recipient has opted out.',
  errorCode: 'recipient_opted_out',
};
