import ipaddr from 'ipaddr.js';

/** Of a list in a header the last: who stands nearest has added it, and anybody may have written the others. */
export const lastAddress = (list: string | null | undefined): string | null =>
  list?.split(',').at(-1)?.trim() || null;

/** What one subscriber has: of IPv6 the whole /64, since each of its addresses is theirs to use. */
export function addressBlock(address: string): string {
  // Of IPv4 there is one way to write an address.
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
