import { type Context, Hono, type MiddlewareHandler } from 'hono';
import type { ShownBridge } from '../../../durable/bridge-fleet/bridge-fleet.ts';
import type { AppEnv } from '../../app-env.ts';
import { operatorOrPerson } from '../../auth/callers.ts';
import { isOperator } from '../../auth/operator.ts';
import { steppedUp } from '../../auth/step-up.ts';
import { newEnrolmentToken } from '../../bridges/bridge-tokens.ts';
import { enrolmentBodySchema } from '../../bridges/enrolment-body.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/json-body.ts';
import { notFound, uuidPathId } from '../../http/request/path-id.ts';
import { askNumber } from '../../object-calls.ts';

/** The session bridges, for the operator of the gateway. */
export const operatorBridgeRoutes = new Hono<AppEnv>();

/** What lets a bridge in, or throws one out for good, a person does who has just shown that it is them. */
const confirmed: MiddlewareHandler<AppEnv> = async (c, next) => (isOperator(c) ? next() : steppedUp(c, next));

const fleetOf = (c: Context<AppEnv>) => c.env.BRIDGE_FLEET.getByName('fleet');

operatorBridgeRoutes.get('/', operatorOrPerson, async (c) => {
  const fleet = fleetOf(c);
  const [bridges, waitingNumbers] = await Promise.all([fleet.bridges(), fleet.waitingNumbers()]);
  const data = bridges.map((bridge) => shownBridge(bridge, Date.now()));
  return c.json({ data, nextCursor: null, waitingNumbers });
});

operatorBridgeRoutes.post('/', operatorOrPerson, confirmed, jsonBody(enrolmentBodySchema), async (c) => {
  const { name = null, expiresInSeconds } = c.req.valid('json');
  const { token, tokenHash } = newEnrolmentToken(c.env.KEY_CHECKSUM_SECRET);
  const expiresAt = Date.now() + expiresInSeconds * 1000;
  await fleetOf(c).addEnrolmentToken(tokenHash, name, expiresAt);
  return c.json({ token, name, expiresAt: new Date(expiresAt).toISOString() }, 201);
});

/** In this order: when others get its numbers, what it says to them counts for nothing. */
operatorBridgeRoutes.delete(
  '/:bridgeId',
  operatorOrPerson,
  confirmed,
  uuidPathId('bridgeId', 'bridge'),
  async (c) => {
    const bridgeId = c.req.param('bridgeId');
    const fleet = fleetOf(c);
    const numbers = await fleet.revoke(bridgeId);
    if (numbers === null) return renderRefusal(c, notFound('bridge'));
    for (const numberId of numbers) await askNumber(c.env, numberId, (number) => number.dropBridge(bridgeId));
    await fleet.evict(bridgeId);
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
      const bridge = await fleetOf(c).setDrained(c.req.param('bridgeId'), isDrained);
      if (bridge === null) return renderRefusal(c, notFound('bridge'));
      return c.json(shownBridge(bridge, Date.now()), 202);
    },
  );
}

function shownBridge(bridge: ShownBridge, now: number) {
  const { bridgeId, capacity, leases, draining, linkedAt, leasesUntil, residentBytes } = bridge;
  const { version, release, name = null, enrolledAt = null } = bridge;
  return {
    bridgeId,
    name,
    state: stateOf(bridge, now),
    version,
    release,
    isDraining: draining,
    numbers: leases,
    capacity,
    residentBytes,
    enrolledAt: enrolledAt && new Date(enrolledAt).toISOString(),
    linkedAt: linkedAt && new Date(linkedAt).toISOString(),
    leasesUntil: leasesUntil && new Date(leasesUntil).toISOString(),
  };
}

function stateOf({ revokedAt, isLinked, leasesUntil }: ShownBridge, now: number) {
  if (revokedAt) return 'revoked';
  if (isLinked) return 'linked';
  return leasesUntil !== null && leasesUntil <= now ? 'expired' : 'away';
}
