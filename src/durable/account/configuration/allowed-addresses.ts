import ipaddr from 'ipaddr.js';

/** Whether it is an address, or a range in CIDR notation: `203.0.113.7`, `2001:db8::/48`. */
export const isAddressRange = (text: string): boolean => ipaddr.isValidCIDR(text) || isAddress(text);

/** Short and octal notations of IPv4 are none: `10.1` is not what it looks like. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/** Whether an address lies in one of the ranges; one that is not known lies in none. */
export function isWithin(address: string | null, ranges: readonly string[]): boolean {
  if (address === null || !ipaddr.isValid(address)) return false;
  const presented = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = rangeOf(range);
    return network.kind() === presented.kind() && presented.match(network, bits);
  });
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
