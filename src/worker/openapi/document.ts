import type { RouterRoute } from 'hono/types';
import { z } from 'zod';
import { type ErrorCode, errorStatus } from '../../contract/errors.ts';
import { eventNameSchema } from '../../contract/events.ts';
import { type RouteGuard, routeGuards, routeName } from '../auth/guards.ts';
import type { RequestParts } from '../http/request/request-parts.ts';
import { callbacks, describeEvents } from './callbacks.ts';
import { errorExample, errorExamples, whenAnswered } from './errors.ts';
import { headers } from './headers.ts';
import { componentSchemas, describeFields, otherContent, schemaReference } from './json-schema.ts';
import { type Answer, type Operation, tags } from './operation.ts';
import { documentPath, hasPathParameters, parametersOf, requestName, requestOf } from './request.ts';
import { answerSchemas, errorSchema, nameOf } from './schemas.ts';
import { callersOf, guardErrors, requirementsOf, securitySchemes, whoMayCall } from './security.ts';

/** The OpenAPI 3.1 document of these operations of these routes. Throws when it describes an operation that is no route. */
export function openApiDocument(operations: readonly Operation[], routes: readonly RouterRoute[]) {
  const guards = routeGuards(routes);
  const described = operations.map((operation) => ({
    operation,
    request: requestOf(operation, routes),
    guarded: guardOf(operation, guards),
  }));
  const bodySchemas = z.registry<{ id: string }>().add(eventNameSchema, { id: 'EventName' });
  for (const { operation, request } of described)
    if (request.json !== undefined) bodySchemas.add(request.json, { id: requestName(operation) });
  const bodies = componentSchemas(bodySchemas, 'input');
  const paths: Record<string, Record<string, object>> = {};
  for (const { operation, request, guarded } of described) {
    const body = bodies[requestName(operation)];
    if (body !== undefined) describeFields(body, operation.fields ?? {});
    const path = documentPath(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: `${operation.description}\n\n${whoMayCall(guarded.guard, guarded.stepUp)}`,
        security: requirementsOf(guarded.guard),
        'x-callers': callersOf(guarded.guard),
        ...(guarded.guard.key && { 'x-scope': guarded.guard.key }),
        ...(guarded.stepUp && { 'x-step-up': guarded.stepUp }),
        parameters: parametersOf(operation, request.query),
        ...((body !== undefined || operation.rawBody) && {
          requestBody: requestBody(operation, body !== undefined),
        }),
        responses: responsesOf(operation, request, guarded),
      },
    };
  }
  const answers = componentSchemas(answerSchemas, 'output');
  describeEvents(answers);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Heliograph',
      version: '1',
      summary: 'A messaging gateway at the edge.',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: callbacks,
    components: {
      securitySchemes,
      headers,
      examples: errorExamples,
      schemas: { ...bodies, ...answers },
    },
  };
}

function guardOf(operation: Operation, guards: Map<string, RouteGuard>): RouteGuard {
  const guarded = guards.get(routeName(operation));
  if (guarded === undefined) throw new Error(`there is no route ${routeName(operation)}`);
  return guarded;
}

function requestBody(operation: Operation, hasJson: boolean) {
  const json = {
    'application/json': {
      schema: schemaReference(requestName(operation)),
      examples: operation.examples ?? {},
    },
  };
  return {
    required: true,
    content: { ...(hasJson && json), ...otherContent(operation.rawBody ?? {}, 'input') },
  };
}

/** `info.description`: what holds for every call. */
const introduction = `Send messages from your own paired phone numbers with one call, and follow each of them by
signed webhooks.

## Conventions

- JSON in UTF-8, both ways. A field that is not documented is refused, so a typing error is never ignored.
- Times are ISO 8601, UTC, with milliseconds. Phone numbers are digits with country code, without a plus; where you
  send one, \`+\`, spaces, dashes and brackets are fine.
- Ids sort by time. Everything belongs to one account: another account's id answers \`404\`, like one that does not exist.
- Lists are newest first: \`limit\` (1 to 200, default 50) and \`cursor\`; \`nextCursor\` is null on the last page.
- Answers may gain fields. Do not refuse what you do not know.

## Two credentials

\`X-API-Key\` is for your servers, \`Authorization: Bearer\` for people who have signed in. Each operation says which it
takes, and which scope a key must have for it: a key has all but \`webhooks\`, unless others were named at its creation.

## Errors

Every error has the same body, a code from a closed list, and the \`X-Request-Id\` of the request. \`details\` names each
field at fault.

## Repeats

\`POST /v1/messages/send\` takes an \`Idempotency-Key\`. After a lost answer, a 5xx or a 429, send the same request under
the same key: it goes out once, however often you ask.
`;

const bodyErrors: ErrorCode[] = [
  'INVALID_JSON',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Every code that the operation can answer: its own, and those that its guard and its request bring along. */
function errorsOf(operation: Operation, request: RequestParts, { guard, stepUp }: RouteGuard): ErrorCode[] {
  const takesBody = request.json !== undefined || request.noFields === true;
  return [
    ...new Set<ErrorCode>([
      ...guardErrors(guard),
      ...(takesBody ? bodyErrors : []),
      // Also where nothing is read: of a URL or headers that are too long.
      'VALIDATION_ERROR',
      // Also where nobody is metered: to made-up keys, from an address that has sent many.
      ...(operation.path.startsWith('/v1/') ? (['RATE_LIMITED'] as const) : []),
      ...(hasPathParameters(operation) ? (['NOT_FOUND'] as const) : []),
      ...(operation.errors ?? []),
      ...(stepUp === undefined ? [] : (['STEP_UP_REQUIRED'] as const)),
      'INTERNAL',
    ]),
  ];
}

const headerReferences = (names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const capitalised = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}.`;

/** Headers that errors of this status carry. */
const errorHeaders: Record<number, (keyof typeof headers)[]> = {
  409: ['Retry-After'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
};

function errorResponse(status: number, codes: ErrorCode[], { ownErrors }: Operation) {
  const [only = 'INTERNAL'] = codes;
  const whens = codes.map((code) => `- \`${code}\`: ${whenAnswered(code, ownErrors)}`).join('\n');
  return {
    description: codes.length === 1 ? capitalised(whenAnswered(only, ownErrors)) : `One of:\n\n${whens}`,
    headers: headerReferences(['X-Request-Id', ...(errorHeaders[status] ?? [])]),
    content: {
      'application/json': {
        schema: schemaReference(nameOf(errorSchema)),
        examples: Object.fromEntries(codes.map((code) => [code, errorExample(code, ownErrors)])),
      },
    },
  };
}

function answerContent({ schema, example, media = {} }: Answer): object {
  const json =
    schema === undefined
      ? {}
      : {
          'application/json': {
            schema: schemaReference(nameOf(schema)),
            examples: { answer: { summary: 'An answer', value: example } },
          },
        };
  const content = { ...json, ...otherContent(media, 'output') };
  return Object.keys(content).length === 0 ? {} : { content };
}

/** Whoever calls with a key, or signed in, sees how much of their limit is left. */
const isMetered = ({ guard: { key, people } }: RouteGuard) => key !== undefined || people !== undefined;

/** `responses` of the operation: its answers, then its errors by status. */
function responsesOf(
  operation: Operation,
  request: RequestParts,
  guarded: RouteGuard,
): Record<string, object> {
  const answers = operation.answers.map((answer) => [
    String(answer.status),
    {
      description: answer.description,
      headers: headerReferences([
        'X-Request-Id',
        ...(isMetered(guarded) ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
        ...(answer.headers ?? []),
      ]),
      ...answerContent(answer),
    },
  ]);
  const byStatus = Map.groupBy(errorsOf(operation, request, guarded), (code) => errorStatus[code]);
  const errors = [...byStatus].map(([status, codes]) => [
    String(status),
    errorResponse(status, codes, operation),
  ]);
  return Object.fromEntries([...answers, ...errors]);
}
