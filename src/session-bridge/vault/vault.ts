import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { NumberFact, VaultEntry } from '../../contract/bridge/bridge-frames.ts';
import { NumberSeal, SealError } from './seal.ts';
import type { VaultKeys } from './vault-keys.ts';

/** Keys of one request to the edge. */
const requestKeysMax = 1000;
/** Bytes of sealed entries in one journalled fact. */
const putBytesMax = 256 * 1024;
/** Parts of large entries that are asked for at once: each is up to 256 KiB. */
const partsMax = 3;

/** Plain entries of all vaults that are open: a cache, the truth is at the edge. An absent entry is `''`. */
export type VaultCache = LRUCache<string, string>;

export function makeVaultCache(bytesMax: number): VaultCache {
  return new LRUCache({
    maxSize: bytesMax,
    sizeCalculation: (value, key) => 2 * (value.length + key.length) + 64,
  });
}

/** A vault as the network's client sees it. */
export type VaultPort = Pick<Vault, 'read' | 'write'>;

export interface VaultOptions {
  numberId: string;
  keys: VaultKeys;
  cache: VaultCache;
  /** Asks the edge; resolves once the link is up and everything journalled before has been sent. */
  fetch: (keys: string[]) => Promise<VaultEntry[]>;
  /** Journals a fact and returns its row. */
  journal: (fact: NumberFact) => number;
  /** Runs an action just before the next commit of the journal. */
  beforeCommit: (action: () => void) => void;
}

/**
 * Credentials and keys of one number. They are stored sealed at the edge; this is a cache. What was written and is not yet
 * stored there stays in the cache, so that an older value is never returned.
 */
export class Vault {
  readonly #options: VaultOptions;
  readonly #seal: NumberSeal;
  readonly #large: LargeEntries;
  readonly #pinned = new Map<string, { json: string | null; seq: number }>();
  /** Written in this turn and not yet journalled. */
  readonly #unsealed = new Map<string, string | null>();
  /** Keys that the edge is being asked for; a write that comes meanwhile is newer than the answer. */
  readonly #asked = new Map<string, { answer: Promise<string | null>; written?: { json: string | null } }>();
  /** What an earlier vault of the same number left in the shared cache must not be found: others may have written. */
  readonly #cachePrefix = `${crypto.randomUUID()}/`;
  #batch: { keys: string[]; answer: Promise<Map<string, string | null>> } | null = null;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#seal = new NumberSeal(options.keys, options.numberId);
    this.#large = new LargeEntries(options.keys.current.naming(options.numberId));
  }

  /** How each entry begins that is written now. */
  get beginning(): string {
    return this.#seal.beginning;
  }

  /** JSON texts by key, null for none. */
  async read(keys: string[]): Promise<Map<string, string | null>> {
    const found = new Map<string, string | null>();
    await Promise.all(keys.map(async (key) => found.set(key, await this.#readOne(key))));
    return found;
  }

  /** On disk before anything else leaves the process; `null` deletes. */
  write(entries: [key: string, json: string | null][]): void {
    const isFirst = this.#unsealed.size === 0 && entries.length > 0;
    for (const [key, json] of entries) {
      this.#unsealed.set(key, json);
      // Re-inserted so that the pins stay in the order of their rows; this one gets its row with the commit.
      this.#pinned.delete(key);
      this.#pinned.set(key, { json, seq: Number.POSITIVE_INFINITY });
      const asked = this.#asked.get(key);
      if (asked) asked.written = { json };
    }
    if (isFirst) this.#options.beforeCommit(() => this.#journalUnsealed());
  }

  /** Everything written up to this row is stored at the edge. */
  stored(seq: number): void {
    for (const [key, pin] of this.#pinned) {
      if (pin.seq > seq) return;
      this.#pinned.delete(key);
      this.#remember(key, pin.json);
    }
  }

  /**
   * Reseals what the edge has just returned. Entries that are on their way to the edge are newer and sealed already. So are
   * the parts of a large entry that is on its way; they may be deleted by now.
   */
  sealAnew(stored: VaultEntry[]): { unreadable: number } {
    const partsOnTheirWay = [...this.#pinned.keys()].map(partsBegin);
    const entries: VaultEntry[] = [];
    let unreadable = 0;
    for (const { key, sealed } of stored) {
      if (sealed === null || this.#pinned.has(key) || partsOnTheirWay.some((it) => key.startsWith(it)))
        continue;
      try {
        entries.push({ key, sealed: this.#seal.seal(key, this.#seal.open(key, sealed)) });
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        unreadable += 1;
      }
    }
    if (entries.length > 0) this.#options.journal({ type: 'vault.put', entries });
    return { unreadable };
  }

  /** A key that is written several times in a turn, as a busy session's is, is sealed once. */
  #journalUnsealed(): void {
    let chunk: VaultEntry[] = [];
    let whole: [key: string, json: string | null][] = [];
    let chunkBytes = 0;
    const flush = () => {
      if (chunk.length === 0) return;
      const seq = this.#options.journal({ type: 'vault.put', entries: chunk });
      for (const [key, json] of whole) {
        this.#pinned.delete(key);
        this.#pinned.set(key, { json, seq });
      }
      chunk = [];
      whole = [];
      chunkBytes = 0;
    };
    for (const [key, json] of this.#unsealed) {
      for (const [storedKey, plain] of this.#large.toStore(key, json)) {
        const sealed = plain === null ? null : this.#seal.seal(storedKey, plain);
        const bytes = storedKey.length + (sealed?.length ?? 4) + 32;
        if (chunkBytes + bytes > putBytesMax) flush();
        chunk.push({ key: storedKey, sealed });
        chunkBytes += bytes;
      }
      whole.push([key, json]);
    }
    flush();
    this.#unsealed.clear();
  }

  async #readOne(key: string): Promise<string | null> {
    const pin = this.#pinned.get(key);
    if (pin) return pin.json;
    const cached = this.#options.cache.get(this.#cacheKey(key));
    if (cached !== undefined) return cached === '' ? null : cached;
    let asked = this.#asked.get(key);
    if (!asked) {
      asked = { answer: this.#ask(key) };
      this.#asked.set(key, asked);
    }
    try {
      const json = await asked.answer;
      if (asked.written) return asked.written.json;
      this.#remember(key, json);
      return json;
    } finally {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    }
  }

  /** Joins the request of this turn of the event loop. */
  async #ask(key: string): Promise<string | null> {
    if (!this.#batch || this.#batch.keys.length >= requestKeysMax) {
      const keys: string[] = [];
      const answer = new Promise<void>((turn) => setImmediate(turn)).then(async () => {
        if (this.#batch?.keys === keys) this.#batch = null;
        return this.#open(await this.#options.fetch(keys));
      });
      this.#batch = { keys, answer };
    }
    const { keys, answer } = this.#batch;
    keys.push(key);
    return (await answer).get(key) ?? null;
  }

  async #open(entries: VaultEntry[]): Promise<Map<string, string | null>> {
    const opened = this.#opened(entries);
    for (const [key, stored] of opened) {
      const parts = stored === null ? null : this.#large.partsIn(key, stored);
      if (parts) opened.set(key, await this.#joined(key, parts));
    }
    return opened;
  }

  async #joined(key: string, parts: string[]): Promise<string> {
    const found = new Map<string, string | null>();
    for (let first = 0; first < parts.length; first += partsMax) {
      const entries = await this.#options.fetch([...new Set(parts.slice(first, first + partsMax))]);
      for (const [name, part] of this.#opened(entries)) found.set(name, part);
    }
    return parts
      .map((name) => {
        const part = found.get(name);
        if (part == null) throw new SealError(`The vault entry ${key.split('/')[0]} lacks a part.`);
        return part;
      })
      .join('');
  }

  #opened(entries: VaultEntry[]): Map<string, string | null> {
    return new Map(
      entries.map(({ key, sealed }) => [key, sealed === null ? null : this.#seal.open(key, sealed)]),
    );
  }

  #remember(key: string, json: string | null): void {
    this.#options.cache.set(this.#cacheKey(key), json ?? '');
  }

  #cacheKey(key: string): string {
    return this.#cachePrefix + key;
  }
}

/** Sealed and in base64 a part takes 256 KiB at most, whatever characters are in it. */
const partCharactersMax = 60_000;
/** No entry begins so: all of them are JSON. */
const listMark = '\u0000parts ';

/** What an entry is stored as: by key, null for what is to go. */
type StoredEntries = [key: string, plain: string | null][];

/**
 * Entries that are too large for one frame, such as the state of a full address book, are stored as parts, with a list of them
 * under the entry's own key. A part is named by its content. So unchanged parts are not written again, and until the new list
 * is stored the old one still has all of its parts.
 */
class LargeEntries {
  readonly #namingKey: KeyObject;
  /** Parts of the large entries that were read or written in this life. */
  readonly #partsOf = new Map<string, string[]>();

  constructor(namingKey: KeyObject) {
    this.#namingKey = namingKey;
  }

  /** What to store for an entry, in this order. */
  toStore(key: string, plain: string | null): StoredEntries {
    const before = new Set(this.#partsOf.get(key));
    if (plain === null || plain.length <= partCharactersMax) {
      this.#partsOf.delete(key);
      return [[key, plain], ...[...before].map((part): [string, null] => [part, null])];
    }
    const parts = new Map<string, string>();
    const names = cut(plain).map((text) => {
      const name = this.#nameOf(key, text);
      parts.set(name, text);
      return name;
    });
    this.#partsOf.set(key, names);
    const outdated = [...before].filter((name) => !parts.has(name));
    return [
      ...[...parts].filter(([name]) => !before.has(name)),
      [key, listMark + JSON.stringify(names)],
      ...outdated.map((name): [string, null] => [name, null]),
    ];
  }

  /** The parts that a stored entry consists of; null for one that is whole. */
  partsIn(key: string, stored: string): string[] | null {
    if (!stored.startsWith(listMark)) return null;
    const names = JSON.parse(stored.slice(listMark.length)) as string[];
    this.#partsOf.set(key, names);
    return names;
  }

  #nameOf(key: string, text: string): string {
    const content = createHmac('sha256', this.#namingKey).update(text).digest('base64url').slice(0, 24);
    return `${partsBegin(key)}${content}`;
  }
}

/** How the keys of an entry's parts begin. */
function partsBegin(key: string): string {
  return `part/${createHash('sha256').update(key).digest('base64url').slice(0, 16)}:`;
}

/** Never between the two halves of a character. */
function cut(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + partCharactersMax, text.length);
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
