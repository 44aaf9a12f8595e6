import { type Context, Hono } from 'hono';
import type { ShownBridge } from '../../../durable/bridge-fleet/bridge-fleet.ts';
import type { AppEnv } from '../../app-env.ts';
import { operator } from '../../auth/operator.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { emptyBody } from '../../http/request/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';

/** The session bridges, for the operator of the gateway. */
export const operatorBridgeRoutes = new Hono<AppEnv>();

const fleetOf = (c: Context<AppEnv>) => c.env.BRIDGE_FLEET.getByName('fleet');

operatorBridgeRoutes.get('/', operator, async (c) => {
  const bridges = await fleetOf(c).bridges();
  return c.json({ data: bridges.map((bridge) => shownBridge(bridge, Date.now())), nextCursor: null });
});

for (const [verb, isDrained] of [
  ['drain', true],
  ['resume', false],
] as const) {
  operatorBridgeRoutes.post(
    `/:bridgeId/${verb}`,
    operator,
    uuidPathId('bridgeId', 'bridge'),
    emptyBody,
    async (c) => {
      const bridge = await fleetOf(c).setDrained(c.req.param('bridgeId'), isDrained);
      if (bridge === null) return renderRefusal(c, notFound('bridge'));
      return c.json(shownBridge(bridge, Date.now()), 202);
    },
  );
}

function shownBridge(bridge: ShownBridge, now: number) {
  const { bridgeId, capacity, leases, draining, linkedAt, leasesUntil, residentBytes, isLinked, version } =
    bridge;
  return {
    bridgeId,
    state: isLinked ? 'linked' : leasesUntil !== null && leasesUntil <= now ? 'expired' : 'away',
    version,
    isDraining: draining,
    numbers: leases,
    capacity,
    residentBytes,
    linkedAt: linkedAt && new Date(linkedAt).toISOString(),
    leasesUntil: leasesUntil && new Date(leasesUntil).toISOString(),
  };
}
