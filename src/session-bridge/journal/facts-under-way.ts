import {
  type NumberFact,
  unacknowledgedBytesMax,
  unacknowledgedFramesMax,
} from '../../contract/bridge/bridge-frames.ts';
import type { JournalDatabase } from './database.ts';

interface SentFrame {
  seq: number;
  bytes: number;
  sentAtMs: number;
}

/**
 * The frames that were sent over this link and that the edge has not acknowledged, oldest first. It limits them, and knows
 * when the oldest is to be sent again. If the edge acknowledges a repeat, it may have lost the later frames too. These are
 * then repeated one by one, and nothing new is sent until all are acknowledged.
 */
export class FactWindow {
  readonly #repeatAfterMs: number;
  #sent: SentFrame[] = [];
  #bytes = 0;
  /** Since when what is under way is being repeated; null while it is not. */
  #repeatBeganAtMs: number | null = null;

  constructor(repeatAfterMs: number) {
    this.#repeatAfterMs = repeatAfterMs;
  }

  /** The newest frame under way; 0 for none. */
  get lastSeq(): number {
    return this.#sent.at(-1)?.seq ?? 0;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  /** A frame that is larger than the window still goes alone. */
  hasRoomFor(bytes: number): boolean {
    if (this.isEmpty) return true;
    if (this.#repeatBeganAtMs !== null) return false;
    return this.#sent.length < unacknowledgedFramesMax && this.#bytes + bytes <= unacknowledgedBytesMax;
  }

  sent(seq: number, bytes: number, nowMs: number): void {
    this.#sent.push({ seq, bytes, sentAtMs: nowMs });
    this.#bytes += bytes;
  }

  /** The edge has everything up to `seq`. */
  acknowledged(seq: number): void {
    this.#keep((frame) => frame.seq > seq);
  }

  /** The edge does not want this one. */
  refused(seq: number): void {
    this.#keep((frame) => frame.seq !== seq);
  }

  /** When the oldest frame is to be sent again; null when none is under way. */
  repeatDueAtMs(): number | null {
    const [oldest] = this.#sent;
    return oldest ? oldest.sentAtMs + this.#repeatAfterMs : null;
  }

  /** The frame that is to be sent again now; null for none. */
  takeRepeat(nowMs: number): number | null {
    const [oldest] = this.#sent;
    if (!oldest) return null;
    const isDue = nowMs >= oldest.sentAtMs + this.#repeatAfterMs;
    const isNext = this.#repeatBeganAtMs !== null && oldest.sentAtMs < this.#repeatBeganAtMs;
    if (!isDue && !isNext) return null;
    this.#repeatBeganAtMs ??= nowMs;
    oldest.sentAtMs = nowMs;
    return oldest.seq;
  }

  clear(): void {
    this.#sent = [];
    this.#bytes = 0;
    this.#repeatBeganAtMs = null;
  }

  #keep(isKept: (frame: SentFrame) => boolean): void {
    this.#sent = this.#sent.filter(isKept);
    this.#bytes = this.#sent.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.isEmpty) this.#repeatBeganAtMs = null;
  }
}

const factsMax = 1_000;
const charactersMax = 16 * 1024 * 1024;

/**
 * Facts that the edge will never accept are set aside, so that later ones can be sent. The newest are kept for whoever
 * investigates, and none is sent.
 */
export class ParkedFacts {
  readonly #db: JournalDatabase;

  constructor(db: JournalDatabase) {
    this.#db = db;
  }

  /** Moves the rows of a frame here. Answers how many there were, and of which kind. */
  park(numberId: string, frame: number, reason: string): { rows: number; kind: string | null } {
    return this.#db.transaction(() => {
      const where = 'number_id = ? AND frame = ?';
      this.#db.run(
        `INSERT INTO parked_facts (at, number_id, kind, reason, body)
         SELECT ?, number_id, kind, ?, body FROM facts WHERE ${where} ORDER BY seq`,
        Date.now(),
        reason,
        numberId,
        frame,
      );
      const gone = this.#db.changeReturning<{ kind: string }>(
        `DELETE FROM facts WHERE ${where} RETURNING kind`,
        numberId,
        frame,
      );
      this.#dropOldest();
      return { rows: gone.length, kind: gone[0]?.kind ?? null };
    });
  }

  #dropOldest(): void {
    this.#db.run(
      `DELETE FROM parked_facts WHERE id IN (
         SELECT id FROM (
           SELECT id, sum(length(body)) OVER newest AS characters, row_number() OVER newest AS facts
           FROM parked_facts WINDOW newest AS (ORDER BY id DESC)
         ) WHERE characters > ? OR facts > ?)`,
      charactersMax,
      factsMax,
    );
  }
}

/** What the network says again to the number's next login, as long as it is not acknowledged. */
const repeatedByNetwork: readonly NumberFact['type'][] = [
  'inbound',
  'receipts',
  'changes',
  'calls',
  'group.notice',
];

/** Whether the network would repeat what this fact tells, were it not acknowledged. */
export function isRepeatedByNetwork(kind: NumberFact['type']): boolean {
  return repeatedByNetwork.includes(kind);
}

/**
 * Delays acknowledgements to the network until the edge has stored everything that was received before. So if this bridge and
 * its disk are lost, the network still has the data. A fact delays them for `holdMs` milliseconds at most; after that it is
 * enough that the fact is on disk.
 */
export class UnstoredFacts {
  readonly #holdMs: number;
  /** Facts in the order in which they were heard: when they cease to hold anything up, by `performance.now()`. */
  readonly #heldUntilMs = new Map<number, number>();
  /** The number of a fact by its row in the journal: a row may be rewritten, but the fact keeps its place. */
  readonly #placeOfRow = new Map<number, number>();
  #lastPlace = 0;
  /** What waits, in order, each for the facts up to a place. */
  #waiting: { place: number; action: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(holdMs: number) {
    this.#holdMs = holdMs;
  }

  /** `holdMs`: where the fact holds up the network for another time. */
  heard(row: number, holdMs = this.#holdMs): void {
    this.#lastPlace += 1;
    this.#placeOfRow.set(row, this.#lastPlace);
    this.#heldUntilMs.set(this.#lastPlace, performance.now() + holdMs);
    this.#awaitTimeout();
  }

  /** The fact is in another row now. */
  moved(row: number, newRow: number): void {
    const place = this.#placeOfRow.get(row);
    if (place === undefined) return;
    this.#placeOfRow.delete(row);
    this.#placeOfRow.set(newRow, place);
  }

  /** The edge has these. */
  stored(rows: readonly number[]): void {
    for (const row of rows) {
      const place = this.#placeOfRow.get(row);
      if (place === undefined) continue;
      this.#placeOfRow.delete(row);
      this.#heldUntilMs.delete(place);
    }
    this.#release();
  }

  /** Runs the action behind those before it, once everything heard so far is stored or has had its time. */
  afterStored(action: () => void): void {
    if (this.#heldUntilMs.size === 0) action();
    else this.#waiting.push({ place: this.#lastPlace, action });
  }

  #release(): void {
    const firstHeld = this.#heldUntilMs.keys().next().value ?? Number.POSITIVE_INFINITY;
    const free = this.#waiting.findIndex(({ place }) => place >= firstHeld);
    const released = this.#waiting.splice(0, free === -1 ? this.#waiting.length : free);
    for (const { action } of released) action();
    // Of those that are left the first may have less time than those before it had.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#awaitTimeout();
  }

  #awaitTimeout(): void {
    const [heldUntilMs] = this.#heldUntilMs.values();
    if (this.#timer || heldUntilMs === undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#giveUp(performance.now());
        this.#release();
      },
      Math.max(1, heldUntilMs - performance.now()),
    );
  }

  #giveUp(nowMs: number): void {
    for (const [place, heldUntilMs] of this.#heldUntilMs) {
      if (heldUntilMs > nowMs) break;
      this.#heldUntilMs.delete(place);
    }
    for (const [row, place] of this.#placeOfRow)
      if (!this.#heldUntilMs.has(place)) this.#placeOfRow.delete(row);
  }
}
