import type { Retention } from '../../../contract/account-settings.ts';
import { endOfWait } from '../../due-times.ts';
import { logFault } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import { idsPerMs, type StoredMessage } from '../messages/logged-message.ts';
import { keyInProviderId } from '../messages/message-key.ts';
import type { ArchiveReader } from './archive-reader.ts';
import { messagesSince } from './retention.ts';

type ReceiptFact = Extract<Fact, { kind: 'message.receipt' }>;

export const awaitedReceiptsSql = `
  -- Messages that were archived before they were too old, of which receipts may yet come. id: theirs.
  CREATE TABLE awaited_receipts (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
  -- Receipts of these that have come: facts as JSON, in the order of n. message: its id.
  CREATE TABLE late_receipts (
    message INTEGER NOT NULL,
    n INTEGER NOT NULL,
    fact TEXT NOT NULL,
    PRIMARY KEY (message, n)
  ) WITHOUT ROWID;
`;

/** Those that are forgotten in one go: more than a slice adds. */
const forgottenAtOnce = 4_000;

/** Which archived messages may get receipts yet, and those that have come. Call what writes inside a transaction. */
export class AwaitedReceipts extends Tables {
  readonly #retention: () => Retention;

  constructor(sql: SqlStorage, retention: () => Retention) {
    super(sql);
    this.#retention = retention;
  }

  /** The messages of this range go to the archive. Of those that are too old to be kept nothing is awaited. */
  expect(first: number, last: number): void {
    const since = messagesSince(this.#retention(), Date.now()) * idsPerMs;
    this.sql.exec(
      `INSERT OR IGNORE INTO awaited_receipts (id, key) SELECT id, key FROM messages
       WHERE id BETWEEN max(?1, ?3) AND ?2 AND direction = 'outbound' AND sender_source IS NOT NULL
         AND (status IN ('sent', 'delivered') OR (chat_type = 'group' AND status = 'read'))`,
      ...[first, last, since],
    );
    this.sql.exec(
      `DELETE FROM awaited_receipts
       WHERE id IN (SELECT id FROM awaited_receipts WHERE id < ? ORDER BY id LIMIT ${forgottenAtOnce})`,
      since,
    );
  }

  /** A receipt of a message that is not in the log. False: none that is awaited. */
  note(fact: ReceiptFact): boolean {
    const key = keyInProviderId(fact.providerMessageId);
    const id = this.queryValue<number>('SELECT id FROM awaited_receipts WHERE key = ?', key);
    if (id === null) return false;
    this.sql.exec(
      `INSERT INTO late_receipts (message, n, fact)
       VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM late_receipts WHERE message = ?1), ?2)`,
      ...[id, JSON.stringify(fact)],
    );
    return true;
  }

  /** The messages that receipts have come of, from the first one on; null: none. */
  first(): number | null {
    return this.messages(0, Number.MAX_SAFE_INTEGER, 1)[0] ?? null;
  }

  messages(from: number, to: number, limit: number): number[] {
    const query =
      'SELECT DISTINCT message FROM late_receipts WHERE message BETWEEN ? AND ? ORDER BY message LIMIT ?';
    return this.queryValues<number>(query, from, to, limit);
  }

  /** The receipts of a message that is in the log again, or is nowhere; they are noted here no more. */
  remove(message: number): ReceiptFact[] {
    const query = 'SELECT fact FROM late_receipts WHERE message = ? ORDER BY n';
    const facts = this.queryValues<string>(query, message);
    this.sql.exec('DELETE FROM late_receipts WHERE message = ?', message);
    this.sql.exec('DELETE FROM awaited_receipts WHERE id = ?', message);
    return facts.map((fact) => JSON.parse(fact));
  }

  /** Somebody was erased; how many receipts of theirs there were, at most `limit`. */
  forget(address: string, limit: number): number {
    return this.queryAll(
      `DELETE FROM late_receipts WHERE (message, n) IN (SELECT message, n FROM late_receipts
           WHERE fact ->> '$.recipient' = ?1 OR fact ->> '$.recipientLid' = ?1 LIMIT ?2) RETURNING 1`,
      ...[address, limit],
    ).length;
  }
}

/** Messages that are fetched in one go. */
const messagesAtOnce = 100;
const pauseMs = 200;
const retryMs = 60_000;

interface Parts {
  awaited: AwaitedReceipts;
  archive: ArchiveReader;
  /** How many people were erased; null while one is. */
  erased: () => number | null;
  /** Makes a message a row of the log again. */
  putBack: (row: StoredMessage) => void;
  /** What a receipt of a message in the log changes. */
  receipt: (fact: ReceiptFact) => EventDraft[];
  /** One transaction, with the events of the change. */
  commit: (change: () => EventDraft[]) => void;
}

/**
 * Takes receipts of messages that were archived by size: the message is fetched back, and archived again later. Both rows are
 * changed in one transaction; a crash before it leaves the receipts where they were.
 */
export class LateReceipts {
  readonly #parts: Parts;
  #restUntil = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  dueAt(): number | null {
    return this.#parts.awaited.first() === null ? null : endOfWait(this.#restUntil, retryMs);
  }

  async run(now: number): Promise<void> {
    this.#restUntil = now + retryMs;
    try {
      if (await this.#step()) this.#restUntil = Date.now() + pauseMs;
    } catch (error) {
      logFault('archive.receipts_wait', error);
    }
  }

  /** False: not now. */
  async #step(): Promise<boolean> {
    const { awaited, archive, erased, putBack, receipt, commit } = this.#parts;
    const first = awaited.first();
    const erasedBefore = erased();
    // What is read of a person who is erased meanwhile must not be written here again.
    if (first === null || erasedBefore === null) return false;
    const { rows, ids } = await archive.rowsAt(first, (last) =>
      awaited.messages(first, last, messagesAtOnce),
    );
    if (erased() !== erasedBefore) return true;
    commit(() => {
      for (const row of rows) putBack(row);
      return ids.flatMap((id) => awaited.remove(id)).flatMap(receipt);
    });
    return true;
  }
}
