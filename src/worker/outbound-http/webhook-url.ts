import ipaddr from 'ipaddr.js';
import type { WorkerSettings } from '../../settings/worker-settings.ts';

const urlCharactersMax = 2048;

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

export interface WebhookUrlRules {
  /** The local gateway's leave to call this machine, by http too; nothing else is loosened. */
  loopbackAllowed: boolean;
  /** The same for one port alone. */
  loopbackPort?: number | undefined;
  /** Hosts of this gateway, `name` or `name:port`: a webhook must not come back to it. */
  ownHosts: readonly string[];
  /** The operator's leave to call these too, by http too: names as they are written, addresses, CIDRs. */
  privateHosts: readonly string[];
}

/** The rules of this deployment; `requestHost` is the host that the request in hand came to. */
export function webhookUrlRules(
  settings: Pick<
    WorkerSettings,
    'WEBHOOK_TARGETS' | 'PUBLIC_HOSTS' | 'PUBLIC_URL' | 'PART_HOSTS' | 'WEBHOOK_PRIVATE_HOSTS'
  >,
  requestHost?: string,
): WebhookUrlRules {
  const { WEBHOOK_TARGETS: targets = 'public', PUBLIC_HOSTS, PUBLIC_URL, PART_HOSTS } = settings;
  const named = [URL.parse(PUBLIC_URL ?? '')?.host, requestHost].filter((host) => host !== undefined);
  const [, port] = targets.split(':');
  return {
    loopbackAllowed: targets === 'loopback',
    ...(port !== undefined && { loopbackPort: Number(port) }),
    ownHosts: [...PUBLIC_HOSTS, ...PART_HOSTS, ...named],
    privateHosts: settings.WEBHOOK_PRIVATE_HOSTS,
  };
}

/**
 * Why a webhook must not be sent to this URL, or null when it may. Checked when it is saved and before each attempt,
 * since the rules may have grown meanwhile. A Worker cannot see what a name resolves to; that a public name may not
 * lead to a private address is the platform's rule (see `global_fetch_strictly_public`), and here only what a name
 * itself tells.
 */
export function webhookUrlProblem(input: string, rules: WebhookUrlRules): string | null {
  if (input.length > urlCharactersMax) return `At most ${urlCharactersMax} characters.`;
  if (!input.isWellFormed()) return 'Not valid text: it holds half of a surrogate pair.';
  // URL parsers drop or mend these silently; what is stored must be what is called.
  if (/[\s\p{Cc}\\]/u.test(input)) return 'A URL must not hold spaces, control characters or backslashes.';
  const url = /^[a-z]+:\/\/[^/]/i.test(input) ? URL.parse(input) : null;
  if (url === null) return 'Not an absolute URL.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Only https is allowed.';
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(input)) {
    return 'A URL must not carry credentials.';
  }
  if (input.includes('#')) return 'A URL must not carry a fragment: no server would see it.';
  const host = url.hostname.toLowerCase();
  if (host.endsWith('.')) return 'The host name must not end with a dot.';
  if (rules.ownHosts.some((own) => isSameHost(url, own)))
    return 'A webhook must not call this gateway itself.';
  if (isOpenLoopback(url, rules)) return null;
  if (isListed(host, rules.privateHosts)) return null;
  if (url.protocol !== 'https:') return 'Only https is allowed.';
  const address = addressOf(host);
  if (address !== null) {
    return isPublic(address) ? null : 'Private and reserved addresses are not allowed.';
  }
  const isPrivateName = !host.includes('.') || endsWithName(host, [...privateSuffixes, ...addressSuffixes]);
  if (isPrivateName || endsWithName(host, metadataNames)) {
    return 'Names of private networks are not allowed.';
  }
  return null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The address that a host is, IPv4 in IPv6 taken out of it; null for a name. The URL parser has undone all notations. */
function addressOf(host: string): Address | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || metadataAddresses.includes(address.toString())) return false;
  // Of IPv6 only 2000::/3 is given out; the rest of "unicast" holds IPv4-compatible addresses, NAT64 and the like.
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
}

function isLoopback(host: string): boolean {
  return endsWithName(host, ['localhost']) || addressOf(host)?.range() === 'loopback';
}

const isOpenLoopback = ({ hostname, port }: URL, { loopbackAllowed, loopbackPort }: WebhookUrlRules) =>
  (loopbackAllowed || (loopbackPort !== undefined && port === String(loopbackPort))) && isLoopback(hostname);

/** Whether the host of an allowed URL may be in a private network, whatever its name resolves to. */
export function mayBePrivate(input: string, rules: WebhookUrlRules): boolean {
  const url = new URL(input);
  return isOpenLoopback(url, rules) || isListed(url.hostname.toLowerCase(), rules.privateHosts);
}

/** Clouds keep their metadata at link-local addresses: no range that an operator lists is meant to open these. */
function isListed(host: string, listed: readonly string[]): boolean {
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

function isSameHost(url: URL, own: string): boolean {
  const known = URL.parse(`${url.protocol}//${own}`);
  if (known === null) return false;
  // Of a machine's own names any may be meant, and only the port tells its services apart.
  if (isLoopback(known.hostname)) return isLoopback(url.hostname) && known.port === url.port;
  return known.hostname === url.hostname;
}
