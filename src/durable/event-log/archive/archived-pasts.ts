import { earliest } from '../../due-times.ts';
import { logFault } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import { idsPerMs } from '../messages/logged-message.ts';
import { type ArchiveCalls, inTime } from './archive-calls.ts';
import { type PastKind, type PastQuery, type PastRow, pastLine } from './archived-lines.ts';
import type { SliceLimits } from './archived-rows.ts';
import type { PastsDue } from './retention.ts';

export const archivedPastsSql = `
  -- Whose activity or notes stand in the archive, in the object of which conversation: another one, where two were joined.
  -- last: the id of the newest row there. Under an empty conversation_id: what is to be erased.
  CREATE TABLE archived_pasts (
    conversation_id TEXT NOT NULL,
    part TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (conversation_id, part)
  ) WITHOUT ROWID;
  CREATE INDEX conversation_activity_by_time ON conversation_activity (id);
  CREATE INDEX conversation_notes_by_time ON conversation_notes (id);
`;

/** Conversations of one call: each is an object of its own. */
const conversationsAtOnce = 50;
/** Those that wait for their erasure and go in one call. */
const erasedAtOnce = 50;
const lookedAtMax = 1_000;

const tables = { activity: 'conversation_activity', note: 'conversation_notes' } as const satisfies Partial<
  Record<PastKind, string>
>;
type RowKind = keyof typeof tables;
const kinds = Object.keys(tables) as RowKind[];

/** What goes of one conversation: of each kind its oldest rows, up to the last one of them. */
interface Part {
  conversationId: string;
  lasts: Record<RowKind, number>;
  lines: string[];
}

/**
 * The activity and notes of conversations on their way to the archive, one object for each conversation. They are written
 * there first, then deleted here. After a crash in between the same rows are written again, and the object has them once.
 */
export class ArchivedPasts extends Tables {
  readonly #storage: DurableObjectStorage;
  readonly #calls: ArchiveCalls;
  readonly #accountId: string;

  constructor(storage: DurableObjectStorage, calls: ArchiveCalls, accountId: string) {
    super(storage.sql);
    this.#storage = storage;
    this.#calls = calls;
    this.#accountId = accountId;
  }

  /** When the oldest row was made; null: there is none. */
  oldestAt(): number | null {
    const oldest = earliest(
      kinds.map((kind) => this.queryValue<number>(`SELECT id FROM ${tables[kind]} ORDER BY id LIMIT 1`)),
    );
    return oldest === null ? null : Math.floor(oldest / idsPerMs);
  }

  /** Moves the pasts of some conversations; how many, 0: nothing may go. */
  async move({ from, before }: PastsDue, limits: SliceLimits): Promise<number> {
    const parts = this.#next(from, before, limits);
    if (parts.length === 0) return 0;
    // Noted before they are written, so that nothing stands in R2 that no erasure would find.
    this.#storage.transactionSync(() => {
      for (const { conversationId, lasts } of parts) {
        this.note(conversationId, Math.max(...Object.values(lasts)));
      }
    });
    const pasts = parts.map(({ conversationId, lines }) => ({
      key: this.keyOf(conversationId),
      lines: lines.join('\n'),
    }));
    await inTime(this.#calls.addPasts(pasts));
    this.#storage.transactionSync(() => {
      for (const part of parts) this.#settle(part);
    });
    return parts.length;
  }

  /** An object will have rows up to this one. Call inside a transaction. */
  note(conversationId: string, last: number): void {
    this.sql.exec(
      `INSERT INTO archived_pasts (conversation_id, part, last) VALUES (?1, ?1, ?2)
       ON CONFLICT DO UPDATE SET last = max(last, excluded.last)`,
      ...[conversationId, last],
    );
  }

  /** The objects in which rows of a conversation stand that are not older than `downTo`. */
  keysOf(conversationId: string, downTo: number): string[] {
    const query = 'SELECT part FROM archived_pasts WHERE conversation_id = ? AND last >= ?';
    return this.queryValues<string>(query, conversationId, downTo).map((part) => this.keyOf(part));
  }

  /** Erases some of what is to be erased; how many rows, null: nothing is. */
  async erase(call: (keys: readonly string[]) => Promise<number>): Promise<number | null> {
    const query = `SELECT part FROM archived_pasts WHERE conversation_id = '' LIMIT ${erasedAtOnce}`;
    const parts = this.queryValues<string>(query);
    if (parts.length === 0) return null;
    const erased = await call(parts.map((part) => this.keyOf(part)));
    this.sql.exec(
      "DELETE FROM archived_pasts WHERE conversation_id = '' AND part IN (SELECT value FROM json_each(?))",
      JSON.stringify(parts),
    );
    return erased;
  }

  keyOf(conversationId: string): string {
    return `${this.#accountId}/conversations/${conversationId}.ndjson.gz`;
  }

  #next(from: number, before: number, { rowsMax, charactersMax }: SliceLimits): Part[] {
    const ids = new Set(
      kinds.flatMap((kind) => {
        const query = `SELECT conversation_id FROM ${tables[kind]} WHERE id < ? ORDER BY id LIMIT ${lookedAtMax}`;
        return this.queryValues<string>(query, from * idsPerMs);
      }),
    );
    const parts: Part[] = [];
    let [rows, characters] = [0, 0];
    for (const conversationId of [...ids].slice(0, conversationsAtOnce)) {
      if (rows >= rowsMax || characters >= charactersMax) break;
      const part = this.#partOf(conversationId, before, { rowsMax, charactersMax });
      rows += part.lines.length;
      characters += part.lines.reduce((sum, line) => sum + line.length, 0);
      parts.push(part);
    }
    return parts;
  }

  #partOf(conversationId: string, before: number, limits: SliceLimits): Part {
    const part: Part = { conversationId, lasts: { activity: 0, note: 0 }, lines: [] };
    let characters = 0;
    for (const kind of kinds) {
      const query = `SELECT * FROM ${tables[kind]} WHERE conversation_id = ? AND id < ? ORDER BY id LIMIT ?`;
      // Read to its end: a statement that is left half-way keeps tables from being dropped.
      const rows = this.queryAll<PastRow>(query, conversationId, before * idsPerMs, limits.rowsMax);
      for (const row of rows) {
        const line = pastLine(kind, row);
        characters += line.length;
        if (part.lines.length > 0 && characters > limits.charactersMax) break;
        part.lines.push(line);
        part.lasts[kind] = row.id;
      }
    }
    return part;
  }

  /** Deletes what was written, and nothing of a conversation that was joined or erased meanwhile. */
  #settle({ conversationId, lasts, lines }: Part): void {
    const found = kinds.flatMap((kind) => {
      const query = `SELECT * FROM ${tables[kind]} WHERE conversation_id = ? AND id <= ? ORDER BY id`;
      const rows = this.queryAll<PastRow>(query, conversationId, lasts[kind]);
      return rows.map((row) => pastLine(kind, row));
    });
    if (found.join('\n') !== lines.join('\n')) return;
    for (const kind of kinds) {
      const which = 'conversation_id = ? AND id <= ?';
      this.sql.exec(`DELETE FROM ${tables[kind]} WHERE ${which}`, conversationId, lasts[kind]);
    }
  }
}

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

  /** The same above a place, oldest first. */
  async upwards<Item extends { id: number }>(
    conversationId: string,
    kind: PastKind,
    local: Item[],
    { after, limit }: { after: number; limit: number },
    itemOf: (row: PastRow) => Item,
  ): Promise<Item[]> {
    const keys = this.#pasts.keysOf(conversationId, after + 1);
    const query = { kind, below: Number.MAX_SAFE_INTEGER, after, limit };
    const found = await Promise.all(keys.map((key) => this.#read(key, query)));
    const items = new Map([...found.flat().map(itemOf), ...local].map((item) => [item.id, item]));
    return [...items.values()].sort((a, b) => a.id - b.id).slice(0, limit);
  }

  async #read(key: string, query: PastQuery): Promise<PastRow[]> {
    const rows = await this.#calls.past(key, query);
    if (rows === null) logFault('archive.past_missing', new Error('no such object'), { key });
    return rows ?? [];
  }
}
