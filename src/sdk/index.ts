// The public names of the package.
export type * from './client/api-types.ts';
export type { CampaignRecipient } from './client/campaigns.ts';
export type { ContactFilter, ImportFileOptions } from './client/contacts.ts';
export * from './client/errors.ts';
export { eventNames } from './client/event-names.ts';
export type { EventFilter, EventListOptions, FollowOptions, LiveOptions } from './client/events.ts';
export { Heliograph, SignedInHeliograph, type TrafficRange } from './client/heliograph.ts';
export type { List, Page } from './client/list.ts';
export type { BatchedMessage, MessageFilter, SendOptions } from './client/messages.ts';
export type { RequestFilter } from './client/requests.ts';
export type { ListOptions } from './client/resource.ts';
export type { LoginOptions, Session } from './client/session.ts';
export type {
  LiveConversationItem,
  LiveConversationOptions,
} from './client/support/conversation-presence.ts';
export type { ConversationFilter } from './client/support/conversations.ts';
export type { SupportReportRange } from './client/support/reports.ts';
export type { Call, CallOptions, ClientOptions } from './client/transport.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verify-webhook.ts';
export type { MessageErrorCode, WebhookEvent, WebhookEventData, WebhookEventName } from './webhook-events.ts';
