import type { ReplyMedia } from '../../../../contract/automations/actions.ts';
import type { ActionReason } from '../../../../contract/automations/runs.ts';
import type { ChatType } from '../../../../contract/messages/message.ts';
import type { WebhookTarget } from '../../deliveries/delivery-order.ts';

/** What is to be done outside of the log, as it is stored. */
export type OuterAction =
  | {
      kind: 'reply';
      numberId: string;
      to: string;
      /** Whose alias `to` is. */
      contactId?: string;
      chatType: ChatType;
      /** Filled in already. */
      text?: string;
      media?: ReplyMedia;
      conversationId: string | null;
      /** When what it answers happened; milliseconds since 1970. */
      since: number;
      eventId: string;
      depth: number;
      isDelayed: boolean;
    }
  | { kind: 'call_webhook'; url: string; eventId: string; body: string };

/** An action as it is handed to whoever carries it out. The same one always has the same names. */
export type ActionOrder = {
  automationId: string;
  runId: string;
  index: number;
  /** As it stood when it was handed over; milliseconds since 1970. */
  dueAt: number;
  /** 1 for the first. */
  attempt: number;
} & (
  | { action: Extract<OuterAction, { kind: 'reply' }> }
  | { action: Extract<OuterAction, { kind: 'call_webhook' }>; target: WebhookTarget }
);

/** What came of it. */
export type ActionReport =
  | { kind: 'done'; messageId?: string }
  /** It may work later; `words` say why not now. */
  | { kind: 'again'; afterSeconds: number; reason: ActionReason; words: string }
  | { kind: 'failed'; reason: ActionReason; words: string };
