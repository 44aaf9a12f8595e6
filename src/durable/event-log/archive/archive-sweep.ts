import type { Retention } from '../../../contract/account-settings.ts';
import { endOfWait } from '../../due-times.ts';
import { log, logFault } from '../../log.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { LogState } from '../log-state.ts';
import { type ArchiveCalls, callMsMax, inTime } from './archive-calls.ts';
import type { ArchivedPasts } from './archived-pasts.ts';
import type { ArchivedRows, Slice, SliceLimits } from './archived-rows.ts';
import type { ConversationArchive } from './conversation-archive.ts';
import type { Fullness } from './fullness.ts';
import {
  type ConversationsDue,
  conversationsSince,
  dueByAge,
  dueForArchive,
  type OldestRows,
  type PastsDue,
} from './retention.ts';
import type { SegmentKind, SegmentRange, Segments } from './segments.ts';

/** Between two slices. */
const pauseMs = 200;
/** When nothing was found that may go. */
const restMs = 10 * 60_000;
/** When R2 or the entrypoint has failed. */
const retryMs = 60_000;

/** What keeps both halves of a slice, before it is written and after, below 100 ms. Tests make them small. */
export const archiveLimits: SliceLimits = { rowsMax: 2_000, charactersMax: 4_000_000 };

/** Where the slice that is being written is noted, so that a crash leaves nothing in R2 that nobody knows of. */
const underWay = 'archive.slice';

const noneYet: OldestRows = { events: null, messages: null, pasts: null, conversations: null };

interface ArchiveSweepParts {
  storage: DurableObjectStorage;
  state: LogState;
  segments: Segments;
  fullness: Fullness;
  rows: Record<SegmentKind, ArchivedRows>;
  pasts: ArchivedPasts;
  conversations: ConversationArchive;
  calls: ArchiveCalls;
  retention: () => Retention;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/**
 * Moves rows that are too old, or too many, from the tables to R2, a slice at a time. A slice is first written to R2, then
 * recorded and deleted here in one transaction. After a crash in between, the same segment is written again.
 */
export class ArchiveSweep {
  readonly #parts: ArchiveSweepParts;
  #restUntil = 0;
  #oldest: OldestRows = noneYet;

  constructor(parts: ArchiveSweepParts) {
    this.#parts = parts;
  }

  dueAt(): number | null {
    const { fullness, retention } = this.#parts;
    const due = fullness.pressure === 'none' ? dueByAge(retention(), this.#oldestAt()) : 0;
    return due === null ? null : Math.max(due, endOfWait(this.#restUntil, Math.max(restMs, callMsMax)));
  }

  /** Archives one slice, if there is one. Nothing of it is lost or doubled where it ends in between. */
  async run(now: number): Promise<void> {
    // While this runs, and no call takes longer.
    this.#restUntil = now + callMsMax;
    try {
      const hasMoved = await this.#step(now);
      if (hasMoved) this.#parts.conversations.lookAgain();
      else this.#parts.fullness.foundNothing();
      this.#restUntil = Date.now() + (hasMoved ? pauseMs : restMs);
    } catch (error) {
      logFault('archive.failed', error);
      this.#restUntil = Date.now() + retryMs;
    }
    this.#oldest = noneYet;
  }

  /** Asked after every change, so what was found is remembered. */
  #oldestAt(): OldestRows {
    const { rows, pasts, conversations, retention } = this.#parts;
    const now = Date.now();
    const { events, messages, pasts: past, conversations: conversation } = this.#oldest;
    this.#oldest = {
      events: events ?? rows.events.oldestAt(),
      messages: messages ?? rows.messages.oldestAt(),
      pasts: past ?? pasts.oldestAt(),
      conversations: conversation ?? conversations.oldestAt(conversationsSince(retention(), now), now),
    };
    return this.#oldest;
  }

  /** False: nothing may go. */
  async #step(now: number): Promise<boolean> {
    const { state, rows, retention, fullness } = this.#parts;
    const begun = state.get<Slice>(underWay);
    if (begun !== null) return this.#archive(begun);
    for (const due of dueForArchive(retention(), now, fullness.pressure)) {
      if (due.kind === 'pasts' || due.kind === 'conversations') {
        const moved = await this.#move(due);
        if (moved === 0) continue;
        log('archive.written', { kind: due.kind, conversations: moved });
        return true;
      }
      const slice = rows[due.kind].next(due, archiveLimits);
      if (slice !== null) return this.#archive(slice);
    }
    return false;
  }

  #move(due: PastsDue | ConversationsDue): Promise<number> {
    const { pasts, conversations } = this.#parts;
    return due.kind === 'pasts' ? pasts.move(due, archiveLimits) : conversations.move(due.before);
  }

  async #archive(slice: Slice): Promise<true> {
    const { state, rows, calls } = this.#parts;
    const { range, isAddition } = slice;
    // Also when it is noted already: an object that was replaced meanwhile cannot store it, and then calls nobody.
    state.put(underWay, slice);
    const lines = rows[range.kind].lines(range);
    const text = lines.join('\n');
    const call = isAddition ? calls.addMessages(range.key, text) : calls.put(range.key, text);
    const bytes = await inTime(call);
    const { kind, first, last } = range;
    const isStored = this.#settle(range, lines, bytes);
    log('archive.written', { kind, first, last, rows: lines.length, bytes, isStored });
    return true;
  }

  /** Deletes what was written, and nothing when it has changed meanwhile: then the slice is written again. */
  #settle(range: SegmentRange, lines: readonly string[], bytes: number): boolean {
    const { storage, state, segments, reload } = this.#parts;
    const rows = this.#parts.rows[range.kind];
    const settle = () => {
      if (rows.lines(range).join('\n') !== lines.join('\n')) return false;
      segments.note(range, bytes, lines.length);
      rows.delete(range);
      state.put(underWay, null);
      return true;
    };
    return inTransaction(storage, settle, reload);
  }
}
