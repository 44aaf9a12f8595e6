import { z } from 'zod';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { listOf, record } from '../../openapi/schemas.ts';

const shape = {
  requestId: z.string().describe('`X-Request-Id` of its response.'),
  keyId: uuidSchema.describe('The API key it was made with.'),
  at: timestampSchema,
  method: z.string(),
  route: z.string().describe('The pattern of its path: `/v1/messages/:messageId`.'),
  status: z.int(),
  durationMs: z.int().describe('Milliseconds until the response began.'),
  code: z.string().nullable().describe('The error code of the response.'),
  messageId: messageIdSchema.nullable().describe('Only for an accepted send.'),
};

const requestEntrySchema = record('RequestEntry', 'A request by one of your API keys.', shape);

export const requestListSchema = listOf(requestEntrySchema, 'RequestList');

const anything = z.unknown();

export const requestDetailSchema = record(
  'RequestDetail',
  'A request; if it failed, with the request and the response.',
  {
    ...shape,
    query: z.record(z.string(), anything).nullable().describe('Its query, redacted; only for failures.'),
    body: anything.describe(
      'Its body, redacted: texts by their length, phone numbers shortened. Only for failures.',
    ),
    answer: anything.describe('The error it got, redacted; only for failures.'),
  },
);

export const requestErrorsSchema = record('RequestErrors', 'How often requests failed, by route and code.', {
  data: z
    .array(
      z.object({
        method: z.string(),
        route: z.string(),
        code: z.string(),
        status: z.int(),
        count: z.int().describe('All of them, also those that are not kept individually.'),
        lastAt: timestampSchema,
        lastRequestId: z.string(),
      }),
    )
    .describe('The most frequent first.'),
});
