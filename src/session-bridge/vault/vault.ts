import { LRUCache } from 'lru-cache';
import type { NumberFact, VaultEntry } from '../../contract/bridge/bridge-frames.ts';
import { LargeEntries, partsBegin } from './large-entries.ts';
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

/** Entries of a vault as the network's client sees it: JSON texts by key, null for none. */
export interface VaultPort {
  read(keys: string[]): Promise<Map<string, string | null>>;
  /** On disk before anything else leaves the process; `null` deletes. */
  write(entries: [key: string, json: string | null][]): void;
}

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
 * Credentials and keys of one number. They live sealed at the edge; here is a cache. What was written and is not yet
 * stored there is pinned, so that an older value is never served.
 */
export class Vault implements VaultPort {
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

  async read(keys: string[]): Promise<Map<string, string | null>> {
    const found = new Map<string, string | null>();
    await Promise.all(keys.map(async (key) => found.set(key, await this.#readOne(key))));
    return found;
  }

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
   * Seals anew what the edge has just said that it holds. Whatever is on its way there is newer and sealed already, and
   * so are the parts of a large entry that is: they may be deleted by now.
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
