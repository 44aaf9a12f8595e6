import type { CacheStore } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';

/** People whose devices are remembered. */
const peopleMax = 5_000;
/** The network tells of each change, also of those that a session has missed; one that is lost is made up for after this. */
const keptMs = 3_600_000;

/**
 * Which devices the people have that a linked device writes to, for all its connections. Left to itself the client asks
 * anew after each reconnect and every five minutes, and whenever it asks it also fetches keys and begins a new session
 * with each of these devices, though there is one: keys of theirs are used up, and their records here grow.
 */
export function deviceLists(): CacheStore {
  // By size instead of by count: a count takes its memory at once, for each number.
  const lists = new LRUCache<string, object>({ maxSize: peopleMax, sizeCalculation: () => 1, ttl: keptMs });
  return {
    get: <List>(user: string) => lists.get(user) as List | undefined,
    set: <List>(user: string, devices: List) => void lists.set(user, devices as object),
    del: (user) => void lists.delete(user),
    flushAll: () => lists.clear(),
  };
}
