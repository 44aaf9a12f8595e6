import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { addressOf, isListed, isPublicAddress } from '../../../settings/private-hosts.ts';

/** A bridge dials proxies that customers name: none of the network that it stands in, but what the operator lists. */
export class PrivateAddress extends Error {}

/** Whether an address may be dialled. `listed`: addresses and CIDRs of private networks. */
function isOpen(address: string, listed: readonly string[]): boolean {
  const known = addressOf(address);
  return known !== null && (isPublicAddress(known) || isListed(address, listed));
}

/** Throws {@link PrivateAddress} for an address that must not be dialled; what a name resolves to, {@link publicLookup} judges. */
export function requireOpenHost(host: string, listed: readonly string[]): void {
  if (addressOf(host) !== null && !isOpen(host, listed)) throw new PrivateAddress('a private address');
}

/**
 * Resolves a name for a connection, and judges what it resolves to, so that there is no moment between the two. A name that
 * the operator lists may lead anywhere.
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
