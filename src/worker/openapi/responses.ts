import { type ErrorCode, errorStatus } from '../../contract/errors.ts';
import type { RouteGuard } from '../auth/guards/route-guards.ts';
import type { RequestParts } from '../http/request/request-parts.ts';
import { errorExample, whenAnswered } from './errors.ts';
import type { headers } from './headers.ts';
import { otherContent, schemaReference } from './json-schema.ts';
import type { Answer, Operation } from './operation.ts';
import { hasPathParameters } from './request.ts';
import { errorSchema, nameOf } from './schemas.ts';
import { guardErrors } from './security.ts';

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
export function responsesOf(
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
