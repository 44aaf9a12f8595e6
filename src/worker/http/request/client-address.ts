import type { Context } from 'hono';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';
import { lastAddress } from './address-block.ts';

/**
 * The network address that the request came from, as whatever stands in front saw it (`CLIENT_ADDRESS_HEADER`); null
 * where nothing does.
 */
export function addressIn(headers: Headers, env: Env): string | null {
  const name = settingsOf(env).CLIENT_ADDRESS_HEADER;
  return name === 'none' ? null : lastAddress(headers.get(name));
}

/** The same, of the request of a route. */
export const clientAddress = (c: Context<AppEnv>): string | null => addressIn(c.req.raw.headers, c.env);
