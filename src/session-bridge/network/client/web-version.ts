import { fetchLatestWaWebVersion } from '@whiskeysockets/baileys';
import type { NetworkName } from '../../config.ts';

export type WebVersion = [number, number, number];

const fetchTimeoutMs = 10_000;
const goodForMs = 6 * 3_600_000;
/** A look-up that failed is tried again after this. */
const retryAfterMs = 300_000;

/** Where the last version that was found is kept, so that a failed look-up does not fall back to an old one. */
export interface VersionMemory {
  load(): string | null;
  save(version: string): void;
}

function parse(version: string | null): WebVersion | null {
  const parts = (version ?? '').split('.').map(Number);
  const [major, minor, patch] = parts;
  if (parts.length !== 3 || major === undefined || minor === undefined || patch === undefined) return null;
  return parts.every(Number.isInteger) ? [major, minor, patch] : null;
}

/**
 * The version of the web client to present. The real network refuses a stale one, for all sessions at once, so it is looked up
 * now and then. The simulator accepts any, and nothing is fetched for it.
 */
export class WebVersionSource {
  readonly #network: NetworkName;
  readonly #override: WebVersion | null;
  readonly #memory: VersionMemory;
  #found: { version: Promise<WebVersion | undefined>; goodUntilMs: number } | null = null;

  constructor(network: NetworkName, override: string | null, memory: VersionMemory) {
    this.#network = network;
    this.#override = parse(override);
    this.#memory = memory;
  }

  /** Undefined leaves the version that the client brings itself. */
  current(): Promise<WebVersion | undefined> {
    if (this.#override) return Promise.resolve(this.#override);
    if (this.#network === 'simulator') return Promise.resolve(undefined);
    if (!this.#found || Date.now() > this.#found.goodUntilMs) {
      this.#found = { version: this.#lookUp(), goodUntilMs: Date.now() + goodForMs };
    }
    return this.#found.version;
  }

  /** The network refused the version: the next connection looks it up again. */
  expire(): void {
    this.#found = null;
  }

  /** What was good last serves while nothing newer can be found, and for a short while only. */
  async #lookUp(): Promise<WebVersion | undefined> {
    const found = await fetchLatestWaWebVersion({ signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (found.isLatest) {
      this.#memory.save(found.version.join('.'));
      return found.version;
    }
    if (this.#found) this.#found.goodUntilMs = Date.now() + retryAfterMs;
    return parse(this.#memory.load()) ?? undefined;
  }
}
