import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { isOwnOrigin } from './public-url.ts';

/** The origins whose pages may call `/v1`: those that `CORS_ORIGINS` names, exactly; none by default, and never all. */
const allowedOrigins = (c: Context<AppEnv>): string[] =>
  settingsOf(c.env).CORS_ORIGINS.map((origin) => origin.replace(/\/$/, ''));

const allow = cors({
  origin: (origin, c: Context<AppEnv>) => (allowedOrigins(c).includes(origin) ? origin : null),
  allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'Last-Event-ID',
    'X-API-Key',
    'X-Account-Id',
  ],
  exposeHeaders: [
    'ETag',
    'X-Request-Id',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'Idempotent-Replayed',
  ],
  credentials: true,
  maxAge: 600,
});

/** Closed unless `CORS_ORIGINS` names the page's origin: then a preflight gets no answer but that there is no such route. */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('Origin');
  if (origin === undefined || !allowedOrigins(c).includes(origin)) return next();
  return allow(c, next);
};

/** Whether a page of neither our own nor an allowed origin asks. Who is no browser names no origin. */
export function isForeignOrigin(c: Context<AppEnv>): boolean {
  const origin = c.req.header('Origin');
  return origin !== undefined && !isOwnOrigin(c, origin) && !allowedOrigins(c).includes(origin);
}
