import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { OwnErrors } from './errors.ts';
import type { headers } from './headers.ts';

/** An example as it stands in the document. */
interface Example {
  summary: string;
  value: unknown;
}

/** One answer that is no error. */
export interface Answer {
  status: 200 | 201 | 202 | 204 | 206 | 503;
  description: string;
  /** JSON, unless `media` says otherwise; left out where there is no body. */
  schema?: z.ZodType;
  example?: unknown;
  /** Bodies in other media types, by type. */
  media?: Record<string, { schema: z.ZodType; example: unknown }>;
  headers?: (keyof typeof headers)[];
}

/** An answer in JSON. */
export const answer = (
  status: Answer['status'],
  description: string,
  schema: z.ZodType,
  example: unknown,
  headers: NonNullable<Answer['headers']> = [],
): Answer => ({ status, description, schema, example, headers });

/** A page of a list: in the example, the only one. */
export const pageAnswer = (description: string, schema: z.ZodType, data: unknown[]): Answer =>
  answer(200, description, schema, { data, nextCursor: null });

/** What the document says about one route. Who may call it, and the schemas of its request, are read from the route itself. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As the router knows it: `/v1/messages/:messageId`. */
  path: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Only for a route that reads its body by hand: every other body schema comes from the route's middleware. */
  body?: z.ZodType;
  /** Bodies that are no JSON, by media type. */
  rawBody?: Record<string, { schema: z.ZodType; example: unknown }>;
  /** Only for a route that reads its query by hand. */
  query?: z.ZodObject;
  /** What each field of the body means, by dotted path; the test wants one for every field. */
  fields?: Record<string, string>;
  examples?: Record<string, Example>;
  /** What each query parameter of this route means, where the general sentence does not fit. */
  parameters?: Record<string, string>;
  /** Example values of path and query parameters, where the general one does not fit. */
  parameterExamples?: Record<string, string | number>;
  requestHeaders?: ('Idempotency-Key' | 'If-Match' | 'traceparent')[];
  answers: Answer[];
  /** Errors beyond those that follow from the guard, the body, the query and the ids of the path. */
  errors?: ErrorCode[];
  /** What an error means here, where the general description does not fit. */
  ownErrors?: OwnErrors;
}

/** The chapters of the document, in reading order. */
export const tags = {
  Messages: 'Send messages from your paired numbers, and follow each one until it is read.',
  Media: 'Upload files to send, and download files you received.',
  Usage: 'How much of the monthly quota is used.',
  Numbers: 'Your phone numbers: pair them, monitor their state, add them to the pool or remove them.',
  Groups: 'The groups a number is in: create and change them, and manage their members.',
  Contacts: 'The people your numbers talk with, and what the network knows about them.',
  Conversations:
    'What your team works on: chats with contacts and groups, who is responsible, and what was done.',
  Support: 'How fast people get a reply: business hours, SLA policies, and the report.',
  Campaigns: 'One message to many people, each once, at a pace that your numbers can sustain.',
  Assistants: 'AI that answers conversations with the knowledge you give it, and hands over to people.',
  Settings: 'What applies to every number of the account: filters, opt-outs and the rest.',
  Events: 'Everything that happened, in order: read it from any position, or follow it live.',
  Webhooks: 'Where events are delivered: register webhooks, and see every attempt.',
  Automations: 'Rules that respond automatically, and what they did.',
  Alerts: 'What needs attention, and when it was resolved.',
  'API keys': 'Credentials for your servers. A key is shown once; only its hash is stored.',
  'Request log': 'What your API keys requested in the last seven days, and what failed.',
  'Sign-in': 'Credentials for people: a token for 15 minutes, renewed with a cookie.',
  Members: 'The members of the account and their roles.',
  'Audit log': 'Who changed what, and when.',
  Service: 'Whether the gateway is up, and this document.',
} as const;

type Tag = keyof typeof tags;

/** An operation as its feature describes it; the route by its name. */
export type Described = Omit<Operation, 'tag' | 'method' | 'path'> & {
  route: `${Uppercase<Operation['method']>} /${string}`;
};

/** Operations of one chapter. */
export const chapter = (tag: Tag, operations: Described[]): Operation[] =>
  operations.map(({ route, ...operation }) => {
    const [method = '', path = ''] = route.split(' ');
    return { ...operation, tag, path, method: method.toLowerCase() as Operation['method'] };
  });
