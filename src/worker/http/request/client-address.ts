import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { settingsOf } from '../../../settings/worker-settings.ts';
import type { AppEnv } from '../../app-env.ts';

/**
 * The network address that the request came from, as whatever stands in front saw it (`CLIENT_ADDRESS_HEADER`); null
 * where nothing does. Of a list the last: who stands nearest has added it, and anybody may have written the others.
 */
export function clientAddress(c: Context<AppEnv>): string | null {
  const name = settingsOf(c.env).CLIENT_ADDRESS_HEADER;
  return name === 'none' ? null : c.req.header(name)?.split(',').at(-1)?.trim() || null;
}

/** What one subscriber has: of IPv6 the whole /64, since each of its addresses is theirs to use. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
