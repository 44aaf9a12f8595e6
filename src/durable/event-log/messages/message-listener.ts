import type { EventDraft } from '../events/event-draft.ts';
import type { LoggedInbound, LoggedOutbound } from './logged-message.ts';

/** Hears of messages as they are stored, inside that transaction; events that come of it go behind those of the message. */
export interface MessageListener {
  received(message: LoggedInbound): EventDraft[];
  sentFromPhone(message: LoggedOutbound): EventDraft[];
  /** A message of ours is new in the log. */
  accepted(message: LoggedOutbound): EventDraft[];
  /** The network has taken it. */
  sent(message: LoggedOutbound): EventDraft[];
  failed(message: LoggedOutbound): EventDraft[];
}

/** Several that hear of the same, one after the other. */
export const listeners = (...all: readonly MessageListener[]): MessageListener => ({
  received: (message) => all.flatMap((one) => one.received(message)),
  sentFromPhone: (message) => all.flatMap((one) => one.sentFromPhone(message)),
  accepted: (message) => all.flatMap((one) => one.accepted(message)),
  sent: (message) => all.flatMap((one) => one.sent(message)),
  failed: (message) => all.flatMap((one) => one.failed(message)),
});
