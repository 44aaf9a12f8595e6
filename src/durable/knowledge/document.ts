import type { DocumentKind, DocumentState } from '../../contract/assistants/document.ts';
import { hourMs } from '../../contract/times.ts';
import { fieldsOf, type RowOf, Tables } from '../storage/rows.ts';

/** A document as the object keeps it. Times are milliseconds since 1970. */
export interface KnowledgeDocument {
  documentId: string;
  assistantId: string;
  kind: DocumentKind;
  name: string;
  url: string | null;
  state: DocumentState;
  /** Why it could not be read, the last time. */
  error: string | null;
  characters: number;
  chunks: number;
  /** Pages of a sitemap that were read; 1 of anything else. */
  pages: number;
  rereadHours: number | null;
  createdAt: number;
  readAt: number | null;
  nextReadAt: number | null;
}

/** `url`: null where the text comes with it. */
export type NewDocument = Pick<
  KnowledgeDocument,
  'documentId' | 'assistantId' | 'kind' | 'name' | 'url' | 'rereadHours'
>;

/** A piece of a document. */
export interface Chunk {
  url: string | null;
  heading: string;
  text: string;
}

/** Milliseconds before a page that could not be had for the moment is asked for again; then it has failed. */
export const waitsMs = [30_000, 5 * 60_000];
const waitMsMax = Math.max(...waitsMs);
/** A page that has failed is looked at again with the next scheduled read, or after this. */
export const failedAgainMs = 6 * hourMs;

/** What was read. */
export interface ReadText {
  chunks: Chunk[];
  characters: number;
  pages: number;
  /** Of all of the text: what is the same as before is not written again. */
  sha256: string;
  /** The title of the page, for a document that has no name of its own yet. */
  title?: string;
}

export type ReadOutcome = { ok: true; read: ReadText } | { ok: false; error: string; isPassing: boolean };

/** A piece that was found; the first is the best. */
export interface Passage {
  documentId: string;
  name: string;
  url: string | null;
  heading: string;
  text: string;
  /** Higher is better; only good for comparing passages of one search. */
  score: number;
}

type SameInRow = Omit<KnowledgeDocument, 'nextReadAt'>;

export type DocumentRow = RowOf<SameInRow> & {
  id: number;
  sha256: string | null;
  attempts: number;
  ring_at: number | null;
};

export const documentOf = ({ id, sha256, attempts, ring_at, ...row }: DocumentRow): KnowledgeDocument => ({
  ...fieldsOf<SameInRow>(row),
  nextReadAt: row.state === 'pending' ? null : ring_at,
});

const notIn = 'document_id NOT IN (SELECT value FROM json_each(?))';

/** The table of documents. Call what writes inside a transaction. */
export class DocumentRows extends Tables {
  find(documentId: string): DocumentRow | null {
    return this.queryFirst<DocumentRow>('SELECT * FROM documents WHERE document_id = ?', documentId) ?? null;
  }

  insert(document: NewDocument, now: number): void {
    const { documentId, assistantId, kind, name, url, rereadHours } = document;
    this.sql.exec(
      `INSERT INTO documents (document_id, assistant_id, kind, name, url, state, characters, chunks, pages,
         reread_hours, attempts, created_at, ring_at)
       VALUES (?, ?, ?, ?, ?, 'pending', 0, 0, 0, ?, 0, ?, ?) ON CONFLICT DO NOTHING`,
      ...[documentId, assistantId, kind, name, url, rereadHours, now, url === null ? null : now],
    );
  }

  /** Newest first, below `before`; one more than `limit` where there are more. */
  page(assistantId: string, limit: number, before: string | null): KnowledgeDocument[] {
    return this.queryAll<DocumentRow>(
      `SELECT * FROM documents WHERE assistant_id = ? AND (?2 IS NULL OR document_id < ?2)
           ORDER BY document_id DESC LIMIT ?3`,
      ...[assistantId, before, limit + 1],
    ).map(documentOf);
  }

  summaryOf(assistantId: string): { documents: number; chunks: number } {
    const query =
      'SELECT count(*) AS documents, coalesce(sum(chunks), 0) AS chunks FROM documents WHERE assistant_id = ?';
    return this.queryOne<{ documents: number; chunks: number }>(query, assistantId);
  }

  idsOf(assistantId: string): string[] {
    return this.queryValues<string>('SELECT document_id FROM documents WHERE assistant_id = ?', assistantId);
  }

  delete(id: number): void {
    this.sql.exec('DELETE FROM documents WHERE id = ?', id);
  }

  noteRead(row: DocumentRow, read: ReadText, now: number): void {
    const nextAt = row.reread_hours === null || row.url === null ? null : now + row.reread_hours * hourMs;
    this.sql.exec(
      `UPDATE documents SET state = 'ready', error = NULL, attempts = 0, characters = ?, chunks = ?, pages = ?,
         sha256 = ?, read_at = ?, ring_at = ?, name = ? WHERE id = ?`,
      ...[read.characters, read.chunks.length, read.pages, read.sha256, now, nextAt],
      ...[row.name === row.url && read.title ? read.title.slice(0, 200) : row.name, row.id],
    );
  }

  /** It could not be read; what was read before stays. `againAt`: when it is tried again; null: no more. */
  noteFailure(row: DocumentRow, error: string, againAt: number | null, isPending: boolean): void {
    const state = isPending ? 'pending' : 'failed';
    this.sql.exec(
      'UPDATE documents SET state = ?, error = ?, attempts = attempts + 1, ring_at = ? WHERE id = ?',
      ...[state, error, againAt, row.id],
    );
  }

  /** It is to be read now, as if for the first time. */
  wantAgain(row: DocumentRow, now: number): void {
    this.sql.exec(
      "UPDATE documents SET state = 'pending', error = NULL, attempts = 0, ring_at = ? WHERE id = ?",
      now,
      row.id,
    );
  }

  /** When the first is due that nobody reads yet; null: there is none. */
  nextRingAt(underWay: readonly string[]): number | null {
    const query = `SELECT min(ring_at) FROM documents WHERE ring_at IS NOT NULL AND ${notIn}`;
    return this.queryValue<number>(query, JSON.stringify(underWay));
  }

  /** No wait is longer than it was meant to be: one that ends later was begun by a clock that went back since. */
  endWaitsOfOtherClock(now: number): void {
    this.sql.exec(
      `UPDATE documents SET ring_at = ?1 WHERE ring_at > ?1 +
         iif(state = 'pending', ?2, max(coalesce(reread_hours, 0) * ?3, ?4))`,
      ...[now, waitMsMax, hourMs, failedAgainMs],
    );
  }

  /** Those that are due and that nobody reads yet. They stay due until one of them is told what came of it. */
  takeDue(now: number, most: number, underWay: readonly string[]): string[] {
    return this.queryValues<string>(
      `UPDATE documents SET state = 'pending' WHERE id IN
           (SELECT id FROM documents WHERE ring_at <= ? AND ${notIn} ORDER BY ring_at LIMIT ?) RETURNING document_id`,
      ...[now, JSON.stringify(underWay), most],
    );
  }
}
