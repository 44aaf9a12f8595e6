import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { textOf } from '../../../../src/contract/messages/content.ts';
import type { Account } from '../../../../src/durable/account/account.ts';
import { SendGroups } from '../../../../src/durable/account/admission/send-groups.ts';
import { StandInLogs, StandInNumbers } from '../../stand-in-objects.ts';
import { until } from '../../until.ts';
import { type AccountStub, poolOf, rowsOf, sendRequest } from '../account-fixture.ts';

/** Sends that reach the account in one and the same turn; each under its text as `Idempotency-Key`. */
function sendTogether(account: AccountStub, keyHash: string, texts: readonly string[]) {
  return runInDurableObject<Account, PromiseSettledResult<Awaited<ReturnType<Account['send']>>>[]>(
    account,
    (instance) => Promise.allSettled(texts.map((text) => instance.send(textRequest(keyHash, text)))),
  );
}

const textRequest = (keyHash: string, text: string) =>
  sendRequest(keyHash, { content: { type: 'text', text }, idempotencyKey: text });

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('sends that come in together', () => {
  test('go to their number in few calls, in their order', async () => {
    const numbers = await StandInNumbers.begin();
    await StandInLogs.begin();
    const { account, keyHash, numberIds } = await poolOf(1);
    const results = await sendTogether(account, keyHash, texts(40));
    expect(results.every((result) => result.status === 'fulfilled' && result.value.ok)).toBe(true);
    await until(() => numbers.givenTo(...numberIds).length === 40);
    expect(numbers.givenTo(...numberIds).map(({ content }) => textOf(content))).toEqual(texts(40));
    const calls = numbers.offered.filter(({ numberId }) => numberIds.includes(numberId));
    expect(calls.length).toBeLessThan(10);
  });

  test('each get an answer of their own, and what is repeated among them is one message', async () => {
    await StandInNumbers.begin();
    await StandInLogs.begin();
    const { account, keyHash } = await poolOf(1);
    const results = await sendTogether(account, keyHash, ['a', 'b', 'c', 'd', 'e', 'one', 'one', 'two']);
    const answers = results.map((result) => (result.status === 'fulfilled' ? result.value : null));
    expect(answers).toMatchObject(answers.map((_, index) => ({ ok: true, replayed: index === 6 })));
    expect(answers[6]).toMatchObject({ answer: answers[5]?.ok && answers[5].answer });
    expect(await account.usage()).toMatchObject({ used: 7 });
  });

  test('are not taken along by one that cannot be decided, and nothing of that one stays', async () => {
    const numbers = await StandInNumbers.begin();
    await StandInLogs.begin();
    const { account, keyHash, numberIds } = await poolOf(2);
    // The storage fails at what is in the middle of the group.
    await runInDurableObject<Account, void>(account, (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER poison BEFORE INSERT ON accepted
        WHEN NEW.message LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'poison'); END`);
    });
    const results = await sendTogether(account, keyHash, [...texts(6), 'poison', 'last']);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 6 }, () => 'fulfilled'),
      'rejected',
      'fulfilled',
    ]);
    expect(await account.usage()).toMatchObject({ used: 7 });
    await evictDurableObject(account);
    expect(await account.usage()).toMatchObject({ used: 7 });
    await until(() => numbers.givenTo(...numberIds).length >= 7);
    const given = numbers.givenTo(...numberIds).map(({ content }) => textOf(content));
    expect(given.toSorted()).toEqual([...texts(6), 'last'].toSorted());
    await until(async () => (await rowsOf(account, 'accepted')) === 0);
  });
});

test('a batch with a message that cannot be decided is answered the same when it is repeated', async () => {
  await StandInNumbers.begin();
  await StandInLogs.begin();
  const { account, keyHash } = await poolOf(1);
  await runInDurableObject<Account, void>(account, (_, { storage }) => {
    storage.sql.exec(`CREATE TRIGGER poison BEFORE INSERT ON accepted
      WHEN NEW.message LIKE '%poison%' BEGIN SELECT RAISE(ABORT, 'poison'); END`);
  });
  const items = ['first', 'poison', 'last'].map((text) => {
    const { keyHash: _, ...item } = textRequest(keyHash, text);
    return item;
  });
  const batch = { keyHash, idempotencyKey: 'all', bodyHash: 'all', items };
  const answered = await account.sendBatch(batch);
  expect(answered).toMatchObject({ items: [{ ok: true }, { code: 'INTERNAL' }, { ok: true }] });
  const repeated = await account.sendBatch(batch);
  expect(repeated).toMatchObject({ replayed: true, items: answered.ok ? answered.items : [] });
  expect((await account.usage()).used).toBe(2);
});

describe('a group', () => {
  /** What goes together. */
  function noted() {
    const went: number[][] = [];
    const groups = new SendGroups<number, number>((sends) => {
      if (sends.includes(13)) throw new Error('unlucky');
      went.push([...sends]);
      return sends;
    });
    return { went, groups };
  }

  test('of one goes at once', () => {
    const { went, groups } = noted();
    void groups.join(1);
    expect(went).toEqual([[1]]);
  });

  test('of one goes at once also after many that came a second apart', () => {
    const { went, groups } = noted();
    onTestFinished(() => void vi.useRealTimers());
    for (const send of [1, 2, 3, 4, 5, 6]) {
      vi.useFakeTimers({ toFake: ['Date'], now: send * 1_000 });
      void groups.join(send);
    }
    expect(went).toEqual([[1], [2], [3], [4], [5], [6]]);
  });

  test('of a stream takes at most 64, in order; the others follow', async () => {
    const { went, groups } = noted();
    await Promise.all(Array.from({ length: 140 }, (_, index) => groups.join(1000 + index)));
    expect(went.flat()).toEqual(Array.from({ length: 140 }, (_, index) => 1000 + index));
    expect(Math.max(...went.map(({ length }) => length))).toBe(64);
    expect(went.length).toBeLessThan(10);
  });

  test('of several is followed by one of several, also where they come more slowly', async () => {
    const { went, groups } = noted();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      await Promise.all([1, 2, 3, 4, 5, 6].map((send) => groups.join(send)));
      vi.setSystemTime(now + 30);
      await Promise.all([7, 8].map((send) => groups.join(send)));
    } finally {
      vi.useRealTimers();
    }
    expect(went).toEqual([[1], [2], [3], [4], [5, 6], [7, 8]]);
  });

  test('in which one spoils everything goes without that one', async () => {
    const { groups } = noted();
    for (let index = 0; index < 5; index += 1) await groups.join(index);
    const results = await Promise.allSettled([11, 12, 13, 14].map((send) => groups.join(send)));
    expect(results).toMatchObject([{ value: 11 }, { value: 12 }, { status: 'rejected' }, { value: 14 }]);
  });
});
