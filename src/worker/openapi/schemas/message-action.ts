import { z } from 'zod';
import { messageIdSchema, timestampSchema, uuidSchema } from '../../../contract/ids.ts';

export const acceptedActionSchema = z
  .object({
    messageId: messageIdSchema.describe('The message that it is done to.'),
    numberId: uuidSchema.describe('The number that does it.'),
    action: z.enum(['edit', 'delete', 'reaction', 'read']),
    acceptedAt: timestampSchema,
  })
  .describe('Something to be done to a message, accepted.');
