import type { AccountSettings } from '../../../contract/account-settings.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { newMessageId } from '../../new-ids.ts';
import { recordOf } from '../outbox/failures.ts';
import type { Placement } from '../outbox/placement.ts';
import type { Conversations } from './conversations.ts';

export interface ConfirmationsParts {
  conversations: Conversations;
  placement: Placement;
  logOutbox: LogOutbox;
  messageLifetimeMs: number;
}

/** Tells somebody who has opted out that it was understood, where the account wants that. */
export class Confirmations {
  readonly #parts: ConfirmationsParts;

  constructor(parts: ConfirmationsParts) {
    this.#parts = parts;
  }

  /** Call inside the transaction of the opt-out; the placement is to be finished in it. */
  send(to: string, numberId: string, { optOut, stickyHours }: AccountSettings, now: number): void {
    // Settings that were stored before there were confirmations say nothing of them.
    const text = optOut.confirmation ?? null;
    if (text === null) return;
    const { conversations, placement, logOutbox, messageLifetimeMs } = this.#parts;
    const message: AcceptedMessage = {
      messageId: newMessageId(),
      to,
      chatType: 'personal',
      content: { type: 'text', text },
      senderSource: 'pool',
      isNewChat: false,
      // From another number it would be a message of a stranger.
      mayMove: false,
      queuedAt: now,
      expiresAt: now + messageLifetimeMs,
      isQuiet: true,
    };
    const place = { numberId, rotated: false, conversations: conversations.of(to), stickyHours };
    const sender = placement.put(message, place, now);
    logOutbox.add([{ kind: 'message.queued', message: recordOf(message, sender) }]);
  }
}
