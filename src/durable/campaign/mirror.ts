import { eq } from 'drizzle-orm';
import { openDatabase } from '../../database/open-database.ts';
import { campaigns } from '../../database/schema.ts';
import { endOfWait } from '../due-times.ts';
import { countsOf } from './recipient.ts';
import type { CampaignStore } from './store.ts';

/** Counts alone are told this often. */
const countsEveryMs = 60_000;
const retryMs = 10_000;

/**
 * The copy in D1 for the list of campaigns: name, status and counts as last reported. This object has the current values; the
 * list may be a minute behind.
 */
export class Mirror {
  readonly #store: CampaignStore;
  readonly #database: () => D1Database;
  /** What was told last in this life. */
  #told: { state: string; counts: string; at: number } | null = null;
  #retryAt = 0;

  constructor(store: CampaignStore, database: () => D1Database) {
    this.#store = store;
    this.#database = database;
  }

  dueAt(): number | null {
    const now = this.#shown();
    if (now === null) return null;
    if (this.#told === null || this.#told.state !== now.state) return this.#retryDueAt;
    if (this.#told.counts === now.counts) return null;
    return Math.max(this.#retryDueAt, endOfWait(this.#told.at + countsEveryMs, countsEveryMs));
  }

  get #retryDueAt(): number {
    return endOfWait(this.#retryAt, retryMs);
  }

  async write(at: number): Promise<void> {
    const { definition, progress } = this.#store;
    const shown = this.#shown();
    if (definition === null || progress === null || shown === null) return;
    this.#retryAt = at + retryMs;
    const { campaignId, status, tally } = progress;
    await openDatabase(this.#database())
      .update(campaigns)
      .set({ name: definition.name, status, counts: countsOf(tally) })
      .where(eq(campaigns.id, campaignId));
    this.#told = { ...shown, at };
    this.#retryAt = 0;
  }

  #shown(): { state: string; counts: string } | null {
    const { definition, progress } = this.#store;
    if (definition === null || progress === null) return null;
    const { status, tally } = progress;
    return { state: JSON.stringify([definition.name, status]), counts: JSON.stringify(countsOf(tally)) };
  }
}
