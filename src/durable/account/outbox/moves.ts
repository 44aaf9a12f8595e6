import type { SenderSource } from '../../../contract/messages/message.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { log } from '../../log.ts';
import type { SendCounts } from '../admission/send-counts.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Choosing } from '../senders/choosing.ts';
import type { Sender } from '../senders/sender.ts';
import { recordOf } from './failures.ts';
import type { Placement } from './placement.ts';

export interface MovesParts {
  choosing: Choosing;
  placement: Placement;
  counts: SendCounts;
  logOutbox: LogOutbox;
}

/** How a message that has moved says why its sender sends it. */
const movedSource: Record<SenderSource, SenderSource> = {
  pinned: 'pinned_fallback',
  pinned_fallback: 'pinned_fallback',
  pool: 'pool',
  hint: 'hint_fallback',
  hint_fallback: 'hint_fallback',
};

/** Chooses again for messages whose number cannot send them. */
export class Moves {
  readonly #parts: MovesParts;

  constructor(parts: MovesParts) {
    this.#parts = parts;
  }

  /**
   * Gives the message to another number of the pool, and says whether there was one. Call inside the transaction that
   * takes it from its number; the placement is to be finished in it. `wanted`: see {@link Choosing.another}.
   */
  move(
    message: AcceptedMessage,
    from: Sender,
    wanted: 'ready' | 'any',
    configuration: Configuration,
    now: number,
  ): boolean {
    const { choosing, placement, counts, logOutbox } = this.#parts;
    if (!message.mayMove || message.expiresAt <= now) return false;
    const choice = choosing.another(message, from.numberId, wanted, configuration, now);
    if (choice === null) return false;
    const { numberId, kind, rotated } = choice;
    const moved = { ...message, isNewChat: kind === 'new', senderSource: movedSource[message.senderSource] };
    const conversations = choosing.conversations.of(message.to);
    const { stickyHours } = configuration.settings;
    counts.takeOff(from.numberId, message.queuedAt);
    const to = placement.put(moved, { numberId, rotated, conversations, stickyHours }, now);
    logOutbox.add([{ kind: 'message.moved', message: recordOf(moved, to) }]);
    const { messageId } = message;
    log('message.moved', { messageId, numberId, from: from.numberId, source: moved.senderSource });
    return true;
  }
}
