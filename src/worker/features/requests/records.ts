import { z } from 'zod';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, pageOf } from '../../openapi/schemas.ts';

const shape = {
  requestId: z.string().describe('`X-Request-Id` of its answer.'),
  keyId: uuidSchema.describe('The API key that it came with.'),
  at: timestampSchema,
  method: z.string(),
  route: z.string().describe('The pattern of its path: `/v1/messages/:messageId`.'),
  status: z.int(),
  durationMs: z.int().describe('Until the answer began.'),
  code: z.string().nullable().describe('The code of the error that it was answered with.'),
  messageId: messageIdSchema.nullable().describe('Of an accepted send.'),
};

const requestEntrySchema = z
  .object(shape)
  .describe('A request that one of your API keys has made.')
  .register(answerSchemas, { id: 'RequestEntry' });

export const requestListSchema = pageOf(requestEntrySchema).register(answerSchemas, { id: 'RequestList' });

const anything = z.unknown();

export const requestDetailSchema = z
  .object({
    ...shape,
    query: z.record(z.string(), anything).nullable().describe('Its query, redacted; of failures only.'),
    body: anything.describe(
      'Its body, redacted: texts by their length, phone numbers shortened. Of failures only.',
    ),
    answer: anything.describe('The error that it got, redacted; of failures only.'),
  })
  .describe('A request, with what it sent and got where it failed.')
  .register(answerSchemas, { id: 'RequestDetail' });

export const requestErrorsSchema = z
  .object({
    data: z
      .array(
        z.object({
          method: z.string(),
          route: z.string(),
          code: z.string(),
          status: z.int(),
          count: z.int().describe('All of them, also those that are not kept one by one.'),
          lastAt: timestampSchema,
          lastRequestId: z.string(),
        }),
      )
      .describe('The most frequent first.'),
  })
  .describe('How often requests failed, by what and where.')
  .register(answerSchemas, { id: 'RequestErrors' });
