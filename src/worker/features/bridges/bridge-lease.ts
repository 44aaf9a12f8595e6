import type { Context } from 'hono';
import { z } from 'zod';
import { grantHeader } from '../../../contract/bridge/bridge-frames.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { fleetOf } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';
import { askNumber } from '../../object-calls.ts';

const leaseQuery = z.object({
  epoch: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
});

/** The lease that a bridge names, and the fleet's grant where it bears one. */
function namedLease(c: Context<AppEnv>): { ok: true; epoch: number; grant: string | null } | Refusal {
  const query = leaseQuery.safeParse(c.req.query());
  if (!query.success) return validationRefusal(query.error);
  return { ok: true, epoch: query.data.epoch, grant: c.req.header(grantHeader) ?? null };
}

const noLease = refuse('CONFLICT', 'This bridge does not hold this lease of the number.');

/**
 * What the bridge may do over a link of this number by the lease that it names: `drive` it, or `report` what it had of it.
 * Null: it bears a grant, of which the number is the judge, and the fleet is not asked.
 */
export async function standingOf(
  c: Context<AppEnv>,
  numberId: string,
): Promise<{ ok: true; standing: 'drive' | 'report' | null } | Refusal> {
  const lease = namedLease(c);
  if (!lease.ok) return lease;
  if (lease.grant !== null) return { ok: true, standing: null };
  const standing = await askFleet(c, numberId, lease.epoch);
  return standing === null ? noLease : { ok: true, standing };
}

/** The account of the number, for a bridge that has, or had, a lease of it. Null: the number is nobody's. */
export async function accountByLease(
  c: Context<AppEnv>,
  numberId: string,
): Promise<{ ok: true; accountId: string | null } | Refusal> {
  const lease = namedLease(c);
  if (!lease.ok) return lease;
  const { epoch, grant } = lease;
  if (grant !== null) {
    const asked = { bridgeId: c.get('bridgeId'), epoch, grant };
    const accountId = await askNumber(c.env, numberId, (number) => number.accountOfGrant(asked));
    if (accountId !== null) return { ok: true, accountId };
  }
  if ((await askFleet(c, numberId, epoch)) === null) return noLease;
  return { ok: true, accountId: await askNumber(c.env, numberId, (number) => number.accountId()) };
}

const askFleet = (c: Context<AppEnv>, numberId: string, epoch: number) =>
  fleetOf(c.env, c.get('bridgeRegion')).standing(numberId, c.get('bridgeId'), epoch);
