import ipaddr from 'ipaddr.js';

const urlCharactersMax = 2048;

/** Names that never leave a private network, whatever they resolve to (RFC 6761, 6762, 8375, and clouds' metadata). */
const privateSuffixes = [
  'localhost',
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

const endsWithName = (host: string, names: readonly string[]) =>
  names.some((name) => host === name || host.endsWith(`.${name}`));

/**
 * Why a webhook must not be sent to this URL, or null when it may. Checked when it is saved and before each attempt,
 * since the rules may have grown meanwhile. A Worker cannot see what a name resolves to; that a public name may not
 * lead to a private address is the platform's rule (see `global_fetch_strictly_public`), and here only what a name
 * itself tells.
 *
 * @param loopbackAllowed the local gateway's leave to call this machine, by http too; nothing else is loosened
 */
export function webhookUrlProblem(input: string, loopbackAllowed: boolean): string | null {
  if (input.length > urlCharactersMax) return `At most ${urlCharactersMax} characters.`;
  const url = URL.parse(input);
  if (url === null) return 'Not a URL.';
  if (url.username !== '' || url.password !== '') return 'A URL must not carry credentials.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Only https is allowed.';
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (loopbackAllowed && isLoopback(host)) return null;
  if (url.protocol !== 'https:') return 'Only https is allowed.';
  const address = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(address)) {
    return ipaddr.process(address).range() === 'unicast'
      ? null
      : 'Private and reserved addresses are not allowed.';
  }
  if (!host.includes('.') || endsWithName(host, privateSuffixes) || endsWithName(host, addressSuffixes)) {
    return 'Names of private networks are not allowed.';
  }
  return null;
}

function isLoopback(host: string): boolean {
  if (endsWithName(host, ['localhost'])) return true;
  const address = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
