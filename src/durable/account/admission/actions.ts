import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { MessageAction } from '../../../contract/messages/actions.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { logFault } from '../../log.ts';
import { newMessageId } from '../../new-ids.ts';
import type { ConfigurationSource } from '../configuration/configuration-source.ts';
import type { Backlog } from '../outbox/backlog.ts';
import type { Placement } from '../outbox/placement.ts';

/** Something that is to be done to a message, as the Worker has judged it. */
export interface ActionRequest {
  /** The number that has sent the message, or got it. */
  numberId: string;
  /** Digits of a phone number, or a group id. */
  to: string;
  chatType: ChatType;
  action: MessageAction;
  /** From then on the network takes it no more; milliseconds since 1970. Null: any time. */
  until: number | null;
}

export type ActionResult = { ok: true; acceptedAt: number } | Refusal;

interface ActionsParts {
  configuration: ConfigurationSource;
  placement: Placement;
  backlog: Backlog;
  numberOf: (numberId: string) => { hasDeletionOf: (targetId: string) => Promise<boolean> };
  /** Whether the log knows that a message was taken back. */
  isDeleted: (messageId: string) => Promise<boolean>;
  change: <Result>(work: () => Result) => Result;
  messageLifetimeMs: number;
}

/**
 * Actions on existing messages. They are stored and handed over like messages, to the number of their message. But they are
 * not messages: they use no quota or daily limit, and no event reports them before they are done.
 */
export class Actions {
  readonly #parts: ActionsParts;

  constructor(parts: ActionsParts) {
    this.#parts = parts;
  }

  /** A result that is `ok` is a promise: from then on it is done, or was too late, whatever fails in between. */
  async accept({ numberId, to, chatType, action, until }: ActionRequest): Promise<ActionResult> {
    const { configuration, placement, change, messageLifetimeMs } = this.#parts;
    const { senders } = await configuration.current();
    if (!senders.has(numberId)) return refuse('CONFLICT', 'The number of this message was deleted.');
    const { type, targetId, target } = action;
    if (type !== 'read' && target.isOwn) {
      const { backlog } = this.#parts;
      let deletionsCome: number;
      // One that comes while it is looked for, or comes back, may already be where nobody looks any more.
      do {
        deletionsCome = backlog.deletionsCome;
        if (await this.#isTakenBack(numberId, targetId)) return isTakenBack;
      } while (backlog.deletionsCome !== deletionsCome);
    }
    const now = Date.now();
    const message: AcceptedMessage = {
      messageId: newMessageId(),
      to,
      chatType,
      content: action,
      senderSource: 'pinned',
      isNewChat: false,
      mayMove: false,
      queuedAt: now,
      expiresAt: Math.min(until ?? Number.POSITIVE_INFINITY, now + messageLifetimeMs),
      isQuiet: true,
    };
    change(() => {
      placement.putAction(message, numberId, now);
      placement.finish(now);
    });
    return { ok: true, acceptedAt: now };
  }

  /**
   * Whether somebody has wanted it deleted before, and it was not refused. A deletion goes from here to the number, and from there
   * to the log or back here: asked in this order, it is found wherever it is, unless it comes here meanwhile. A number that does
   * not answer has it where it left it, or not.
   */
  async #isTakenBack(numberId: string, targetId: string): Promise<boolean> {
    const { backlog, numberOf, isDeleted } = this.#parts;
    if (backlog.hasDeletionOf(targetId)) return true;
    try {
      if (await numberOf(numberId).hasDeletionOf(targetId)) return true;
    } catch (error) {
      logFault('number.not_asked', error, { numberId });
    }
    return isDeleted(targetId);
  }
}

const isTakenBack = refuse('CONFLICT', 'The message is being deleted.');
