import { lookup } from 'node:dns';
import type { ClientRequest } from 'node:http';
import type { Agent as HttpAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent, type SocksProxyAgentOptions } from 'socks-proxy-agent';
import { addressOf, isListed, isPublicAddress } from '../../../settings/private-hosts.ts';
import { type Downloads, lateDispatcher } from '../files/media-host.ts';

/** A way to the network: for its socket and what is uploaded, and for what is downloaded. */
export interface ProxyRoute {
  agent: HttpAgent;
  dispatcher: Downloads;
}

const httpsPort = 443;

/** Both kinds of agent connect without a look at the request. */
type Connect = (request: ClientRequest | null, target: unknown) => Promise<Socket>;

/** An error of the proxy's counts as a connection that could not be made: it says nothing about the session. */
function asConnectionError(error: unknown): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  return Object.assign(
    new Error('The proxy could not be reached or does not let the number through.', { cause }),
    {
      code: 'EPROXY',
    },
  );
}

/** The agents decode credentials, and throw for a `%` that stands for itself, as in a password that was typed as it is. */
function withReadableCredentials(proxyUrl: string): string {
  const url = new URL(proxyUrl);
  url.username = readable(url.username);
  url.password = readable(url.password);
  return url.href;
}

function readable(encoded: string): string {
  try {
    decodeURIComponent(encoded);
    return encoded;
  } catch {
    return encodeURIComponent(encoded);
  }
}

/**
 * Sends everything of one number through its proxy. `proxyUrl`: http, https, socks4 or socks5, with its credentials, which
 * appear in no error. It connects only when it is used, and in private networks only to what `privateHosts` lists.
 */
export function routeThrough(proxyUrl: string, privateHosts: readonly string[]): ProxyRoute {
  const url = withReadableCredentials(proxyUrl);
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const lookup = publicLookup(privateHosts);
  const agent = protocol.startsWith('socks')
    ? new SocksProxyAgent(url, { socketOptions: { lookup } as SocksProxyAgentOptions['socketOptions'] })
    : new HttpsProxyAgent(url, { lookup });
  const connect = agent.connect.bind(agent) as Connect;
  const guarded: Connect = async (request, target) => {
    try {
      requireOpenHost(host, privateHosts);
      return await connect(request, target);
    } catch (error) {
      throw asConnectionError(error);
    }
  };
  agent.connect = guarded as typeof agent.connect;
  const dispatcher = lateDispatcher(
    ({ Agent }) =>
      new Agent({
        connect: ({ hostname, port, protocol: scheme, servername }, connected) => {
          const isSecure = scheme === 'https:';
          const target = {
            host: hostname,
            port: Number(port) || (isSecure ? httpsPort : 80),
            ...(isSecure
              ? { secureEndpoint: true, servername: servername ?? hostname }
              : { secureEndpoint: false }),
          };
          (agent.connect as (request: ClientRequest | null, target: unknown) => Promise<never>)(
            null,
            target,
          ).then(
            (socket) => connected(null, socket),
            (error: Error) => connected(error, null),
          );
        },
      }),
  );
  return { agent: agent as unknown as HttpAgent, dispatcher };
}

/**
 * Customers name the proxies that a bridge connects to. In the bridge's own network, only those that the operator lists are
 * allowed.
 */
export class PrivateAddress extends Error {}

/** Whether an address may be dialled. `listed`: addresses and CIDRs of private networks. */
function isOpen(address: string, listed: readonly string[]): boolean {
  const known = addressOf(address);
  return known !== null && (isPublicAddress(known) || isListed(address, listed));
}

/** Throws {@link PrivateAddress} for a forbidden address. For names, {@link publicLookup} checks the resolved addresses. */
export function requireOpenHost(host: string, listed: readonly string[]): void {
  if (addressOf(host) !== null && !isOpen(host, listed)) throw new PrivateAddress('a private address');
}

/**
 * Resolves a name for a connection and checks the result in one step, so that it cannot change in between. A name that the
 * operator lists may resolve to any address.
 */
export function publicLookup(listed: readonly string[], resolve: typeof lookup = lookup): LookupFunction {
  return (hostname, options, callback) => {
    const isNamed = isListed(hostname.toLowerCase(), listed);
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const open = addresses.filter(({ address }) => isNamed || isOpen(address, listed));
      const [first] = open;
      if (first === undefined)
        return callback(new PrivateAddress(`${hostname} leads to a private address`), '');
      if (options.all === true) return callback(null, open);
      callback(null, first.address, first.family);
    });
  };
}
