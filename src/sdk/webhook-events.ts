import type { StreamEvent } from './client/generated/api-types.ts';

/** Why a message failed; `network_<code>` carries the network's own code. */
export type MessageErrorCode =
  | 'expired'
  | 'recipient_opted_out'
  | 'number_deleted'
  | 'cancelled'
  | 'file_not_fetched'
  | 'not_sendable'
  | 'unknown_outcome'
  | `network_${string}`;

export type WebhookEventName = StreamEvent['event'];

type DataOf<Name extends WebhookEventName> = Extract<StreamEvent, { event: Name }>['data'];

/** The `data` of each event, by its name. */
export type WebhookEventData = {
  [Name in WebhookEventName]: DataOf<Name> &
    (Name extends 'message.failed' ? { errorCode?: MessageErrorCode } : unknown);
};

/** The body of a callback. `event` tells the shape of `data`; deduplicate by `id`. */
export type WebhookEvent<Name extends WebhookEventName = WebhookEventName> = {
  [N in Name]: { id: string; event: N; timestamp: string; data: WebhookEventData[N] };
}[Name];
