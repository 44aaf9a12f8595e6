import { idsPerMs } from '../messages/logged-message.ts';
import { memberReceiptsJson } from '../messages/member-receipts.ts';
import type { MessageWords } from '../messages/message-words.ts';
import { type ArchivedRows, type Slice, type SliceLimits, segmentName } from './archived-rows.ts';
import type { AwaitedReceipts } from './late-receipts/awaited-receipts.ts';
import type { Due } from './retention.ts';
import type { SegmentRange, Segments } from './segments/segments.ts';

/** What a row takes beside its content, and what each receipt takes, about. */
const rowCharacters = 500;
const receiptCharacters = 100;
/** Whatever is told of a message that waits must find it: it stays, however old it is. */
const mayGo = "status <> 'queued'";

/** Of a message to a group, who has it; null of any other. */
const receipts = `CASE WHEN chat_type = 'group' AND direction = 'outbound' THEN (${memberReceiptsJson}) END`;

interface Parts {
  sql: SqlStorage;
  words: MessageWords;
  segments: Segments;
  awaitedReceipts: AwaitedReceipts;
  accountId: string;
}

/** Messages on their way to the archive: whole rows, by their own time. */
export class ArchivedMessages implements ArchivedRows {
  readonly #sql: SqlStorage;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#sql = parts.sql;
    this.#parts = parts;
  }

  oldestAt(): number | null {
    const oldest = this.#oldestId();
    return oldest === null ? null : Math.floor(oldest / idsPerMs);
  }

  next({ before }: Due, limits: SliceLimits): Slice | null {
    const rows = this.#sql.exec<{ id: number; characters: number }>(
      `SELECT id, length(content) + ${rowCharacters} + ${receiptCharacters} *
         (SELECT count(*) FROM member_receipts WHERE message = messages.id) AS characters
       FROM messages WHERE id < ? AND ${mayGo} ORDER BY id LIMIT ?`,
      before * idsPerMs,
      limits.rowsMax,
    );
    let first: number | null = null;
    let last = 0;
    let end = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const { id, characters } of rows) {
      if (first === null) {
        const segment = this.#parts.segments.from('messages', id)[0];
        // Its neighbours went before it: it waited then, or came late.
        if (segment !== undefined && segment.first <= id) return { range: segment, isAddition: true };
        first = id;
        end = segment?.first ?? end;
      }
      sum += characters;
      if (id >= end || (id > first && sum > limits.charactersMax)) break;
      last = id;
    }
    if (first === null) return null;
    const key = `${this.#parts.accountId}/messages/${segmentName(first, last)}`;
    const lastAt = Math.floor(last / idsPerMs);
    return { range: { kind: 'messages', first, last, lastAt, key }, isAddition: false };
  }

  lines({ first, last }: SegmentRange): string[] {
    const query = `SELECT *, ${receipts} AS receipts FROM messages WHERE id BETWEEN ? AND ? AND ${mayGo} ORDER BY id`;
    return this.#sql
      .exec(query, first, last)
      .toArray()
      .map((row) => JSON.stringify(row));
  }

  delete({ first, last }: SegmentRange): void {
    this.#parts.awaitedReceipts.expect(first, last);
    this.#sql.exec('DELETE FROM member_receipts WHERE message BETWEEN ? AND ?', first, last);
    this.#sql.exec(`DELETE FROM messages WHERE id BETWEEN ? AND ? AND ${mayGo}`, first, last);
    this.#parts.words.dropBefore(this.#oldestId() ?? last);
  }

  #oldestId(): number | null {
    const query = 'SELECT id FROM messages ORDER BY id LIMIT 1';
    return this.#sql.exec<{ id: number }>(query).toArray()[0]?.id ?? null;
  }
}
