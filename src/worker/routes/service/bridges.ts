import { Hono } from 'hono';
import { refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';
import { bearerToken, secretEqual } from '../../auth/secret-equal.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { uuidPathId } from '../../http/request/path-id.ts';

/** Where session bridges dial in. The objects answer the upgrades themselves, and their responses go out untouched. */
export const bridgeRoutes = new Hono<AppEnv>();

bridgeRoutes.use(async (c, next) => {
  if (!secretEqual(bearerToken(c.req.header('Authorization')) ?? '', c.env.BRIDGE_TOKEN)) {
    return renderRefusal(c, refuse('UNAUTHENTICATED', 'Only session bridges connect here.'));
  }
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
    return renderRefusal(c, refuse('NOT_FOUND', 'There is only a WebSocket here.'));
  }
  return next();
});

bridgeRoutes.get('/control', (c) => c.env.BRIDGE_FLEET.getByName('fleet').fetch(c.req.raw));

bridgeRoutes.get('/numbers/:numberId', uuidPathId('numberId', 'number'), (c) =>
  c.env.PHONE_NUMBER.getByName(c.req.param('numberId')).fetch(c.req.raw),
);
