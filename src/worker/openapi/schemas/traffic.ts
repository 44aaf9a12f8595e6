import { z } from 'zod';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas } from '../schemas.ts';

const figures = {
  queued: z.int().describe('Messages that were accepted.'),
  sent: z.int().describe('Messages that the network took.'),
  delivered: z.int().describe("Messages that reached the recipient's phone."),
  read: z.int(),
  failed: z.int(),
  received: z.int().describe('Messages that came in.'),
};

const series = z
  .array(z.object({ at: timestampSchema.describe('When the interval begins.'), ...figures }))
  .describe('Oldest first, without gaps: where nothing happened all figures are 0.');

export const trafficSchema = z
  .object({
    interval: z.enum(['hour', 'day']),
    since: timestampSchema.describe('When the first interval begins.'),
    until: timestampSchema.describe('When the last one ends.'),
    data: series,
    byNumber: z
      .array(z.object({ numberId: uuidSchema, total: z.object(figures), data: series }))
      .optional()
      .describe(
        'Only with `groupBy=number`: the busiest first, 200 at most; numbers without any are left out.',
      ),
  })
  .describe(
    'How many messages took which step in each interval: one that is accepted in one hour and read in the next counts in both.',
  )
  .register(answerSchemas, { id: 'Traffic' });
