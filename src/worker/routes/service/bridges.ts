import { Hono, type MiddlewareHandler } from 'hono';
import { refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { bearerToken, secretEqual } from '../../auth/secret-equal.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { uuidPathId } from '../../http/request/path-id.ts';
import { bridgeFileRoutes } from './bridge-files.ts';
import { leaseOf } from './bridge-lease.ts';

/** Where session bridges dial in. The objects answer the upgrades themselves, and their responses go out untouched. */
export const bridgeRoutes = new Hono<AppEnv>();

bridgeRoutes.use(async (c, next) => {
  if (!secretEqual(bearerToken(c.req.header('Authorization')) ?? '', c.env.BRIDGE_TOKEN)) {
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'Only session bridges connect here.'));
  }
  return next();
});

const socketOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.header('Upgrade')?.toLowerCase() === 'websocket') return next();
  return renderRefusal(c, refuse('NOT_FOUND', 'There is only a WebSocket here.'));
};

bridgeRoutes.get('/control', socketOnly, (c) => c.env.BRIDGE_FLEET.getByName('fleet').fetch(c.req.raw));

/** A number's link: only for the bridge to which the fleet has given it, under the epoch that the fleet has said. */
bridgeRoutes.get('/numbers/:numberId', socketOnly, uuidPathId('numberId', 'number'), async (c) => {
  const numberId = c.req.param('numberId');
  const lease = await leaseOf(c, numberId);
  if (!lease.ok) return renderRefusal(c, lease);
  const url = new URL(c.req.url);
  url.searchParams.set('standing', lease.standing);
  return c.env.PHONE_NUMBER.getByName(numberId).fetch(new Request(url, c.req.raw));
});

bridgeRoutes.route('/numbers', bridgeFileRoutes);
