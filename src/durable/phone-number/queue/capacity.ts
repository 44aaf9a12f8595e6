import { isAction } from '../../../contract/messages/actions.ts';
import type { Device } from '../device/device.ts';
import type { SenderHealth } from '../health/sender-health.ts';
import type { NumberState } from '../number-state.ts';
import { dayLimit, queueLimit, ratePerMinute, sentOn } from '../pacing/pacing.ts';
import type { SenderPace } from '../pacing/sender-pace.ts';
import type { Queue } from './queue.ts';

/** What the number can take from its account. */
export class Capacity {
  readonly #queue: Queue;
  readonly #pace: SenderPace;
  readonly #health: SenderHealth;

  constructor(queue: Queue, pace: SenderPace, health: SenderHealth) {
    this.#queue = queue;
    this.#pace = pace;
    this.#health = health;
  }

  /** Messages that it takes now; 0 while it could not send them. */
  room(device: Device, now: number): number {
    const { rest, isOnTrial } = this.#health.at(now);
    const canSend = device.state === 'connected' && device.removedAt === null && rest === null;
    if (!canSend || ratePerMinute(this.#pace.pacing, isOnTrial, now) === 0) return 0;
    return Math.max(0, this.limit(now) - this.#queue.all.length);
  }

  /** Messages that it keeps at a time. */
  limit(now: number): number {
    return queueLimit(this.#pace.pacing, this.#health.at(now).isOnTrial);
  }

  /** Messages that it may still begin today, what waits already counted off; null without a limit. */
  dailyRemaining(device: Device, now: number): number | null {
    const { pacing } = this.#pace;
    const { limit } = dayLimit(pacing, device.pairedAt ?? device.connectedAt, now);
    if (limit === null) return null;
    const sent = sentOn(this.#pace.at(now), pacing, now);
    const waiting = this.#queue.unhanded.filter(({ content }) => !isAction(content));
    return Math.max(0, limit - sent - waiting.length);
  }
}

interface StoredBatches {
  takenUpTo: number;
  isRoomOwed: boolean;
}

/** Which batches of its account the number has taken. It remembers that for good: a late repeat must change nothing. */
export class Batches {
  readonly #state: NumberState;
  #stored: StoredBatches = { takenUpTo: 0, isRoomOwed: false };

  constructor(state: NumberState) {
    this.#state = state;
    this.reload();
  }

  /** The last batch that was taken; 0 before the first. */
  get takenUpTo(): number {
    return this.#stored.takenUpTo;
  }

  /** The account was told that there is no room, and waits to hear that there is some again. */
  get isRoomOwed(): boolean {
    return this.#stored.isRoomOwed;
  }

  /** Call in the transaction that stores the batch, or what has become of it. */
  noteTaken(batchNumber: number): void {
    this.#keep({ ...this.#stored, takenUpTo: batchNumber });
  }

  /** The account is being told that there is so much room. */
  noteRoomTold(room: number): void {
    const isRoomOwed = room === 0;
    if (isRoomOwed !== this.#stored.isRoomOwed) this.#keep({ ...this.#stored, isRoomOwed });
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#stored = this.#state.get<StoredBatches>('batches') ?? { takenUpTo: 0, isRoomOwed: false };
  }

  #keep(stored: StoredBatches): void {
    this.#stored = stored;
    this.#state.put('batches', stored);
  }
}
