import { z } from 'zod';
import { eventSchemas } from '../../openapi/callbacks.ts';
import { answerSchemas } from '../../openapi/schemas.ts';

const cursor = z.string().describe('The position after this event. Opaque: do not parse it.');

export const streamEventSchema = z
  .union(eventSchemas.map((event) => z.object({ cursor, ...event.shape })))
  .describe('An event as its webhook gets it, with the same `id`, and its position in the stream.')
  .register(answerSchemas, { id: 'StreamEvent' });

export const eventPageSchema = z
  .object({
    data: z.array(streamEventSchema).describe('Oldest first.'),
    nextCursor: z
      .string()
      .describe(
        'Where to continue, as `after`. Never null: at the end of the stream it is the position of the next event.',
      ),
    hasMore: z.boolean().describe('Whether there is more to read now, even if this page is empty.'),
  })
  .register(answerSchemas, { id: 'EventPage' });
