import { evictAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { defaultPacing } from '../../src/contract/sender-settings.ts';
import type { Account } from '../../src/durable/account/account.ts';
import type { SendAnswer } from '../../src/durable/account/admission-types.ts';
import { addSenders, newAccount, senderReport, sendRequest, standInVerbs } from './account-fixture.ts';
import { phoneNumber } from './fake-bridge.ts';
import { until } from './until.ts';

let recipients = 0;
const newRecipient = () => `62${(8_200_000_000 + recipients++).toString()}`;

/** Numbers that count what they take, and answer and report late. */
class SlowNumbers {
  readonly #given: { numberId: string; messageId: string }[] = [];
  readonly #limits: ReadonlyMap<string, number>;
  readonly #taken = new Map<string, number>();
  readonly #seed: () => number;
  #stamp = 1;

  constructor(limits: ReadonlyMap<string, number>, seed: () => number) {
    this.#limits = limits;
    this.#seed = seed;
  }

  async standIn(account: DurableObjectStub<Account>): Promise<void> {
    await runInDurableObject<Account, void>(account, (instance) => {
      const object = instance as unknown as { env: Record<string, unknown> };
      const getByName = (numberId: string) =>
        standInVerbs(({ messageId }) => this.#enqueue(numberId, messageId));
      object.env = { ...object.env, PHONE_NUMBER: { getByName } };
    });
  }

  async report(account: DurableObjectStub<Account>, numberId: string, revision: number): Promise<void> {
    const report = senderReport(numberId, {
      revision,
      asOf: ++this.#stamp,
      dailyRemaining: Math.max(0, (this.#limits.get(numberId) ?? 0) - (this.#taken.get(numberId) ?? 0)),
    });
    await this.#turns();
    await account.reportSender(report);
  }

  /** In the order in which they were chosen. */
  get given(): string[] {
    const byAge = this.#given.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1));
    return byAge.map(({ numberId }) => numberId);
  }

  async #enqueue(numberId: string, messageId: string) {
    this.#given.push({ numberId, messageId });
    await this.#turns();
    this.#taken.set(numberId, (this.#taken.get(numberId) ?? 0) + 1);
    const takenAt = ++this.#stamp;
    await this.#turns();
    return { ok: true, takenAt };
  }

  /** Some turns of the event loop, so that answers overtake each other. */
  async #turns(): Promise<void> {
    for (let turn = this.#seed() % 7; turn > 0; turn -= 1) await scheduler.wait(0);
  }
}

/** The same sequence for the same seed. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536);
  };
}

describe('the daily limits of a pool', () => {
  test.for([1, 2, 3, 4])(
    'are used to the last message and no further while another number has room (%i)',
    async (seed) => {
      const random = pseudoRandom(seed);
      const { accountId, account, keyHash } = await newAccount(0);
      const numberIds = await addSenders(accountId, 3);
      const limits = new Map(numberIds.map((numberId, index) => [numberId, 5 + 4 * index + (random() % 5)]));
      const all = [...limits.values()].reduce((sum, limit) => sum + limit, 0);
      const numbers = new SlowNumbers(limits, random);
      await numbers.standIn(account);
      for (const numberId of numberIds) await numbers.report(account, numberId, 2_000);
      const send = () => account.send(sendRequest(keyHash, { to: newRecipient() }));
      for (let sent = 0; sent < all + 9; ) {
        const burst = Math.min(1 + (random() % 9), all + 9 - sent);
        sent += burst;
        const results = await Promise.all(Array.from({ length: burst }, send));
        expect(results.every(({ ok }) => ok)).toBe(true);
        if (random() % 2 === 0) {
          await evictDurableObject(account);
          await numbers.standIn(account);
        }
        if (random() % 3 === 0) await numbers.report(account, numberIds[random() % 3] ?? '', 3_000 + sent);
      }
      const counts = new Map<string, number>();
      const hasRoom = (numberId: string) => (counts.get(numberId) ?? 0) < (limits.get(numberId) ?? 0);
      for (const numberId of numbers.given) {
        if (!hasRoom(numberId)) expect(numberIds.some(hasRoom)).toBe(false);
        counts.set(numberId, (counts.get(numberId) ?? 0) + 1);
      }
      expect(numbers.given).toHaveLength(all + 9);
    },
  );

  test('hold what is beyond all of them, and say why; evictions of any object change nothing', async () => {
    const { account, keyHash, senders } = await newAccount(2);
    const limits = [3, 5];
    for (const [index, { numberId }] of senders.entries()) {
      const pacing = { ...defaultPacing, minDelayMs: 0, maxDelayMs: 0, dailyLimit: limits[index] ?? 0 };
      const revision = async () => (await account.senders())[numberId]?.revision ?? 0;
      const before = await revision();
      await phoneNumber(numberId).configure(pacing);
      await until(async () => (await revision()) > before);
    }
    const answers: SendAnswer[] = [];
    for (const burst of [4, 1, 6, 2]) {
      const requests = Array.from({ length: burst }, () => sendRequest(keyHash, { to: newRecipient() }));
      for (const result of await Promise.all(requests.map((request) => account.send(request)))) {
        if (!result.ok) throw new Error(result.code);
        answers.push(result.answer);
      }
      await evictAllDurableObjects();
    }
    const handed = senders.map(({ bridge }) =>
      bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : [])),
    );
    expect(handed.map((messages) => messages.length)).toEqual(limits);
    const left = new Set(handed.flat().map(({ messageId }) => messageId));
    const waiting = answers.filter(({ messageId }) => !left.has(messageId));
    expect(waiting).toHaveLength(13 - 8);
    for (const { messageId, numberId } of waiting) {
      const message = await phoneNumber(numberId).message(messageId);
      expect(message).toMatchObject({ status: 'queued', heldReason: 'daily_limit' });
      expect(message?.expectedAt).toBeGreaterThan(Date.now());
    }
  });
});
