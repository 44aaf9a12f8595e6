import { logFault } from '../../../log.ts';
import type { ArchiveCalls } from '../archive-calls.ts';
import type { ArchivedPasts } from './archived-pasts.ts';
import type { PastKind, PastRow } from './past-lines.ts';

interface Asked {
  below: number;
  /** Nothing that is older is wanted. */
  downTo: number;
  limit: number;
}

/** Reads what the log itself no longer has of the past of a conversation. */
export class PastReader {
  readonly #pasts: ArchivedPasts;
  readonly #calls: ArchiveCalls;

  constructor(pasts: ArchivedPasts, calls: ArchiveCalls) {
    this.#pasts = pasts;
    this.#calls = calls;
  }

  /** At most `limit` rows, newest first: those in the tables, merged with those in the archive. */
  async complete<Item extends { id: number }>(
    conversationId: string,
    kind: PastKind,
    local: Item[],
    asked: Asked,
    itemOf: (row: PastRow) => Item,
  ): Promise<Item[]> {
    const { below, limit } = asked;
    const downTo = local.length < limit ? asked.downTo : Math.max(asked.downTo, local.at(-1)?.id ?? 0);
    const keys = this.#pasts.keysOf(conversationId, downTo);
    if (keys.length === 0) return local;
    const found = await Promise.all(keys.map((key) => this.#read(key, { kind, below, limit })));
    // What was archived since the others were read stands in both.
    const items = new Map([...found.flat().map(itemOf), ...local].map((item) => [item.id, item]));
    return [...items.values()].sort((a, b) => b.id - a.id).slice(0, limit);
  }

  async #read(key: string, query: { kind: PastKind; below: number; limit: number }): Promise<PastRow[]> {
    const rows = await this.#calls.past(key, query);
    if (rows === null) logFault('archive.past_missing', new Error('no such object'), { key });
    return rows ?? [];
  }
}
