import { createHash, randomUUID } from 'node:crypto';
import {
  type AuthenticationCreds,
  type AuthenticationState,
  BufferJSON,
  type CacheStore,
  initAuthCreds,
  proto,
  type SignalDataSet,
  type SignalDataTypeMap,
} from '@whiskeysockets/baileys';
import { LRUCache } from 'lru-cache';
import { credentialsKey } from '../../../contract/bridge/bridge-frames.ts';
import type { VaultPort } from '../../vault/vault.ts';

/** People whose devices are remembered. */
const peopleMax = 5_000;
/**
 * The network announces each change, also those that a session has missed. If an announcement is lost, the entry is refreshed
 * after this time.
 */
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

interface DeviceLists extends CacheStore {
  /** These two are one person, whose devices are the same under both. */
  sameUser(phoneNumber: string, lid: string): void;
  /** Numbers of the devices that are known of somebody. */
  devicesOf(user: string): number[];
}

/**
 * The known devices of the people to whom a linked device writes, for all its connections. By itself, the client queries them
 * again after each reconnect and every five minutes. Each time it also fetches keys and starts a new session with each device,
 * although there is one. That uses up their keys and makes their records here grow. It also queries a person again whose
 * devices it knows under the other address.
 */
function deviceLists(): DeviceLists {
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

const keyCharactersMax = 256;
/** How many messages the network may repeat; it never has more in progress. */
const decryptedKept = 1_000;
/** Sessions that a busy number reads and writes again and again. */
const decodedMax = 64;

/** The client writes these as texts and numbers alone: they need none of the care that bytes need in JSON. */
const plainTypes = new Set<string>(['session']);

function encode(type: string, value: unknown): string {
  return plainTypes.has(type) ? JSON.stringify(value) : JSON.stringify(value, BufferJSON.replacer);
}

function decode(type: string, json: string): unknown {
  return plainTypes.has(type) ? JSON.parse(json) : JSON.parse(json, BufferJSON.reviver);
}

/** What the vault holds under `creds`. */
interface StoredCredentials {
  /** Tells the keys of this pairing from those of an earlier one, which must never be used again. */
  generation: string;
  /** The request that led to this pairing. A repeat of it is not a new pairing. */
  pairingId: string;
  creds: AuthenticationCreds;
}

/** Credentials and Signal keys of one linked device, backed by the vault. Opaque outside the network room. */
export class DeviceKeys {
  readonly pairingId: string;
  /** Tells the keys of this pairing from those of all others. */
  readonly generation: string;
  readonly auth: AuthenticationState;
  /** Outlives a connection. */
  readonly deviceLists = deviceLists();
  /** What was decrypted lately, by the hash of its ciphertext. Outlives a connection. */
  readonly decrypted = new LRUCache<string, true>({ maxSize: decryptedKept, sizeCalculation: () => 1 });
  /** The synchronised settings were fetched since the keys were loaded. Outlives a connection. */
  hasSettings = false;
  readonly #vault: VaultPort;
  #lastSaved = '';
  /** The last sessions as the client knows them, with the JSON that they stand for. */
  readonly #decoded = new Map<string, { json: string; value: unknown }>();

  private constructor(vault: VaultPort, { generation, pairingId, creds }: StoredCredentials) {
    this.#vault = vault;
    this.generation = generation;
    this.pairingId = pairingId;
    this.auth = {
      creds,
      keys: { get: (type, ids) => this.#get(type, ids), set: async (data) => this.#set(data) },
    };
  }

  /** The linked device of this vault, or null when it holds none. */
  static async load(vault: VaultPort): Promise<DeviceKeys | null> {
    const json = (await vault.read([credentialsKey])).get(credentialsKey);
    if (!json) return null;
    const keys = new DeviceKeys(vault, JSON.parse(json, BufferJSON.reviver) as StoredCredentials);
    keys.#lastSaved = json;
    return keys;
  }

  /** A device that is not linked yet. Nothing is stored before it is. */
  static fresh(vault: VaultPort, pairingId: string): DeviceKeys {
    return new DeviceKeys(vault, { generation: randomUUID(), pairingId, creds: initAuthCreds() });
  }

  /** Whether a phone has linked this device; until then its credentials are worth nothing. */
  get isLinked(): boolean {
    return Boolean(this.auth.creds.account && this.auth.creds.me);
  }

  /** Stores the credentials as they are now, if they changed. On disk when it returns. */
  save(): void {
    if (!this.isLinked) return;
    const stored: StoredCredentials = {
      generation: this.generation,
      pairingId: this.pairingId,
      creds: this.auth.creds,
    };
    const json = JSON.stringify(stored, BufferJSON.replacer);
    if (json === this.#lastSaved) return;
    this.#lastSaved = json;
    this.#vault.write([[credentialsKey, json]]);
  }

  /** Forgets a device that is no longer linked. */
  static discard(vault: VaultPort): void {
    vault.write([[credentialsKey, null]]);
  }

  /** The privacy alias of a phone number (both digits), as far as it is known here: the network is not asked. */
  async aliasOf(phoneNumber: string): Promise<string | null> {
    return (await this.#get('lid-mapping', [phoneNumber]))[phoneNumber] ?? null;
  }

  /** The phone number behind a privacy alias (both digits), as far as it is known here. */
  async phoneNumberOf(lid: string): Promise<string | null> {
    const key = `${lid}_reverse`;
    return (await this.#get('lid-mapping', [key]))[key] ?? null;
  }

  /** What the bridge itself keeps beside the client's keys: JSON, or null where there is nothing. */
  async readNote(type: string, id: string): Promise<string | null> {
    const key = this.#entryKey(type, id);
    return (await this.#vault.read([key])).get(key) ?? null;
  }

  writeNote(type: string, id: string, json: string): void {
    this.#vault.write([[this.#entryKey(type, id), json]]);
  }

  async #get<Type extends keyof SignalDataTypeMap>(
    type: Type,
    ids: string[],
  ): Promise<Record<string, SignalDataTypeMap[Type]>> {
    const keyOf = new Map(ids.map((id) => [id, this.#entryKey(type, id)]));
    const entries = await this.#vault.read([...keyOf.values()]);
    const found: Record<string, SignalDataTypeMap[Type]> = {};
    for (const [id, key] of keyOf) {
      const json = entries.get(key);
      if (!json) continue;
      found[id] = this.#decode(type, key, json) as SignalDataTypeMap[Type];
    }
    return found;
  }

  #set(data: SignalDataSet): void {
    const entries: [string, string | null][] = [];
    for (const [type, values] of Object.entries(data)) {
      for (const [id, given] of Object.entries(values ?? {})) {
        const key = this.#entryKey(type, id);
        const value = type === 'session' && given ? bounded(given) : given;
        const json = value === null || value === undefined ? null : encode(type, value);
        entries.push([key, json]);
        if (json !== null && plainTypes.has(type)) this.#keep(key, json, value);
      }
    }
    if (entries.length > 0) this.#vault.write(entries);
  }

  #decode(type: string, key: string, json: string): unknown {
    if (!plainTypes.has(type)) {
      const value = decode(type, json) as Record<string, unknown>;
      return type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value;
    }
    const known = this.#decoded.get(key);
    if (known?.json === json) return known.value;
    const value = decode(type, json);
    this.#keep(key, json, value);
    return value;
  }

  #keep(key: string, json: string, value: unknown): void {
    this.#decoded.delete(key);
    this.#decoded.set(key, { json, value });
    if (this.#decoded.size <= decodedMax) return;
    for (const oldest of this.#decoded.keys()) {
      this.#decoded.delete(oldest);
      return;
    }
  }

  #entryKey(type: string, id: string): string {
    const key = `${type}/${this.generation}:${id}`;
    if (key.length <= keyCharactersMax) return key;
    return `${type}/${this.generation}#${createHash('sha256').update(id).digest('hex')}`;
  }
}

/**
 * How many receiving chains of a session are kept, and how many replaced sessions of a record. A message that was overtaken by
 * more than these cannot be read any more. Signal's own library keeps 5 (MAX_RECEIVER_CHAINS) and 40
 * (ARCHIVED_STATES_MAX_LENGTH); the client's library keeps all chains forever.
 */
const receivingChainsMax = 10;
const closedSessionsMax = 10;

const receiving = 2;
const open = -1;

interface Session {
  /** Milliseconds since 1970, or -1. */
  indexInfo: { closed: number };
  /** The oldest first. */
  _chains: Record<string, { chainType: number }>;
}

/** All sessions with one device, as the client's Signal library serialises them. */
interface SessionRecord {
  _sessions: Record<string, Session>;
}

/**
 * The record without the parts that grow with the length of a conversation, since it is read, sealed and stored with each
 * message. It keeps the open session, and in each session the chain that is in use.
 */
export function bounded<Value extends object>(record: Value): Value {
  if (!('_sessions' in record)) return record;
  const { _sessions: sessions } = record as Value & SessionRecord;
  const closed = Object.entries(sessions)
    .filter(([, { indexInfo }]) => indexInfo.closed !== open)
    .sort(([, a], [, b]) => b.indexInfo.closed - a.indexInfo.closed);
  const outdated = new Set(closed.slice(closedSessionsMax).map(([key]) => key));
  const kept = Object.entries(sessions).filter(([key]) => !outdated.has(key));
  return {
    ...record,
    _sessions: Object.fromEntries(kept.map(([key, session]) => [key, boundedSession(session)])),
  };
}

function boundedSession(session: Session): Session {
  const chains = Object.entries(session._chains);
  const received = chains.filter(([, { chainType }]) => chainType === receiving).map(([key]) => key);
  const outdated = new Set(received.slice(0, -receivingChainsMax));
  return { ...session, _chains: Object.fromEntries(chains.filter(([key]) => !outdated.has(key))) };
}
