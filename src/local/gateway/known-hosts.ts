import ipaddr from 'ipaddr.js';

interface HostSettings {
  /** The address by which people know the gateway. */
  publicUrl: string | undefined;
  /** Its other names, each with or without a port. */
  publicHosts: readonly string[];
  /** The addresses on which it listens. */
  listens: readonly string[];
}

/**
 * Whether a request names a host that is this gateway: this machine itself, the address at which it came in, and what
 * the settings name. Any other is a page's that has its own name lead here (DNS rebinding), or a mistake. Ports do not
 * count: a proxy or a container has others.
 */
export function knownHosts({ publicUrl, publicHosts, listens }: HostSettings) {
  const named = [...publicHosts.map((host) => `http://${host}`), ...(publicUrl ? [publicUrl] : [])];
  const known = new Set([
    ...named.flatMap((url) => URL.parse(url)?.hostname ?? []),
    ...listens.flatMap((address) => hostOfAddress(address)),
  ]);
  /** `localAddress`: of this machine, where the connection came in. */
  return (hostHeader: string, localAddress: string | undefined): boolean => {
    const host = URL.parse(`http://${hostHeader}`)?.hostname.replace(/\.$/, '');
    if (host === undefined || host === '') return false;
    if (host === 'localhost' || known.has(host)) return true;
    const bare = host.replace(/^\[|\]$/g, '');
    if (!ipaddr.isValid(bare)) return false;
    const address = ipaddr.process(bare);
    return address.range() === 'loopback' || hostOfAddress(localAddress ?? '').includes(hostOf(address));
  };
}

const hostOf = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
  address.kind() === 'ipv6' ? `[${address}]` : address.toString();

/** As a URL names it; an IPv4 address in IPv6 is the one that it holds. */
function hostOfAddress(address: string): string[] {
  const bare = address.replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? [hostOf(ipaddr.process(bare))] : [];
}
