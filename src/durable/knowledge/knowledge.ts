import { accountChunksMax } from '../../contract/assistants/document.ts';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { LongCalls } from '../hand-over/long-calls.ts';
import { log } from '../log.ts';
import { NamedTimers } from '../named-timers.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { TimedObject } from '../timed-object.ts';
import {
  type DocumentRow,
  DocumentRows,
  documentOf,
  failedAgainMs,
  type KnowledgeDocument,
  type NewDocument,
  type Passage,
  type ReadOutcome,
  type ReadText,
  waitsMs,
} from './document.ts';
import { knowledgeMigrations } from './migrations.ts';
import { Passages } from './passages.ts';
import { leaseMs, lostWork, type Meaning, Vectors, type VectorsDone, type VectorWork } from './vectors.ts';

/** Documents of one assistant. */
const documentsMax = 1_000;
/** Documents of one account that are read at a time. */
const readsAtOnceMax = 6;
/** All pages of a sitemap are read in less. */
const readMsMax = 10 * 60_000;

/**
 * The knowledge of one account's assistants: documents, cut into pieces, and an index of their words, all in SQLite. Calls of
 * the Worker read the documents that are at a URL, and bring the vectors of pieces into the index of meanings. Only the rows
 * count: a document that is being read when the object ends is read again.
 */
export class Knowledge extends TimedObject {
  readonly #rows: DocumentRows;
  readonly #passages: Passages;
  readonly #vectors: Vectors;
  readonly #reads: LongCalls<string>;
  readonly #vectorCalls: LongCalls<VectorWork>;
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, knowledgeMigrations);
    this.#rows = new DocumentRows(ctx.storage.sql);
    this.#passages = new Passages(ctx.storage.sql);
    this.#vectors = new Vectors(ctx.storage.sql);
    const shared = {
      waitUntil: (work: Promise<void>) => ctx.waitUntil(work),
      freed: () => this.timers.arm(),
    };
    this.#reads = new LongCalls({
      ...{ ...shared, name: 'reads under way', atOnceMax: readsAtOnceMax, callMsMax: readMsMax },
      call: (documentId) => this.#read(documentId),
      failed: (documentId) => this.settle(documentId, unread),
    });
    this.#vectorCalls = new LongCalls({
      // The leases bound them: one for each assistant, and one for what is to be removed.
      ...{ ...shared, name: 'vectors under way', atOnceMax: Number.POSITIVE_INFINITY, callMsMax: leaseMs },
      call: async (work) =>
        this.#vectorWorkDone(work, await ctx.exports.KnowledgeRunner.bringVectors(this.#accountId(), work)),
      failed: (work) => this.#vectorWorkDone(work, lostWork(work)),
    });
    this.timers = new NamedTimers(ctx.storage, [
      {
        name: 'reading',
        dueAt: () => (this.#reads.room > 0 ? this.#rows.nextRingAt(this.#reads.underWay) : null),
        run: (now) => this.#beginReads(now),
        clockWentBack: (now) => this.#rows.endWaitsOfOtherClock(now),
      },
      {
        name: 'vectors',
        dueAt: () => (this.#hasIndex ? this.#vectors.nextRingAt() : null),
        run: (now) => this.#beginVectors(now),
      },
      this.#reads.timer,
      this.#vectorCalls.timer,
    ]);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /** Takes a document; one with a URL is read soon. To repeat it changes nothing. */
  add(accountId: string, document: NewDocument, read: ReadText | null): KnowledgeDocument | Refusal {
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
    if (document.url !== null && !('ok' in added)) this.#beginReads(now);
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
  readAgain(documentId: string): KnowledgeDocument | Refusal | null {
    const row = this.#rows.find(documentId);
    if (row === null) return null;
    if (row.url === null)
      return refuse('CONFLICT', 'It was uploaded as a file: there is no URL to fetch it from again.');
    const now = Date.now();
    this.ctx.storage.transactionSync(() => this.#rows.wantAgain(row, now));
    this.#beginReads(now);
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

  /**
   * What makes the vectors of an assistant from now on; null: nothing does. To repeat it changes nothing, unless its provider
   * `isNew`: then it is asked at once, whatever came of it before.
   */
  setEmbedder(assistantId: string, name: string | null, isNew = false): void {
    if (this.#vectors.hasEmbedder(assistantId, name) && !isNew) return;
    this.ctx.storage.transactionSync(() => {
      this.#vectors.setEmbedder(assistantId, name);
      if (isNew) this.#vectors.askAgain(assistantId);
    });
    this.timers.arm();
  }

  /** How much of what these assistants know can be found by its meaning; null: nothing of it. */
  meaning(assistantIds: readonly string[]): Record<string, Meaning | null> {
    return Object.fromEntries(assistantIds.map((id) => [id, this.#vectors.meaning(id)]));
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

  #beginReads(now: number): void {
    const { room, underWay } = this.#reads;
    this.#reads.begin(
      this.ctx.storage.transactionSync(() => this.#rows.takeDue(now, room, underWay)),
      now,
    );
  }

  async #read(documentId: string): Promise<void> {
    const { kind, url } = this.#rows.find(documentId) ?? {};
    if (!url) return;
    const outcome = await this.ctx.exports.KnowledgeRunner.read(kind === 'sitemap' ? 'sitemap' : 'url', url);
    this.settle(documentId, outcome);
  }

  #beginVectors(now: number): void {
    const lease = () => this.ctx.storage.transactionSync(() => this.#vectors.lease(now));
    for (let work = lease(); work !== null; work = lease()) this.#vectorCalls.begin([work], now);
  }

  #vectorWorkDone(work: VectorWork, outcome: VectorsDone): void {
    this.ctx.storage.transactionSync(() => this.#vectors.done(work, outcome, Date.now()));
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

/** After a fault of ours, and of a call that is lost. */
const unread = { ok: false, error: 'The document could not be read.', isPassing: true } as const;

const tooMuch = refuse(
  'CONFLICT',
  `The documents of an account can have at most ${accountChunksMax} chunks in total.`,
);
