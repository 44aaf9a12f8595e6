import type { NumberFact } from '../../contract/bridge/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';

/** A fact and its row in the journal. */
export interface JournalledFact {
  row: number;
  fact: NumberFact;
}

export interface FactGroup {
  fact: NumberFact;
  /** The rows that travel in this frame. */
  rows: number[];
}

/**
 * The order in which lists are sent between two reports about the session. A message is sent before its receipts. Keys come
 * after everything that they were used for, so that a stored key is never ahead of a message that was read with it.
 */
const listOrder = [
  'send.outcomes',
  'receipts',
  'inbound',
  'changes',
  'calls',
  'vault.put',
] as const satisfies NumberFact['type'][];
type ListFact = Extract<NumberFact, { type: (typeof listOrder)[number] }>;

/** A fact that lists things of one kind: several of them can travel as one. */
export function isList(fact: NumberFact): fact is ListFact {
  return 'items' in fact || 'entries' in fact;
}

/** Facts of one kind as one. Of entries later writes of a key replace earlier ones. */
function merge(type: ListFact['type'], facts: ListFact[]): NumberFact {
  if (type !== 'vault.put')
    return {
      type,
      items: facts.flatMap<unknown>((fact) => ('items' in fact ? fact.items : [])),
    } as NumberFact;
  const entries = facts.flatMap((fact) => ('entries' in fact ? fact.entries : []));
  return { type, entries: [...new Map(entries.map((entry) => [entry.key, entry])).values()] };
}

/**
 * Packs facts into as few frames as possible, in sending order. Lists of one kind become one list, unless a report about the
 * session is between them.
 */
export function groupFacts(facts: readonly JournalledFact[]): FactGroup[] {
  const groups: FactGroup[] = [];
  let lists: { row: number; fact: ListFact }[] = [];
  const closeLists = () => {
    for (const type of listOrder) {
      const ofType = lists.filter(({ fact }) => fact.type === type);
      if (ofType.length === 0) continue;
      const fact = merge(
        type,
        ofType.map((list) => list.fact),
      );
      groups.push({ fact, rows: ofType.map(({ row }) => row) });
    }
    lists = [];
  };
  for (const { row, fact } of facts) {
    if (isList(fact)) {
      lists.push({ row, fact });
      continue;
    }
    closeLists();
    groups.push({ fact, rows: [row] });
  }
  closeLists();
  return groups;
}

/** What is put into frames at once: well under the largest frame, with room for the envelope. */
const bytesMax = 512 * 1024;
const factsMax = 2_000;

/** A frame as the journal has it. */
export interface MadeFrame {
  seq: number;
  fact: NumberFact;
  /** About the length of its JSON. */
  bytes: number;
}

interface FactRow {
  row: number;
  body: string;
}

const bytesOf = (rows: readonly FactRow[]) =>
  rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);

function factOf({ row, body }: FactRow): JournalledFact {
  return { row, fact: JSON.parse(body) as NumberFact };
}

/**
 * The facts of one number as frames. Which rows are in a frame is stored before it is sent, so a repeated frame is the same:
 * the edge recognises a repeat by its number only.
 */
export class FactFrames {
  readonly #db: JournalDatabase;
  readonly #numberId: string;
  readonly #scope: string;

  /** `scope`: a condition in SQL for the rows, with the number's id as its only value. */
  constructor(db: JournalDatabase, numberId: string, scope: string) {
    this.#db = db;
    this.#numberId = numberId;
    this.#scope = scope;
  }

  /** Makes frames of the next rows, but for those in `held`; `lastRow` is the last one, null when there was none. */
  makeNext(held: ReadonlySet<number>): { frames: MadeFrame[]; lastRow: number | null } {
    const rows = this.#nextRows(held);
    if (rows.length === 0) return { frames: [], lastRow: null };
    const bodies = new Map(rows.map((fact) => [fact.row, fact]));
    const frames = this.#db.transaction(() =>
      groupFacts(rows.map(factOf)).map((group): MadeFrame => {
        const seq = this.#db.nextFrame();
        for (const row of group.rows) this.#db.run('UPDATE facts SET frame = ? WHERE seq = ?', seq, row);
        const bytes = bytesOf(group.rows.flatMap((row) => bodies.get(row) ?? []));
        return { seq, fact: group.fact, bytes };
      }),
    );
    return { frames, lastRow: rows.at(-1)?.row ?? null };
  }

  /** The frames that were made and not settled, in order; or only one of them. */
  madeBefore(only?: number): MadeFrame[] {
    const rows = this.#db.all<FactRow & { frame: number }>(
      `SELECT seq AS row, frame, body FROM facts WHERE ${this.#scope} AND frame BETWEEN ? AND ?
       ORDER BY frame, seq`,
      this.#numberId,
      only ?? 0,
      only ?? Number.MAX_SAFE_INTEGER,
    );
    return [...Map.groupBy(rows, ({ frame }) => frame)].flatMap(([seq, ofFrame]) =>
      groupFacts(ofFrame.map(factOf)).map(({ fact }) => ({ seq, fact, bytes: bytesOf(ofFrame) })),
    );
  }

  #nextRows(held: ReadonlySet<number>): FactRow[] {
    const rows: FactRow[] = [];
    let bytes = 0;
    this.#db.eachUntil<FactRow>(
      (fact) => {
        if (held.has(fact.row)) return true;
        bytes += Buffer.byteLength(fact.body);
        if (rows.length > 0 && bytes > bytesMax) return false;
        return rows.push(fact) < factsMax;
      },
      `SELECT seq AS row, body FROM facts WHERE ${this.#scope} AND frame IS NULL ORDER BY seq`,
      this.#numberId,
    );
    return rows;
  }
}
