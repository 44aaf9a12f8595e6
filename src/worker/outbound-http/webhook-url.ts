import { isListed, isLoopbackHost, privateHostProblem } from '../../settings/private-hosts.ts';
import type { WorkerSettings } from '../../settings/worker-settings.ts';

const urlCharactersMax = 2048;

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
 * Why a webhook must not be sent to this URL, or null if it may. It is checked when it is saved and before each attempt, since
 * the rules may have changed meanwhile. A Worker cannot see what a name resolves to. That a public name must not lead to a
 * private address is the platform's rule (see `global_fetch_strictly_public`); here only the name itself is checked.
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
  return privateHostProblem(host, []);
}

const isOpenLoopback = ({ hostname, port }: URL, { loopbackAllowed, loopbackPort }: WebhookUrlRules) =>
  (loopbackAllowed || (loopbackPort !== undefined && port === String(loopbackPort))) &&
  isLoopbackHost(hostname);

/** Whether the host of an allowed URL may be in a private network, whatever its name resolves to. */
export function mayBePrivate(input: string, rules: WebhookUrlRules): boolean {
  const url = new URL(input);
  return isOpenLoopback(url, rules) || isListed(url.hostname.toLowerCase(), rules.privateHosts);
}

function isSameHost(url: URL, own: string): boolean {
  const known = URL.parse(`${url.protocol}//${own}`);
  if (known === null) return false;
  // Of a machine's own names any may be meant, and only the port tells its services apart.
  if (isLoopbackHost(known.hostname)) return isLoopbackHost(url.hostname) && known.port === url.port;
  return known.hostname === url.hostname;
}
