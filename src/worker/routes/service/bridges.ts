import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { bearerToken, secretEqual } from '../../auth/secret-equal.ts';
import { renderRefusal } from '../../http/refusal-response.ts';
import { uuidPathId } from '../../http/request/path-id.ts';
import { validationRefusal } from '../../http/request/validation-details.ts';

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

const linkQuery = z.object({
  epoch: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number),
  bridge: uuidSchema,
});

/** A number's link: only for the bridge to which the fleet has given it, under the epoch that the fleet has said. */
bridgeRoutes.get('/numbers/:numberId', uuidPathId('numberId', 'number'), async (c) => {
  const numberId = c.req.param('numberId');
  const query = linkQuery.safeParse(c.req.query());
  if (!query.success) return renderRefusal(c, validationRefusal(query.error));
  const { epoch, bridge } = query.data;
  const standing = await c.env.BRIDGE_FLEET.getByName('fleet').standing(numberId, bridge, epoch);
  if (standing === null) {
    return renderRefusal(c, refuse('CONFLICT', 'This bridge has no such lease of the number.'));
  }
  const url = new URL(c.req.url);
  url.searchParams.set('standing', standing);
  return c.env.PHONE_NUMBER.getByName(numberId).fetch(new Request(url, c.req.raw));
});
