import type { NumberNote } from '../../hand-over/number-news.ts';
import { Tables } from '../../storage/rows.ts';

interface StoredNote {
  seq: number;
  note: NumberNote;
}

/** What the account is to be told once, in order, kept until it has answered that it knows. */
export class AccountNotes extends Tables {
  /** Whether there are any; null: to be looked up. */
  #isEmpty: boolean | null = null;

  /** Call inside the transaction of the change that it tells of. */
  add(note: NumberNote): void {
    this.#isEmpty = false;
    this.sql.exec('INSERT INTO account_notes (note) VALUES (?)', JSON.stringify(note));
  }

  /** The oldest ones, at most `limit`. */
  first(limit: number): StoredNote[] {
    if (this.isEmpty) return [];
    return this.queryAll<{ seq: number; note: string }>(
      'SELECT seq, note FROM account_notes ORDER BY seq LIMIT ?',
      limit,
    ).map(({ seq, note }) => ({ seq, note: JSON.parse(note) }));
  }

  forget(through: number): void {
    this.sql.exec('DELETE FROM account_notes WHERE seq <= ?', through);
    this.#isEmpty = null;
  }

  /** The account knows higher numbers than were ever given here (a restore): what waits goes above them. */
  jumpAbove(takenUpTo: number): void {
    const last = this.queryValue<number>('SELECT max(seq) FROM account_notes');
    const waiting = this.first(last ?? 0);
    this.sql.exec('DELETE FROM account_notes');
    for (const [index, { note }] of waiting.entries()) {
      this.sql.exec(
        'INSERT INTO account_notes (seq, note) VALUES (?, ?)',
        takenUpTo + 1 + index,
        JSON.stringify(note),
      );
    }
  }

  /** Whether a deletion of this message goes back to the account, which does not have it yet. */
  returnsDeletionOf(targetId: string): boolean {
    if (this.isEmpty) return false;
    return this.queryAny(
      `SELECT 1 FROM account_notes WHERE note ->> '$.kind' = 'returned'
           AND note ->> '$.message.content.type' = 'delete' AND note ->> '$.message.content.targetId' = ? LIMIT 1`,
      targetId,
    );
  }

  get isEmpty(): boolean {
    this.#isEmpty ??= !this.queryAny('SELECT 1 FROM account_notes LIMIT 1');
    return this.#isEmpty;
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#isEmpty = null;
  }
}
