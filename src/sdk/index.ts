// The public names of the package.

export type {
  ConversationFilter,
  LiveConversationEvent,
  LiveConversationItem,
  LiveConversationOptions,
} from './client/conversations.ts';
export type { RequestFilter } from './client/developers.ts';
export type {
  EventFilter,
  EventListOptions,
  FollowOptions,
  LiveOptions,
} from './client/events.ts';
export type * from './client/generated/api-types.ts';
export { Heliograph, SignedInHeliograph, type TrafficRange } from './client/heliograph.ts';
export * from './client/http/errors.ts';
export type { List, Page } from './client/http/list.ts';
export type { ListOptions } from './client/http/resource.ts';
export type { LoginOptions, Session } from './client/http/session.ts';
export type { Bytes, Call, CallOptions, ClientOptions } from './client/http/transport.ts';
export type { CampaignRecipient } from './client/messaging/campaigns.ts';
export type { ContactFilter, ImportFileOptions } from './client/messaging/contacts.ts';
export type { BatchedMessage, MessageFilter, SendOptions } from './client/messaging/messages.ts';
export type { SupportReportRange } from './client/service-levels.ts';
export { eventNames } from './event-names.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verify-webhook.ts';
export type { MessageErrorCode, WebhookEvent, WebhookEventData, WebhookEventName } from './webhook-events.ts';
