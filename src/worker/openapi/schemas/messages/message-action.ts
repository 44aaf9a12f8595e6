import { z } from 'zod';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../../contract/ids.ts';
import { messageErrorCodeSchema } from '../../../../contract/messages/message.ts';
import { answerSchemas } from '../../schemas.ts';

const actionSchema = z.enum(['edit', 'delete', 'reaction', 'read']);

export const acceptedActionSchema = z
  .object({
    messageId: messageIdSchema.describe('The message that it is done to.'),
    numberId: uuidSchema.describe('The number that does it.'),
    action: actionSchema,
    acceptedAt: timestampSchema,
  })
  .describe('Something to be done to a message, accepted.')
  .register(answerSchemas, { id: 'AcceptedAction' });

export const failedActionSchema = z
  .object({
    action: actionSchema,
    acceptedAt: timestampSchema,
    failedAt: timestampSchema,
    errorMessage: z.string().describe('Why, for a person.'),
    errorCode: messageErrorCodeSchema.nullable().describe('Why, for a program: as of messages that failed.'),
  })
  .describe('Something to be done to a message that came to nothing.');
