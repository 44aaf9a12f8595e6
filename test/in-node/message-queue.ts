import { randomUUID } from 'node:crypto';

export interface QueueSettings {
  queue: string;
  batchMax: number;
  retriesMax: number;
  retryDelaySeconds: number;
  deadLetters: string | null;
}

interface Sent {
  id: string;
  body: unknown;
  timestamp: Date;
  attempts: number;
}

interface Options {
  delaySeconds?: number;
}

/** The timers of the machine, whatever a test makes of them. */
const { setTimeout: later, clearTimeout: never } = globalThis;

/**
 * A queue with its consumer, as far as the product uses one: batches, delays, retries, dead letters. As on one machine, a batch
 * begins when the one before it is over.
 */
export class MessageQueue {
  readonly #settings: QueueSettings;
  readonly #consume: (batch: object) => Promise<void>;
  readonly #bury: (queue: string, body: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  #waiting: Sent[] = [];
  #isDelivering = false;

  constructor(
    settings: QueueSettings,
    consume: (batch: object) => Promise<void>,
    bury: (queue: string, body: unknown) => void,
  ) {
    this.#settings = settings;
    this.#consume = consume;
    this.#bury = bury;
  }

  /** What waits is forgotten. */
  clear(): void {
    for (const timer of this.#timers) never(timer);
    this.#timers.clear();
    this.#waiting = [];
    this.#isDelivering = false;
  }

  async send(body: unknown, { delaySeconds = 0 }: Options = {}): Promise<void> {
    const sent = { id: randomUUID(), body: structuredClone(body), timestamp: new Date(), attempts: 0 };
    this.#deliverIn(delaySeconds, sent);
  }

  async sendBatch(messages: Iterable<{ body: unknown } & Options>, all: Options = {}): Promise<void> {
    for (const { body, ...own } of messages) await this.send(body, { ...all, ...own });
  }

  #deliverIn(seconds: number, sent: Sent): void {
    const timer = later(() => {
      this.#timers.delete(timer);
      this.#waiting.push(sent);
      queueMicrotask(() => void this.#deliver());
    }, seconds * 1000);
    timer.unref();
    this.#timers.add(timer);
  }

  async #deliver(): Promise<void> {
    const { queue, batchMax } = this.#settings;
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax);
      const again = new Map<Sent, number | undefined>();
      const messages = batch.map((sent) => ({
        id: sent.id,
        body: sent.body,
        timestamp: sent.timestamp,
        attempts: sent.attempts + 1,
        ack: () => void again.delete(sent),
        retry: ({ delaySeconds }: Options = {}) => void again.set(sent, delaySeconds),
      }));
      const retryAll = ({ delaySeconds }: Options = {}) => {
        for (const sent of batch) again.set(sent, delaySeconds);
      };
      await this.#consume({ queue, messages, retryAll, ackAll: () => again.clear(), metadata: {} })
        .catch(() => retryAll())
        .then(() => {
          for (const [sent, delaySeconds] of again) this.#retry(sent, delaySeconds);
        });
    }
    this.#isDelivering = false;
  }

  #retry(sent: Sent, delaySeconds = this.#settings.retryDelaySeconds): void {
    const { retriesMax, deadLetters } = this.#settings;
    if (sent.attempts < retriesMax) this.#deliverIn(delaySeconds, { ...sent, attempts: sent.attempts + 1 });
    else if (deadLetters !== null) this.#bury(deadLetters, sent.body);
  }
}
