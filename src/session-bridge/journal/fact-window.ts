import { unacknowledgedBytesMax, unacknowledgedFramesMax } from '../../contract/bridge/bridge-frames.ts';

interface SentFrame {
  seq: number;
  bytes: number;
  sentAtMs: number;
}

/**
 * The frames that this link has carried and the edge has not acknowledged, oldest first. It bounds them, and knows when the
 * oldest is to be sent again. If the edge acknowledges a repeat, it may have lost the later frames too. They are then repeated
 * one after the other, and nothing new is sent until all are acknowledged.
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
