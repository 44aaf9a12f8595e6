import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalRun } from '../bridge-side/local-run.ts';

const sendPatienceMs = 120_000;
const retryEveryMs = 250;
/** Numbers take turns: what rests for a shift is idle long enough for its object to be evicted. */
const shiftMs = 30_000;
/** One text received for every so many sent. */
const textsPerReply = 4;
export const messagesPerText = 1 + 1 / textsPerReply;

export interface SoakNumber {
  phone: string;
  numberId: string;
  apiKey: string;
}

/** Steady traffic in both directions, and what was promised by it. */
export class Traffic {
  /** Message ids of accepted texts, by text. */
  readonly accepted = new Map<string, string>();
  /** Texts that the network has taken from phones for our numbers. */
  readonly taken = new Set<string>();
  readonly problems: string[] = [];
  /** Answers to sends that were no 202, by status; 0 for none at all. */
  readonly #others = new Map<number, number>();
  readonly #run: LocalRun;
  readonly #numbers: readonly SoakNumber[];
  readonly #recipients: readonly string[];
  readonly #underWay = new Set<Promise<void>>();

  constructor(run: LocalRun, numbers: readonly SoakNumber[], recipients: readonly string[]) {
    this.#run = run;
    this.#numbers = numbers;
    this.#recipients = recipients;
  }

  /** In words, for the report. */
  get otherAnswers(): string {
    const said = [...this.#others].map(([status, count]) => `${status || 'no answer'}: ${count}`);
    return `other answers: ${said.join(', ') || 'none'}`;
  }

  /** Sends so many texts and receives a quarter of that, evenly, until the time; then waits for the last answers. */
  async flow(perSecond: number, untilMs: number): Promise<void> {
    const startedAt = Date.now();
    for (let index = 0; Date.now() < untilMs; index += 1) {
      const number = this.#onShift(index, Date.now() - startedAt);
      const recipient = this.#recipients[index % this.#recipients.length] ?? '';
      this.#start(this.#send(number, recipient));
      if (index % textsPerReply === 0) this.#start(this.#receive(number, recipient));
      await delay(Math.max(0, startedAt + ((index + 1) * 1000) / perSecond - Date.now()));
    }
    await Promise.all(this.#underWay);
  }

  #onShift(index: number, sinceStartMs: number): SoakNumber {
    const half = this.#numbers.length / 2;
    const shift = Math.floor(sinceStartMs / shiftMs) % 2;
    const number = this.#numbers[shift * half + (index % half)];
    if (!number) throw new Error('There are no numbers.');
    return number;
  }

  #start(work: Promise<void>): void {
    const tracked = work
      .catch((error: Error) => void this.problems.push(error.message))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** As a careful customer does: the same request under the same key until it is accepted. */
  async #send({ apiKey }: SoakNumber, to: string): Promise<void> {
    const text = `soak ${randomUUID()}`;
    const idempotencyKey = randomUUID();
    const deadline = Date.now() + sendPatienceMs;
    let last = 'no answer';
    while (Date.now() < deadline) {
      const response = await fetch(`${this.#run.baseUrl}/v1/messages/send`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': apiKey,
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ to, text }),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null);
      const answer = await response?.text().catch(() => null);
      if (response?.status === 202 && answer) {
        this.accepted.set(text, JSON.parse(answer).messageId);
        return;
      }
      last = `${response?.status ?? 'no answer'} ${answer ?? ''}`;
      const status = response?.status ?? 0;
      this.#others.set(status, (this.#others.get(status) ?? 0) + 1);
      await delay(retryEveryMs);
    }
    throw new Error(`A text was not accepted within ${sendPatienceMs / 1000} s: ${last}`);
  }

  async #receive({ phone }: SoakNumber, from: string): Promise<void> {
    const text = `reply ${randomUUID()}`;
    await this.#run.simulator('POST', `/admin/phones/${from}/messages`, { to: phone, text });
    this.taken.add(text);
  }
}
