import ipaddr from 'ipaddr.js';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { type KeyScope, scopesInForce } from '../../../contract/key-scopes.ts';
import { Tables } from '../../storage/rows.ts';
import type { Configuration, KeyPin, KeySnapshot } from './snapshot.ts';

export const invalidKey = refuse(
  'INVALID_API_KEY',
  'The API key is missing, malformed, unknown or revoked.',
) as Refusal & { code: 'INVALID_API_KEY' };

const wrongAddress = refuse('FORBIDDEN', 'This API key is not accepted from your network address.', {
  details: [{ path: 'X-API-Key', message: 'Its allowedAddresses do not include your network address.' }],
});

/** A key as it was presented. */
export interface PresentedKey {
  /** Lower-case hex SHA-256 of the key. */
  keyHash: string;
  /** The network address that it came from; null, or missing, where it is not known. */
  address?: string | null;
}

/** The refusal of a key that lacks a scope; null when it has it. */
export function scopeRefusal(key: KeySnapshot, scope: KeyScope): Refusal | null {
  if (scopesInForce(key.scopes, onlyNumberOf(key) !== null).includes(scope)) return null;
  const message = `This API key lacks the scope ${scope}.`;
  return refuse('FORBIDDEN', message, { details: [{ path: 'X-API-Key', message, scope }] });
}

/** The only number that the key has to do with; null for one that may send through others too. */
export const onlyNumberOf = ({ pinnedNumberId, onPinFailure }: KeyPin): string | null =>
  onPinFailure === 'strict' ? pinnedNumberId : null;

/** The API keys of the account: which one was presented, and when each was last used, exact to the second. */
export class KeyRing extends Tables {
  readonly #lastUsed = new Map<string, number>();

  constructor(sql: SqlStorage) {
    super(sql);
    for (const row of sql.exec<{ key_id: string; last_used_at: number }>('SELECT * FROM key_usage')) {
      this.#lastUsed.set(row.key_id, row.last_used_at);
    }
  }

  /**
   * One that has expired is none. How long a look-up takes tells nothing about a key: nobody can choose what a guess
   * hashes to.
   */
  find(
    { keysByHash }: Configuration,
    { keyHash, address }: PresentedKey,
    now: number,
  ): KeySnapshot | Refusal {
    const key = keysByHash.get(keyHash);
    if (!key || (key.expiresAt !== null && now >= key.expiresAt)) return invalidKey;
    if (key.allowedAddresses !== null && !isWithin(address ?? null, key.allowedAddresses))
      return wrongAddress;
    return key;
  }

  /** The key was used. To the second, as it is shown: more would be a row a request. */
  noteUse(keyId: string, now: number): void {
    if (Math.floor(now / 1000) <= Math.floor((this.#lastUsed.get(keyId) ?? 0) / 1000)) return;
    this.#lastUsed.set(keyId, now);
    this.sql.exec('INSERT OR REPLACE INTO key_usage (key_id, last_used_at) VALUES (?, ?)', keyId, now);
  }

  /** When each key was last used; milliseconds since 1970. */
  usage(): Record<string, number> {
    return Object.fromEntries(this.#lastUsed);
  }

  /** Forgets keys that are no more. */
  sweep({ keysByHash }: Configuration): void {
    const known = new Set([...keysByHash.values()].map(({ id }) => id));
    for (const keyId of [...this.#lastUsed.keys()].filter((id) => !known.has(id))) {
      this.#lastUsed.delete(keyId);
      this.sql.exec('DELETE FROM key_usage WHERE key_id = ?', keyId);
    }
  }
}

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
