import type { CacheStore } from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';

/** People whose devices are remembered. */
const peopleMax = 5_000;
/** The network tells of each change, also of those that a session has missed; one that is lost is made up for after this. */
const keptMs = 3_600_000;

/** A device as the client remembers it. */
interface ListedDevice {
  user: string;
  server?: string;
  device?: number;
  domainType?: number;
}

/** Servers of phone numbers and of aliases, and the client's numbers for the kinds of address. */
const servers = { 's.whatsapp.net': 'lid', hosted: 'hosted.lid' } as const;
const domainTypes = { 's.whatsapp.net': 1, hosted: 129 } as const;

export interface DeviceLists extends CacheStore {
  /** These two are one person, whose devices are the same under both. */
  sameUser(phoneNumber: string, lid: string): void;
  /** Numbers of the devices that are known of somebody. */
  devicesOf(user: string): number[];
}

/**
 * Which devices the people have that a linked device writes to, for all its connections. Left to itself the client asks
 * anew after each reconnect and every five minutes, and whenever it asks it also fetches keys and begins a new session
 * with each of these devices, though there is one: keys of theirs are used up, and their records here grow. It also asks
 * once more for somebody whose devices it knows under the other address.
 */
export function deviceLists(): DeviceLists {
  // By size instead of by count: a count takes its memory at once, for each number.
  const options = { maxSize: peopleMax, sizeCalculation: () => 1 };
  const lists = new LRUCache<string, ListedDevice[]>({ ...options, ttl: keptMs });
  /** Of each the other form. */
  const phoneNumberOf = new LRUCache<string, string>(options);
  const lidOf = new LRUCache<string, string>(options);
  const forget = (user: string) => {
    lists.delete(user);
    for (const other of [phoneNumberOf.get(user), lidOf.get(user)]) if (other) lists.delete(other);
  };
  const underAlias = (lid: string) => {
    const phoneNumber = phoneNumberOf.get(lid);
    return phoneNumber ? lists.get(phoneNumber)?.map((device) => aliased(device, lid)) : undefined;
  };
  return {
    get: <List>(user: string) => (lists.get(user) ?? underAlias(user)) as List | undefined,
    set: <List>(user: string, devices: List) => {
      // What was known under the other address is older.
      forget(user);
      lists.set(user, devices as ListedDevice[]);
    },
    del: forget,
    devicesOf: (user) => (lists.get(user) ?? underAlias(user) ?? []).map(({ device }) => device ?? 0),
    flushAll: () => lists.clear(),
    sameUser: (phoneNumber, lid) => {
      phoneNumberOf.set(lid, phoneNumber);
      lidOf.set(phoneNumber, lid);
    },
  };
}

function aliased(device: ListedDevice, lid: string): ListedDevice {
  const server = device.server === 'hosted' ? 'hosted' : 's.whatsapp.net';
  return { ...device, user: lid, server: servers[server], domainType: domainTypes[server] };
}
