import ipaddr from 'ipaddr.js';

/** Names that never leave a private network, whatever they resolve to (RFC 6761, 6762, 8375, and clouds' metadata). */
const privateSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
];
/** Public names whose only use is to resolve to the address written in them, or to loopback. */
const addressSuffixes = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'traefik.me',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
];
/** Clouds' metadata and control services under names and addresses that look public. */
const metadataNames = ['metadata.tencentyun.com', 'metadata.platformequinix.com', 'metadata.packet.net'];
const metadataAddresses = ['168.63.129.16', '192.0.0.192'];

const endsWithName = (host: string, names: readonly string[]) =>
  names.some((name) => host === name || host.endsWith(`.${name}`));

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The address that a host is, IPv4 in IPv6 taken out of it; null for a name. The URL parser has undone all notations. */
export function addressOf(host: string): Address | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

export function isPublicAddress(address: Address): boolean {
  if (address.range() !== 'unicast' || metadataAddresses.includes(address.toString())) return false;
  // Of IPv6 only 2000::/3 is given out; the rest of "unicast" holds IPv4-compatible addresses, NAT64 and the like.
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
}

export function isLoopbackHost(host: string): boolean {
  return endsWithName(host, ['localhost']) || addressOf(host)?.range() === 'loopback';
}

/** Clouds keep their metadata at link-local addresses: no range that an operator lists is meant to open these. */
export function isListed(host: string, listed: readonly string[]): boolean {
  const address = addressOf(host);
  if (address === null) return listed.some((it) => it.toLowerCase() === host);
  if (address.range() === 'linkLocal' || metadataAddresses.includes(address.toString())) return false;
  return listed.some((it) => {
    if (!ipaddr.isValidCIDR(it))
      return ipaddr.isValid(it) && ipaddr.process(it).toString() === address.toString();
    const [network, bits] = ipaddr.parseCIDR(it);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Why a host must not be called: it belongs to a private network by what is written. Null for any other, and for one that is listed. */
export function privateHostProblem(host: string, listed: readonly string[]): string | null {
  if (isListed(host, listed)) return null;
  const address = addressOf(host);
  if (address !== null)
    return isPublicAddress(address) ? null : 'Private and reserved addresses are not allowed.';
  const isPrivateName = !host.includes('.') || endsWithName(host, [...privateSuffixes, ...addressSuffixes]);
  if (isPrivateName || endsWithName(host, metadataNames)) return 'Names of private networks are not allowed.';
  return null;
}
