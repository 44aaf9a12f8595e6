import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { invalidField } from '../../../contract/errors.ts';
import { isoTime } from '../../../contract/times.ts';
import { type FleetRegion, fleetOf, fleetRegions } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { ShownBridge } from '../../../durable/bridge-fleet/verbs/operator-verbs.ts';
import type { AppEnv } from '../../app-env.ts';
import { operatorOrPerson } from '../../auth/callers.ts';
import { steppedUp } from '../../auth/step-up.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/shared-fields.ts';
import { askNumber } from '../../object-calls.ts';
import { bridgeState, newEnrolmentToken } from './bridge-tokens.ts';
import { enrolmentBodySchema } from './enrolment-body.ts';
import type { bridgeListSchema, bridgeSchema, enrolmentTokenSchema } from './records.ts';

/** The session bridges, for the operator of the gateway. */
export const operatorBridgeRoutes = new Hono<AppEnv>();

/** What the fleet that knows the bridge answers; null where none does. */
async function askFleets<Answer>(
  c: Context<AppEnv>,
  ask: (fleet: ReturnType<typeof fleetOf>, region: FleetRegion) => Promise<Answer | null>,
): Promise<Answer | null> {
  for (const region of fleetRegions(c.env)) {
    const answer = await ask(fleetOf(c.env, region), region);
    if (answer !== null) return answer;
  }
  return null;
}

operatorBridgeRoutes.get('/', operatorOrPerson, async (c) => {
  const fleets = await Promise.all(
    fleetRegions(c.env).map(async (region) => {
      const fleet = fleetOf(c.env, region);
      const [bridges, waitingNumbers] = await Promise.all([fleet.bridges(), fleet.waitingNumbers()]);
      return { region, bridges, waitingNumbers };
    }),
  );
  const data = fleets.flatMap(({ region, bridges }) =>
    bridges.map((bridge) => shownBridge(bridge, region, Date.now())),
  );
  const waitingNumbers = fleets.reduce((sum, fleet) => sum + fleet.waitingNumbers, 0);
  const regions = fleets.flatMap(({ region, bridges, waitingNumbers: waiting }) => {
    const linked = bridges.filter(({ isLinked }) => isLinked).length;
    return region === null ? [] : { region, linkedBridges: linked, waitingNumbers: waiting };
  });
  return c.json<z.infer<typeof bridgeListSchema>>({ data, nextCursor: null, waitingNumbers, regions });
});

operatorBridgeRoutes.post('/', operatorOrPerson, steppedUp, jsonBody(enrolmentBodySchema), async (c) => {
  const { name = null, region = null, expiresInSeconds } = c.req.valid('json');
  if (!fleetRegions(c.env).includes(region))
    return renderRefusal(
      c,
      invalidField('region', 'FLEET_REGIONS of this gateway does not include this region.'),
    );
  const { token, tokenHash } = newEnrolmentToken(c.env.KEY_CHECKSUM_SECRET);
  const expiresAt = Date.now() + expiresInSeconds * 1000;
  await fleetOf(c.env, region).addEnrolmentToken(tokenHash, name, expiresAt);
  return c.json<z.infer<typeof enrolmentTokenSchema>>(
    { token, name, region, expiresAt: new Date(expiresAt).toISOString() },
    201,
  );
});

/** In this order: when others get its numbers, what it says to them counts for nothing. */
operatorBridgeRoutes.delete(
  '/:bridgeId',
  operatorOrPerson,
  steppedUp,
  uuidPathId('bridgeId', 'bridge'),
  async (c) => {
    const bridgeId = c.req.param('bridgeId');
    const known = await askFleets(c, async (fleet, region) => {
      const numbers = await fleet.revoke(bridgeId);
      return numbers && { region, numbers };
    });
    if (known === null) return renderRefusal(c, notFound('bridge'));
    const { region, numbers } = known;
    for (const numberId of numbers) await askNumber(c.env, numberId, (number) => number.dropBridge(bridgeId));
    await fleetOf(c.env, region).evict(bridgeId);
    return c.body(null, 204);
  },
);

for (const [verb, isDrained] of [
  ['drain', true],
  ['resume', false],
] as const) {
  operatorBridgeRoutes.post(
    `/:bridgeId/${verb}`,
    operatorOrPerson,
    uuidPathId('bridgeId', 'bridge'),
    emptyBody,
    async (c) => {
      const shown = await askFleets(c, async (fleet, region) => {
        const bridge = await fleet.setDrained(c.req.param('bridgeId'), isDrained);
        return bridge && shownBridge(bridge, region, Date.now());
      });
      if (shown === null) return renderRefusal(c, notFound('bridge'));
      return c.json<z.infer<typeof bridgeSchema>>(shown, 202);
    },
  );
}

function shownBridge(bridge: ShownBridge, region: FleetRegion, now: number) {
  const { bridgeId, capacity, leases, draining, linkedAt, leasesUntil, residentBytes } = bridge;
  const { version, release, name = null, enrolledAt = null } = bridge;
  return {
    bridgeId,
    name,
    region,
    state: bridgeState(bridge, now),
    version,
    release,
    isDraining: draining,
    numbers: leases,
    capacity,
    residentBytes,
    enrolledAt: isoTime(enrolledAt),
    linkedAt: isoTime(linkedAt),
    leasesUntil: isoTime(leasesUntil),
  };
}
