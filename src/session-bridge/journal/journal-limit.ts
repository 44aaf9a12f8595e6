import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../logging.ts';
import type { JournalDatabase } from './database.ts';

const checkEveryMs = 500;

export interface JournalLimitOptions {
  db: Pick<JournalDatabase, 'usedBytes'>;
  bytesMax: number;
  log: Log;
}

/**
 * Limits what waits here for the edge. Beyond the limit no message is acknowledged to the network, so the network keeps it.
 * Sends and receipts continue: they stop by themselves while the edge accepts nothing.
 */
export class JournalLimit {
  readonly #options: JournalLimitOptions;
  #isFull = false;

  constructor(options: JournalLimitOptions) {
    this.#options = options;
  }

  /** Resolves when there is room for another message. Rejects when the signal comes first. */
  async room(signal: AbortSignal): Promise<void> {
    while (!this.#hasRoom()) await sleep(checkEveryMs, undefined, { signal, ref: false });
  }

  #hasRoom(): boolean {
    const { db, bytesMax, log } = this.#options;
    const bytes = db.usedBytes();
    const isFull = bytes > bytesMax;
    if (isFull !== this.#isFull) {
      this.#isFull = isFull;
      if (isFull) log.warn({ bytes, bytesMax }, 'journal.full');
      else log.info({ bytes, bytesMax }, 'journal.has_room');
    }
    return !isFull;
  }
}
