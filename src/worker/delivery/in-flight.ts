import { LRUCache } from 'lru-cache';

/** Attempts at one webhook at a time in one isolate: while it answers, and while it is slow. */
const perWebhookMax = 50;
const perSlowWebhookMax = 10;
/** Attempts of all webhooks at a time in one isolate: no new batch is taken while there are so many. */
const totalMax = 300;

/** How long a step that went to the queue sends the later ones of its message after it. */
const leftBehindMs = 2000;
const leftBehindMax = 10_000;

/** Webhooks whose usual time to answer is remembered. */
const answerTimesMax = 10_000;
/** The weight of the latest attempt in it. */
const latestWeight = 0.25;

/** Ends what was entered. */
type Leave = () => void;

interface Sequence {
  /** The event that has its turn, and all that stand in line, that one included. */
  underWay: string | null;
  waiting: Set<string>;
}

/**
 * The attempts that this isolate has under way, in memory: what goes on behind a batch that was handed back is seen
 * here by the next one. It is a brake and nothing else: no delivery is lost when it is forgotten.
 */
export class InFlight {
  readonly #deliveries = new Set<string>();
  readonly #sequences = new Map<string, Sequence>();
  readonly #perWebhook = new Map<string, number>();
  readonly #slowUntil = new Map<string, number>();
  readonly #leftBehind = new LRUCache<string, true>({ max: leftBehindMax, ttl: leftBehindMs });
  readonly #answerMs = new LRUCache<string, number>({ max: answerTimesMax });
  /** Attempts that go on behind their batch, by webhook. */
  readonly #behind = new Map<string, number>();

  /** Takes a delivery in; null when it is in already, or when its webhook has all the attempts that it may have. */
  enter(webhookId: string, deliveryId: string, slow: boolean): Leave | null {
    const underWay = this.#perWebhook.get(webhookId) ?? 0;
    if (this.#deliveries.has(deliveryId) || underWay >= (slow ? perSlowWebhookMax : perWebhookMax))
      return null;
    this.#deliveries.add(deliveryId);
    this.#perWebhook.set(webhookId, underWay + 1);
    return () => {
      this.#deliveries.delete(deliveryId);
      const left = (this.#perWebhook.get(webhookId) ?? 0) - 1;
      if (left > 0) this.#perWebhook.set(webhookId, left);
      else this.#perWebhook.delete(webhookId);
    };
  }

  has(deliveryId: string): boolean {
    return this.#deliveries.has(deliveryId);
  }

  /**
   * Lines up for a sequence (deliveries that must not overtake one another), by the id of its first event. `begin` is true
   * once nobody has the sequence under way and nobody with an older event waits for it; then it is ours until
   * `leave`. Call that also when the turn was not waited for.
   */
  lineUp(key: string, eventId: string): { begin(): boolean; leave: Leave } {
    const sequence = this.#sequences.get(key) ?? { underWay: null, waiting: new Set() };
    this.#sequences.set(key, sequence);
    sequence.waiting.add(eventId);
    return {
      begin: () => {
        if (sequence.underWay !== null) return sequence.underWay === eventId;
        for (const other of sequence.waiting) if (other < eventId) return false;
        sequence.underWay = eventId;
        return true;
      },
      leave: () => {
        sequence.waiting.delete(eventId);
        if (sequence.underWay === eventId) sequence.underWay = null;
        if (sequence.waiting.size === 0) this.#sequences.delete(key);
      },
    };
  }

  /** A delivery of this sequence went to the queue; for a moment, those after it should go there too. */
  leaveBehind(key: string): void {
    this.#leftBehind.set(key, true);
  }

  isLeftBehind(key: string): boolean {
    return this.#leftBehind.has(key);
  }

  /** An attempt was over after so many milliseconds. */
  noteAnswered(webhookId: string, afterMs: number): void {
    const before = this.#answerMs.get(webhookId) ?? afterMs;
    this.#answerMs.set(webhookId, before + (afterMs - before) * latestWeight);
  }

  /** How long attempts at this webhook take, lately; null when none was over yet. */
  usualAnswerMs(webhookId: string): number | null {
    return this.#answerMs.get(webhookId) ?? null;
  }

  /** An attempt goes on behind its batch, until what comes back is called. */
  goOnBehind(webhookId: string): Leave {
    this.#behind.set(webhookId, (this.#behind.get(webhookId) ?? 0) + 1);
    return () => {
      const left = (this.#behind.get(webhookId) ?? 0) - 1;
      if (left > 0) this.#behind.set(webhookId, left);
      else this.#behind.delete(webhookId);
    };
  }

  goesOnBehind(webhookId: string): boolean {
    return this.#behind.has(webhookId);
  }

  markSlow(webhookId: string, until: number): void {
    this.#slowUntil.set(webhookId, until);
  }

  isSlow(webhookId: string, now: number): boolean {
    const until = this.#slowUntil.get(webhookId);
    if (until === undefined || until > now) return until !== undefined;
    this.#slowUntil.delete(webhookId);
    return false;
  }

  get isFull(): boolean {
    return this.#deliveries.size >= totalMax;
  }
}

/** Of this isolate. */
export const inFlight = new InFlight();
