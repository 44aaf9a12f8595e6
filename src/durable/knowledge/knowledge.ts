import { accountChunksMax } from '../../contract/assistants/document.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { sendWakeUps } from '../hand-over/send-wake-ups.ts';
import { log } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { TimedObject } from '../timed-object.ts';
import {
  type DocumentRow,
  DocumentRows,
  documentOf,
  type KnowledgeDocument,
  type NewDocument,
  type Passage,
  type ReadOutcome,
  type ReadText,
} from './document.ts';
import { knowledgeMigrations } from './migrations.ts';
import { Passages } from './passages.ts';
import { type Meaning, Vectors, type VectorsDone, type VectorWakeUp, type VectorWork } from './vectors.ts';

/** A message of the queue `assistants`: this document is to be read. */
export interface DocumentWakeUp {
  kind: 'document';
  accountId: string;
  documentId: string;
}

/** Documents of one assistant. */
const documentsMax = 1_000;
/** A read that nobody has told of after so long is asked for again. */
const missedMs = 5 * 60_000;
/** Milliseconds before a page that could not be had for the moment is asked for again; then it has failed. */
const waitsMs = [30_000, 5 * 60_000];
/** A page that has failed is looked at again with the next scheduled read, or after this. */
const failedAgainMs = 6 * 3_600_000;
const wakeUpsMax = 50;

/**
 * The knowledge of one account's assistants: documents, cut into pieces, and an index of their words, all in SQLite. For
 * documents at a URL, this object says when to read them; they are read outside of it.
 */
export class Knowledge extends TimedObject {
  readonly #rows: DocumentRows;
  readonly #passages: Passages;
  readonly #vectors: Vectors;
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, knowledgeMigrations);
    this.#rows = new DocumentRows(ctx.storage.sql);
    this.#passages = new Passages(ctx.storage.sql);
    this.#vectors = new Vectors(ctx.storage.sql);
    this.timers = new NamedTimers(ctx.storage, [
      { name: 'reading', dueAt: () => this.#rows.nextRingAt(), run: (now) => this.#ring(now) },
      {
        name: 'vectors',
        dueAt: () => (this.#hasIndex ? this.#vectors.nextRingAt() : null),
        run: (now) => this.#ringForVectors(now),
      },
    ]);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /** Takes a document; one with a URL is read soon. To repeat it changes nothing. */
  async add(
    accountId: string,
    document: NewDocument,
    read: ReadText | null,
  ): Promise<KnowledgeDocument | Refusal> {
    const now = Date.now();
    const { storage } = this.ctx;
    const added = storage.transactionSync((): KnowledgeDocument | Refusal => {
      this.#noteAccount(accountId);
      const known = this.#rows.find(document.documentId);
      if (known !== null) return documentOf(known);
      if (this.#rows.idsOf(document.assistantId).length >= documentsMax) {
        return refuse('CONFLICT', `An assistant can have at most ${documentsMax} documents.`);
      }
      if (read !== null && this.#passages.count + read.chunks.length > accountChunksMax) return tooMuch;
      this.#rows.insert(document, now);
      const row = this.#rows.find(document.documentId);
      if (row === null) throw new Error('a document that was stored is not there');
      if (read !== null) {
        this.#replace(row, read);
        this.#rows.noteRead(row, read, now);
      }
      return documentOf(this.#rows.find(document.documentId) ?? row);
    });
    if (document.url !== null && !('ok' in added)) await this.#ring(now);
    this.timers.arm();
    return added;
  }

  find(documentId: string): KnowledgeDocument | null {
    const row = this.#rows.find(documentId);
    return row && documentOf(row);
  }

  /** Newest first, one more than `limit` where there are more. */
  documents(assistantId: string, limit: number, before: string | null): KnowledgeDocument[] {
    return this.#rows.page(assistantId, limit, before);
  }

  /** How much each of these assistants knows. */
  summary(assistantIds: readonly string[]): Record<string, { documents: number; chunks: number }> {
    return Object.fromEntries(assistantIds.map((id) => [id, this.#rows.summaryOf(id)]));
  }

  /** What is to be read for a wake-up; null when there is nothing to do. */
  wanted(documentId: string): { kind: 'url' | 'sitemap'; url: string } | null {
    const row = this.#rows.find(documentId);
    if (row === null || row.url === null || row.state !== 'pending') return null;
    return { kind: row.kind === 'sitemap' ? 'sitemap' : 'url', url: row.url };
  }

  /** What came of reading it. What is the same as before is not written again. */
  settle(documentId: string, outcome: ReadOutcome): void {
    const row = this.#rows.find(documentId);
    if (row === null) return;
    const now = Date.now();
    const failedAgainAt = row.reread_hours === null ? null : now + failedAgainMs;
    this.ctx.storage.transactionSync(() => {
      if (!outcome.ok) {
        const wait = outcome.isPassing ? waitsMs[row.attempts] : undefined;
        const againAt = wait === undefined ? failedAgainAt : now + wait;
        this.#rows.noteFailure(row, outcome.error, againAt, wait !== undefined);
        return;
      }
      const { read } = outcome;
      const isSame = read.sha256 === row.sha256;
      if (!isSame && this.#passages.count - row.chunks + read.chunks.length > accountChunksMax) {
        this.#rows.noteFailure(row, tooMuch.message, failedAgainAt, false);
        return;
      }
      if (!isSame) this.#replace(row, read);
      this.#rows.noteRead(row, read, now);
    });
    this.timers.arm();
    log('knowledge.read', {
      documentId,
      ok: outcome.ok,
      chunks: outcome.ok ? outcome.read.chunks.length : 0,
    });
  }

  /** Reads a document that lies at a URL again, now. Null: there is no such document. */
  async readAgain(documentId: string): Promise<KnowledgeDocument | Refusal | null> {
    const row = this.#rows.find(documentId);
    if (row === null) return null;
    if (row.url === null)
      return refuse('CONFLICT', 'It was uploaded as a file: there is no URL to fetch it from again.');
    const now = Date.now();
    this.ctx.storage.transactionSync(() => this.#rows.wantAgain(row, now));
    await this.#ring(now);
    this.timers.arm();
    return this.find(documentId);
  }

  /** False: there is no such document. */
  remove(documentId: string): boolean {
    const row = this.#rows.find(documentId);
    if (row === null) return false;
    this.ctx.storage.transactionSync(() => {
      this.#vectors.gone(row.id);
      this.#passages.remove(row.id);
      this.#rows.delete(row.id);
    });
    this.timers.arm();
    return true;
  }

  /** The assistant is gone, in D1 already. */
  removeOf(assistantId: string): void {
    for (const documentId of this.#rows.idsOf(assistantId)) this.remove(documentId);
    this.setEmbedder(assistantId, null);
  }

  /** The pieces that fit best, the best first. `nearest`: vectors that are near to the question, the nearest first. */
  search(assistantId: string, words: string, limit: number, nearest: readonly number[] = []): Passage[] {
    const pieces = nearest.length === 0 ? [] : this.#vectors.pieces(assistantId, nearest);
    return this.#passages.search(assistantId, words, limit, pieces);
  }

  /** What makes the vectors of an assistant from now on; null: nothing does. To repeat it changes nothing. */
  setEmbedder(assistantId: string, name: string | null): void {
    if (this.#vectors.hasEmbedder(assistantId, name)) return;
    this.ctx.storage.transactionSync(() => this.#vectors.setEmbedder(assistantId, name));
    this.timers.arm();
  }

  /** How much of what these assistants know can be found by its meaning; null: nothing of it. */
  meaning(assistantIds: readonly string[]): Record<string, Meaning | null> {
    return Object.fromEntries(assistantIds.map((id) => [id, this.#vectors.meaning(id)]));
  }

  /** What is to be done in the index of meanings; null: nothing, or somebody does it. */
  takeVectorWork(): VectorWork | null {
    const work = this.ctx.storage.transactionSync(() => this.#vectors.lease(Date.now()));
    this.timers.arm();
    return work;
  }

  /** What came of it; vectors that have to go from the index at once, since nobody here knows of them any more. */
  vectorWorkDone(lease: string, assistantId: string | null, outcome: VectorsDone): number[] {
    const orphans = this.ctx.storage.transactionSync(() =>
      this.#vectors.done(lease, assistantId, outcome, Date.now()),
    );
    this.timers.arm();
    return orphans;
  }

  /** Whether the deployment has an index of meanings. */
  get #hasIndex(): boolean {
    return (this.env as { VECTORIZE?: unknown }).VECTORIZE !== undefined;
  }

  #replace(row: DocumentRow, { chunks }: ReadText): void {
    this.#vectors.gone(row.id);
    this.#passages.replace(row.id, row.assistant_id, chunks);
    this.#vectors.added(row.id);
  }

  async #ringForVectors(now: number): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#vectors.noteRing(now));
    const wakeUp: VectorWakeUp = { kind: 'vectors', accountId: this.#accountId() };
    await sendWakeUps(this.env.ASSISTANTS, [wakeUp]);
  }

  async #ring(now: number): Promise<void> {
    const due = this.ctx.storage.transactionSync(() => this.#rows.takeDue(now, now + missedMs, wakeUpsMax));
    const accountId = this.#accountId();
    const wakeUps = due.map((documentId): DocumentWakeUp => ({ kind: 'document', accountId, documentId }));
    await sendWakeUps(this.env.ASSISTANTS, wakeUps);
  }

  /** The platform may not know the object's name when an alarm wakes it, so it is kept. */
  #noteAccount(accountId: string): void {
    this.ctx.storage.sql.exec("INSERT OR IGNORE INTO knowledge_state VALUES ('account', ?)", accountId);
  }

  #accountId(): string {
    const query = "SELECT value FROM knowledge_state WHERE name = 'account'";
    return this.ctx.storage.sql.exec<{ value: string }>(query).toArray()[0]?.value ?? '';
  }
}

const tooMuch = refuse(
  'CONFLICT',
  `The documents of an account can have at most ${accountChunksMax} chunks in total.`,
);
