import { LRUCache } from 'lru-cache';
import { accountOfApiKey, hashApiKey } from './api-key.ts';

/** What a key that this gateway has made says of itself. Whether it is good still only its account knows. */
export interface GenuineKey {
  accountId: string;
  keyHash: string;
}

const genuineKeysMax = 2_000;
/** In the memory of this isolate alone, by its bindings. */
const knownGenuine = new WeakMap<Env, LRUCache<string, GenuineKey>>();

/** What the key says when this gateway has made it; null for every other. Those that come again are not computed again. */
export function readApiKey(env: Env, key: string): GenuineKey | null {
  const known = knownGenuine.get(env) ?? new LRUCache<string, GenuineKey>({ max: genuineKeysMax });
  knownGenuine.set(env, known);
  const found = known.get(key);
  if (found !== undefined) return found;
  const accountId = accountOfApiKey(key, checksumSecretsOf(env));
  if (accountId === null) return null;
  const genuine = { accountId, keyHash: hashApiKey(key) };
  known.set(key, genuine);
  return genuine;
}

/** Those with which keys may have been made: the one now in use and, while it is being replaced, the one before. */
export function checksumSecretsOf(env: Env): string[] {
  const { KEY_CHECKSUM_SECRET, KEY_CHECKSUM_SECRET_PREVIOUS: previous } = env;
  return previous ? [KEY_CHECKSUM_SECRET, previous] : [KEY_CHECKSUM_SECRET];
}
