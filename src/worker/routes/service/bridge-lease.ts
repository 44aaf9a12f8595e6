import type { Context } from 'hono';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';

const leaseQuery = z.object({
  epoch: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** What the bridge may do with this number by the lease that it names: `drive` it, or `report` what it had of it. */
export async function leaseOf(
  c: Context<AppEnv>,
  numberId: string,
): Promise<{ ok: true; standing: 'drive' | 'report' } | Refusal> {
  const query = leaseQuery.safeParse(c.req.query());
  if (!query.success) return validationRefusal(query.error);
  const { epoch } = query.data;
  const standing = await c.env.BRIDGE_FLEET.getByName('fleet').standing(numberId, c.get('bridgeId'), epoch);
  if (standing === null) return refuse('CONFLICT', 'This bridge has no such lease of the number.');
  return { ok: true, standing };
}
