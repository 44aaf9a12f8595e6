import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { renderNoRoute } from './refusal-response.ts';

/** A static file, as `scripts/build/assets.js` lays them out. */
export async function asset(c: Context<AppEnv>, path: string): Promise<Response> {
  const found = await c.env.ASSETS.fetch(
    new Request(new URL(path, c.req.url), { headers: c.req.raw.headers }),
  );
  if (found.status === 404) return renderNoRoute(c);
  return new Response(found.body, found);
}
