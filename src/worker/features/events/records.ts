import { z } from 'zod';
import { eventSchemas } from '../../openapi/callbacks.ts';
import { answerSchemas } from '../../openapi/schemas.ts';

const cursor = z.string().describe('Where to go on behind this event. Opaque: do not take it apart.');

export const streamEventSchema = z
  .union(eventSchemas.map((event) => z.object({ cursor, ...event.shape })))
  .describe('An event as its webhook gets it, under the same `id`, and its place in the stream.')
  .register(answerSchemas, { id: 'StreamEvent' });

export const eventPageSchema = z
  .object({
    data: z.array(streamEventSchema).describe('Oldest first.'),
    nextCursor: z
      .string()
      .describe(
        'Where to go on, as `after`. Never null: at the end of the stream it is where the next event will be.',
      ),
    hasMore: z.boolean().describe('Whether there is more to read at once, also where this page is empty.'),
  })
  .register(answerSchemas, { id: 'EventPage' });
