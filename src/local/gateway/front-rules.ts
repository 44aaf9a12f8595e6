import { readFileSync } from 'node:fs';
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

/** Where clouds keep their metadata and control services: whatever is listed, closed. */
const metadata = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '168.63.129.16/32', '192.0.0.192/32'];

/**
 * The network on which the Worker calls what customers name, for workerd: public addresses, and those of the operator's
 * list. It judges the address that a connection goes to, whatever name has led there.
 */
export function publicNetwork(privateHosts: readonly string[]) {
  const listed = privateHosts.flatMap((host) => {
    if (ipaddr.isValidCIDR(host)) return [host];
    if (!ipaddr.isValid(host)) return [];
    return [`${host}/${ipaddr.parse(host).kind() === 'ipv4' ? 32 : 128}`];
  });
  const ownAuthorities = process.env.NODE_EXTRA_CA_CERTS;
  return {
    network: {
      allow: ['public', ...listed],
      deny: metadata,
      tlsOptions: {
        trustBrowserCas: true,
        ...(ownAuthorities && { trustedCertificates: certificatesIn(readFileSync(ownAuthorities, 'utf8')) }),
      },
    },
  };
}

/** The runtime takes one certificate a text, and a file of them may hold many. */
const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
