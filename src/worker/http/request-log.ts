import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { newRequestId } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';

/** Gives the request its id, shows it on the response, and writes the one line that the log holds of the request. */
export const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = Date.now();
  const requestId = newRequestId();
  c.set('requestId', requestId);
  c.set('log', {});
  await next();
  c.header('X-Request-Id', requestId);
  const route = routePath(c, -1);
  console.log(
    JSON.stringify({
      at: new Date(startedAt).toISOString(),
      event: 'request',
      requestId,
      method: c.req.method,
      // The pattern, not the path: ids do not belong into it, and neither does whatever a stranger asks for.
      route: route.endsWith('*') ? 'none' : route,
      status: c.res.status,
      durationMs: Date.now() - startedAt,
      ...c.get('log'),
    }),
  );
};
