import type { NumberFact } from '../../contract/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';
import { type FactFrame, groupFacts, isList, type JournalledFact } from './fact-groups.ts';
import type { FactTide } from './fact-tide.ts';

/** At high tide facts wait so long for others, or until there are so many of a number. */
const highTideTickMs = 100;
const highTideFactsMax = 24;

interface FactRow {
  seq: number;
  frame: number | null;
  body: string;
}

export interface FactLogOptions {
  db: JournalDatabase;
  numberId: string;
  epoch: number;
  /** Facts that arrive within this time travel in one frame. */
  tickMs: number;
  /** Of the whole bridge. */
  tide: FactTide;
  /** All vault entries written up to this row are stored at the edge. */
  onVaultStored: (seq: number) => void;
}

/**
 * What the edge must learn about one number. What `append` takes is on disk before anything else leaves the process;
 * it is sent a tick later, and again after every reconnect, under the same sequence number, until the edge has
 * acknowledged it.
 */
export class FactLog {
  readonly #options: FactLogOptions;
  #pending: JournalledFact[] = [];
  #timer: NodeJS.Timeout | undefined;
  #send: ((frame: FactFrame) => void) | null = null;
  #waiters: (() => void)[] = [];

  constructor(options: FactLogOptions) {
    this.#options = options;
  }

  /** Journals a fact and sends it with the next tick. Returns its row. */
  append(fact: NumberFact): number {
    const inserted = this.#insert(fact);
    this.#enqueue(inserted);
    return inserted.seq;
  }

  /** Journals a fact that is not ready to be sent; {@link FactLog.complete} sends it. A restart sends it as it is. */
  hold(fact: NumberFact): number {
    return this.#insert(fact).seq;
  }

  /** Sends a held fact in its final form, unless a reconnect has sent it meanwhile. */
  complete(heldSeq: number, fact: NumberFact): void {
    const { db } = this.#options;
    const inserted = db.transaction(() => {
      const { changes } = db.run('DELETE FROM facts WHERE seq = ? AND frame IS NULL', heldSeq);
      return changes === 1 ? this.#insert(fact) : null;
    });
    if (inserted) this.#enqueue(inserted);
  }

  /** A link is up: sends everything that was not acknowledged, then goes on with what comes. */
  attach(send: (frame: FactFrame) => void): void {
    this.#send = send;
    const { db, numberId } = this.#options;
    db.writeDeferred();
    this.#pending = [];
    this.#stopTimer();
    const rows = db.all<FactRow>(
      'SELECT seq, frame, body FROM facts WHERE number_id = ? ORDER BY seq',
      numberId,
    );
    const frames = new Map<number, NumberFact[]>();
    const fresh: JournalledFact[] = [];
    for (const { seq, frame, body } of rows) {
      const fact = JSON.parse(body) as NumberFact;
      // Under a new number: later facts may have gone ahead of it, and what is below their number the edge takes for
      // a repeat.
      if (frame === null) fresh.push({ seq: this.#moveToEnd(seq), fact });
      else frames.set(frame, [...(frames.get(frame) ?? []), fact]);
    }
    for (const [seq, facts] of [...frames].sort(([a], [b]) => a - b)) {
      // A frame goes out as it went out before: the edge tells a repeat by its number alone.
      const [group] = groupFacts(
        facts.map((fact) => ({ seq, fact })),
        Number.POSITIVE_INFINITY,
      );
      if (group) send({ seq, fact: group.fact });
    }
    this.#sendNew(fresh);
  }

  /** The link is gone: facts wait on disk. */
  detach(): void {
    this.#stopTimer();
    this.#pending = [];
    this.#send = null;
  }

  /** The edge has stored everything up to `seq`. */
  acknowledge(seq: number): void {
    const { db, numberId, onVaultStored } = this.#options;
    const gone = db.changeReturning<{ seq: number; kind: string }>(
      'DELETE FROM facts WHERE number_id = ? AND frame <= ? RETURNING seq, kind',
      numberId,
      seq,
    );
    const stored = gone.filter((row) => row.kind === 'vault.put').map((row) => row.seq);
    if (stored.length > 0) onVaultStored(Math.max(...stored));
    if (this.#waiters.length > 0 && this.#isEmpty()) for (const resolve of this.#waiters.splice(0)) resolve();
  }

  /** Resolves when the edge has everything. */
  async drained(): Promise<void> {
    if (this.#isEmpty()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.push(resolve);
    await promise;
  }

  #isEmpty(): boolean {
    const { db, numberId } = this.#options;
    db.writeDeferred();
    return !db.get('SELECT 1 FROM facts WHERE number_id = ? LIMIT 1', numberId);
  }

  #insert(fact: NumberFact): JournalledFact {
    const { db, numberId, epoch } = this.#options;
    // News of the session stand behind the keys that were written before them.
    if (!isList(fact)) db.writeDeferred();
    const body = JSON.stringify(fact);
    const { lastId } = db.run(
      'INSERT INTO facts (number_id, epoch, kind, body) VALUES (?, ?, ?, ?)',
      numberId,
      epoch,
      fact.type,
      body,
    );
    return { seq: lastId, fact, bytes: body.length };
  }

  #moveToEnd(seq: number): number {
    const { db } = this.#options;
    return db.transaction(() => {
      const { lastId } = db.run(
        `INSERT INTO facts (number_id, epoch, kind, body)
         SELECT number_id, epoch, kind, body FROM facts WHERE seq = ?`,
        seq,
      );
      db.run('DELETE FROM facts WHERE seq = ?', seq);
      return lastId;
    });
  }

  #enqueue(fact: JournalledFact): void {
    if (!this.#send) return;
    this.#pending.push(fact);
    const { tide, tickMs } = this.#options;
    const isHigh = tide.isHighAfter(performance.now());
    if (this.#pending.length >= highTideFactsMax) {
      this.#stopTimer();
      this.#timer = setTimeout(() => this.#sendPending(), 0);
    }
    this.#timer ??= setTimeout(() => this.#sendPending(), isHigh ? Math.max(tickMs, highTideTickMs) : tickMs);
  }

  #sendPending(): void {
    this.#timer = undefined;
    this.#sendNew(this.#pending.splice(0));
  }

  #sendNew(facts: JournalledFact[]): void {
    const send = this.#send;
    if (!send || facts.length === 0) return;
    const groups = groupFacts(facts);
    const { db } = this.#options;
    db.transaction(() => {
      for (const { seq, rows } of groups) {
        for (const row of rows) db.run('UPDATE facts SET frame = ? WHERE seq = ?', seq, row);
      }
    });
    for (const { seq, fact } of groups) send({ seq, fact });
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
