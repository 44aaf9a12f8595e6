import { z } from 'zod';
import { uuidSchema } from '../ids.ts';

/** Who has changed a conversation. `system`: nobody, it came of a message or of time. */
const actorSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('person'), userId: uuidSchema }),
  z.strictObject({ kind: z.literal('automation'), automationId: uuidSchema }),
  z.strictObject({ kind: z.literal('assistant'), assistantId: uuidSchema }),
  z.strictObject({ kind: z.literal('system') }),
]);
export type Actor = z.infer<typeof actorSchema>;
