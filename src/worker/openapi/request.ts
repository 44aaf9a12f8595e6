import type { RouterRoute } from 'hono/types';
import type { z } from 'zod';
import { partsOf, type RequestParts } from '../http/request/request-parts.ts';
import { example } from './examples/example-values.ts';
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
  messages: { what: 'The ID of the message', example: example.messageId },
  media: { what: 'The ID of the file', example: example.mediaId },
  accounts: { what: 'The ID of the account', example: example.accountId },
  numbers: { what: 'The ID of the number', example: example.numberId },
  groups: { what: 'The ID of the group', example: example.groupId },
  merges: { what: 'The ID of the merge', example: example.mergeId },
  erasures: { what: 'The ID of the erasure', example: example.erasureId },
  imports: { what: 'The ID of the import', example: example.importId },
  segments: { what: 'The ID of the segment', example: example.segmentId },
  'contact-attributes': { what: 'The name of the attribute', example: 'orders' },
  contacts: { what: 'The ID of the contact, or of one that became part of it', example: example.contactId },
  conversations: { what: 'The ID of the conversation', example: example.conversationId },
  teams: { what: 'The ID of the team', example: example.teamId },
  labels: { what: 'The ID of the label', example: example.labelId },
  'canned-replies': { what: 'The ID of the canned reply', example: example.cannedReplyId },
  scheduled: { what: 'The ID of the message', example: example.messageId },
  blocked: { what: 'The phone number', example: example.recipient },
  chats: { what: 'A phone number with country code, or a group ID', example: example.recipient },
  campaigns: { what: 'The ID of the campaign', example: example.campaignId },
  webhooks: { what: 'The ID of the webhook', example: example.webhookId },
  deliveries: { what: 'The ID of the delivery', example: example.deliveryId },
  sessions: { what: 'The ID of the session', example: example.sessionId },
  members: { what: 'The ID of the person', example: example.colleagueId },
  invitations: { what: 'The ID of the invitation', example: example.invitationId },
  assistants: { what: 'The ID of the assistant', example: example.assistantId },
  runs: { what: 'The ID of the run', example: example.turnId },
  documents: { what: 'The ID of the document', example: example.documentId },
  alerts: { what: 'The ID of the alert', example: example.alertId },
  bridges: { what: 'The ID of the session bridge', example: example.bridgeId },
  'alert-channels': { what: 'The ID of the channel', example: example.alertChannelId },
  'alert-mutes': { what: 'The ID of the mute', example: example.alertMuteId },
  automations: { what: 'The ID of the automation', example: example.automationId },
  requests: { what: 'The ID of the request', example: example.requestId },
  'opt-outs': { what: 'The phone number of the recipient, or their `contactId`', example: example.recipient },
  'business-hours': { what: 'The ID of the business hours', example: example.businessHoursId },
  'sla-policies': { what: 'The ID of the policy', example: example.policyId },
  'api-keys': { what: 'The ID of the API key', example: example.apiKeyId },
};

/** What query parameters mean wherever they stand. */
const commonParameters: Record<string, string> = {
  limit: 'Maximum number of items to return.',
  cursor: '`nextCursor` of the previous page of the same list.',
};

const headerParameters = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text of your own (`order-1042-shipped`), kept for 24 hours. A repeat with the same key returns the first ' +
      'response and sends nothing.',
    // No example: the reference's form would send it.
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  traceparent: {
    name: 'traceparent',
    in: 'header',
    description:
      'The trace that the send belongs to (W3C Trace Context). The callbacks of its events carry the same trace. An ' +
      'invalid value is ignored.',
    schema: { type: 'string', maxLength: 500 },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` you have read. If someone else changed the resource since, nothing is overwritten and the response ' +
      'is 409 `CONFLICT`. Without it, only the fields you send are written.',
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
