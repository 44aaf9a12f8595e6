import type { RouterRoute } from 'hono/types';
import type { z } from 'zod';
import { partsOf, type RequestParts } from '../http/request/request-parts.ts';
import {
  exampleAccountId,
  exampleAlertChannelId,
  exampleAlertId,
  exampleAlertMuteId,
  exampleApiKeyId,
  exampleAssistantId,
  exampleAutomationId,
  exampleBridgeId,
  exampleBusinessHoursId,
  exampleCampaignId,
  exampleCannedReplyId,
  exampleColleagueId,
  exampleContactId,
  exampleConversationId,
  exampleDeliveryId,
  exampleDocumentId,
  exampleErasureId,
  exampleGroupId,
  exampleImportId,
  exampleInvitationId,
  exampleLabelId,
  exampleMediaId,
  exampleMergeId,
  exampleMessageId,
  exampleNumberId,
  examplePolicyId,
  exampleRecipient,
  exampleRequestId,
  exampleSegmentId,
  exampleSessionId,
  exampleTeamId,
  exampleTurnId,
  exampleWebhookId,
} from './examples/example-values.ts';
import { inlineSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';

/** What a request of the operation consists of, as its route validates it. */
export function requestOf(operation: Operation, routes: readonly RouterRoute[]): RequestParts {
  const own = routes.filter(
    ({ method, path }) => method.toLowerCase() === operation.method && path === operation.path,
  );
  if (own.length === 0) throw new Error(`there is no route ${operation.method} ${operation.path}`);
  const parts = Object.assign({}, ...own.map(({ handler }) => partsOf(handler))) as RequestParts;
  return {
    ...parts,
    ...(operation.body && { json: operation.body }),
    ...(operation.query && { query: operation.query }),
  };
}

/** `SendMessageRequest` of `sendMessage`. */
export const requestName = ({ id }: Operation) => `${id[0]?.toUpperCase()}${id.slice(1)}Request`;

/** `/v1/messages/{messageId}` of `/v1/messages/:messageId`. */
export const documentPath = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

const pathParameterNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');

export const hasPathParameters = ({ path }: Operation) => pathParameterNames(path).length > 0;

/** What a path names, by the segment before it. */
const things: Record<string, { what: string; example: string }> = {
  messages: { what: 'The id of the message', example: exampleMessageId },
  media: { what: 'The id of the file', example: exampleMediaId },
  accounts: { what: 'The id of the account', example: exampleAccountId },
  numbers: { what: 'The id of the number', example: exampleNumberId },
  groups: { what: 'The id of the group', example: exampleGroupId },
  merges: { what: 'The id of the merge', example: exampleMergeId },
  erasures: { what: 'The id of the erasure', example: exampleErasureId },
  imports: { what: 'The id of the import', example: exampleImportId },
  segments: { what: 'The id of the segment', example: exampleSegmentId },
  'contact-attributes': { what: 'The name of the attribute', example: 'orders' },
  contacts: { what: 'The id of the contact', example: exampleContactId },
  conversations: { what: 'The id of the conversation', example: exampleConversationId },
  teams: { what: 'The id of the team', example: exampleTeamId },
  labels: { what: 'The id of the label', example: exampleLabelId },
  'canned-replies': { what: 'The id of the canned reply', example: exampleCannedReplyId },
  scheduled: { what: 'The id of the message', example: exampleMessageId },
  blocked: { what: 'The phone number', example: exampleRecipient },
  chats: { what: 'A phone number with country code, or the id of a group', example: exampleRecipient },
  campaigns: { what: 'The id of the campaign', example: exampleCampaignId },
  webhooks: { what: 'The id of the webhook', example: exampleWebhookId },
  deliveries: { what: 'The id of the delivery', example: exampleDeliveryId },
  sessions: { what: 'The id of the session', example: exampleSessionId },
  members: { what: 'The id of the person', example: exampleColleagueId },
  invitations: { what: 'The id of the invitation', example: exampleInvitationId },
  assistants: { what: 'The id of the assistant', example: exampleAssistantId },
  runs: { what: 'The id of the run', example: exampleTurnId },
  documents: { what: 'The id of the document', example: exampleDocumentId },
  alerts: { what: 'The id of the alert', example: exampleAlertId },
  bridges: { what: 'The id of the session bridge', example: exampleBridgeId },
  'alert-channels': { what: 'The id of the channel', example: exampleAlertChannelId },
  'alert-mutes': { what: 'The id of the mute', example: exampleAlertMuteId },
  automations: { what: 'The id of the automation', example: exampleAutomationId },
  requests: { what: 'The id of the request', example: exampleRequestId },
  'opt-outs': { what: 'The phone number of the recipient, or their `contactId`', example: exampleRecipient },
  'business-hours': { what: 'The id of the business hours', example: exampleBusinessHoursId },
  'sla-policies': { what: 'The id of the policy', example: examplePolicyId },
  'api-keys': { what: 'The id of the API key', example: exampleApiKeyId },
};

/** What query parameters mean wherever they stand. */
const commonParameters: Record<string, string> = {
  limit: 'How many to answer with.',
  cursor: '`nextCursor` of the page before.',
};

const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text of your own (`order-1042-shipped`), kept for 24 hours: a repeat under it gets the first answer, and ' +
      'sends nothing.',
    // No example: the reference's form would send it.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  traceparent: {
    name: 'traceparent',
    in: 'header',
    description:
      'The trace that the send belongs to, as the W3C writes it (Trace Context). The callbacks of its events bear the same ' +
      'trace. One that is not valid is ignored.',
    schema: { type: 'string', maxLength: 500 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of what you have read: a change that somebody else made since is then not written over, and this one ' +
      'answers 409 `CONFLICT`. Without it only the fields that are sent are written.',
    schema: { type: 'string', maxLength: 500 },
  },
};

/** The parameters of the operation: path, query, headers. */
export function parametersOf(operation: Operation, query: z.ZodObject | undefined): object[] {
  const segments = operation.path.split('/');
  const inPath = pathParameterNames(operation.path).map((name) => {
    const thing = things[segments[segments.indexOf(`:${name}`) - 1] ?? ''];
    if (thing === undefined) throw new Error(`${operation.path}: nobody knows what :${name} names`);
    return {
      name,
      in: 'path',
      required: true,
      description: `${thing.what}.`,
      schema: { type: 'string' },
      example: thing.example,
    };
  });
  const schema = query === undefined ? {} : inlineSchema(query, 'input');
  const inQuery = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    description: operation.parameters?.[name] ?? commonParameters[name],
    schema: property,
    ...(operation.parameterExamples?.[name] !== undefined && {
      example: operation.parameterExamples[name],
    }),
  }));
  const inHeaders = (operation.requestHeaders ?? []).map((name) => headerParameters[name]);
  return [...inPath, ...inQuery, ...inHeaders];
}
