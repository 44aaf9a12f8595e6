import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { AppEnv } from '../../app-env.ts';

/** The network address that the request came from, as the edge saw it; null where no edge is in front. */
export const clientAddress = (c: Context<AppEnv>): string | null => c.req.header('CF-Connecting-IP') ?? null;

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
