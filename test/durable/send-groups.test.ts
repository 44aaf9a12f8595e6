import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import type { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Account } from '../../src/durable/account/account.ts';
import { SendGroups } from '../../src/durable/account/send-groups.ts';
import type { AdmittedMessage, Enqueued } from '../../src/durable/phone-number/outbound-message.ts';
import { newAccount, sendRequest } from './account-fixture.ts';
import { phoneNumber } from './fake-bridge.ts';

type AccountStub = DurableObjectStub<Account>;
type EnqueueMany = (messages: AdmittedMessage[], earlier: string[]) => Promise<Enqueued>;

const textsOf = (messages: readonly AdmittedMessage[]) => messages.map(({ content }) => content.text);

/** Sends that reach the account in one and the same turn; each under its text as `Idempotency-Key`. */
function sendTogether(account: AccountStub, keyHash: string, texts: readonly string[]) {
  return runInDurableObject<Account, Awaited<ReturnType<Account['send']>>[]>(account, (instance) =>
    Promise.all(texts.map((text) => instance.send(textRequest(keyHash, text)))),
  );
}

const textRequest = (keyHash: string, text: string) =>
  sendRequest(keyHash, { content: { type: 'text', text }, idempotencyKey: text });

/** Puts something between the account and its numbers; the function it resolves takes it away again. */
function between(account: AccountStub, enqueueMany: (number: ReturnType<typeof phoneNumber>) => EnqueueMany) {
  return runInDurableObject<Account, () => void>(account, (instance) => {
    const { env: bindings } = instance as unknown as { env: { PHONE_NUMBER: unknown } };
    const real = bindings.PHONE_NUMBER as typeof env.PHONE_NUMBER;
    const getByName = (numberId: string) => {
      const number = real.getByName(numberId);
      const own = enqueueMany(number);
      // Everything else that is asked of it goes to the number.
      return new Proxy(number, {
        get: (_, verb) => (verb === 'enqueueMany' ? own : Reflect.get(number, verb)),
      });
    };
    bindings.PHONE_NUMBER = { getByName };
    return () => {
      bindings.PHONE_NUMBER = real;
    };
  });
}

/** What the account gives its numbers, call by call. */
async function noteCalls(account: AccountStub) {
  const calls: string[][] = [];
  onTestFinished(
    await between(account, (number) => async (messages, earlier) => {
      calls.push(textsOf(messages));
      return number.enqueueMany(messages, earlier);
    }),
  );
  return calls;
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('sends that come in together', () => {
  test('go to their number in one call, in their order, once the first one is there', async () => {
    const { account, keyHash, senders } = await newAccount();
    const calls = await noteCalls(account);
    const results = await sendTogether(account, keyHash, texts(12));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(calls).toEqual([['text 0'], texts(12).slice(1)]);
    const handed: (string | undefined)[] = [];
    while (handed.length < 12) {
      const frame = await senders[0]?.bridge.take('send');
      handed.push(...(frame?.messages ?? []).map(({ content }) => content.text));
    }
    expect(handed).toEqual(texts(12));
  });

  test('each get an answer of their own, and what is repeated among them is one message', async () => {
    const { account, keyHash } = await newAccount();
    const results = await sendTogether(account, keyHash, ['first', 'one', 'one', 'two']);
    expect(results).toMatchObject([{ ok: true }, { ok: true }, { code: 'CONFLICT' }, { ok: true }]);
    expect(await account.usage()).toMatchObject({ used: 3 });
    const [repeat] = await sendTogether(account, keyHash, ['one']);
    expect(repeat).toMatchObject({ ok: true, replayed: true, answer: results[1]?.ok && results[1].answer });
  });

  test('are not held up by one that its number refuses, which is counted no longer', async () => {
    const { account, keyHash, senders } = await newAccount();
    let isRefusing = true;
    const release = await between(account, (number) => async (messages, earlier) => {
      const bad = messages.filter(({ content }) => content.text === 'bad').map(({ messageId }) => messageId);
      // What it has been asked about in vain it takes no more.
      if (isRefusing) await number.resolveAdmissions(bad);
      return number.enqueueMany(messages, earlier);
    });
    onTestFinished(release);
    const results = await sendTogether(account, keyHash, ['first', 'good', 'bad', 'better']);
    expect(results).toMatchObject([{ ok: true }, { ok: true }, { code: 'CONFLICT' }, { ok: true }]);
    expect(await account.usage()).toMatchObject({ used: 3 });
    isRefusing = false;
    const [again] = await sendTogether(account, keyHash, ['bad']);
    expect(again).toMatchObject({ ok: true, replayed: false });
    const number = phoneNumber(senders[0]?.numberId ?? '');
    for (const result of [...results, again]) {
      if (result?.ok)
        expect(await number.message(result.answer.messageId)).toMatchObject({ status: 'queued' });
    }
    expect(await account.usage()).toMatchObject({ used: 4 });
  });

  test('are undone when the account dies before their number has them', async () => {
    const { account, keyHash } = await newAccount();
    const release = await between(account, () => () => Promise.reject(new Error('out of reach')));
    const lost = await sendTogether(account, keyHash, texts(5));
    release();
    expect(lost.map((result) => !result.ok && result.code)).toEqual(Array(5).fill('INTERNAL'));
    await evictDurableObject(account);
    expect(await account.usage()).toMatchObject({ used: 5 });
    expect(await account.send(textRequest(keyHash, 'another'))).toMatchObject({ ok: true });
    expect(await account.usage()).toMatchObject({ used: 1 });
    // Their keys are free again.
    const again = await sendTogether(account, keyHash, texts(5));
    expect(again).toMatchObject(Array(5).fill({ ok: true, replayed: false }));
    expect(await account.usage()).toMatchObject({ used: 6 });
  });

  test('are sent once when the account dies after their number has them, and repeats get their answers', async () => {
    const { account, keyHash, senders } = await newAccount();
    const given: AdmittedMessage[] = [];
    const release = await between(account, (number) => async (messages, earlier) => {
      given.push(...messages);
      await number.enqueueMany(messages, earlier);
      throw new Error('died before it was said');
    });
    await sendTogether(account, keyHash, texts(5));
    release();
    await evictDurableObject(account);
    const repeats = await sendTogether(account, keyHash, texts(5));
    expect(repeats.map((result) => result.ok && result.answer.messageId)).toEqual(
      given.map(({ messageId }) => messageId),
    );
    expect(repeats).toMatchObject(Array(5).fill({ replayed: true }));
    expect(await account.usage()).toMatchObject({ used: 5 });
    const number = phoneNumber(senders[0]?.numberId ?? '');
    for (const { messageId } of given) expect(await number.message(messageId)).not.toBeNull();
  });
});

describe('a group', () => {
  /** Groups whose sends are over when they are told to be. */
  function heldGroups() {
    const went: number[][] = [];
    const ends: (() => void)[] = [];
    const groups = new SendGroups<number, number>((sends) => {
      if (sends.includes(13)) throw new Error('unlucky');
      went.push([...sends]);
      return sends.map(async (send) => {
        await new Promise<void>((resolve) => ends.push(resolve));
        return send;
      });
    });
    return { went, groups, endAll: () => ends.splice(0).map((end) => end()) };
  }

  test('of one goes at once', () => {
    const { went, groups } = heldGroups();
    void groups.join(1);
    expect(went).toEqual([[1]]);
  });

  test('takes at most 64, in order; the others follow', async () => {
    const { went, groups, endAll } = heldGroups();
    const results = Array.from({ length: 140 }, (_, index) => groups.join(1000 + index));
    while (went.flat().length < 140) {
      endAll();
      await scheduler.wait(1);
    }
    endAll();
    await Promise.all(results);
    expect(went.map(({ length }) => length)).toEqual([1, 64, 64, 11]);
    expect(went.flat()).toEqual(Array.from({ length: 140 }, (_, index) => 1000 + index));
  });

  test('in which one spoils everything goes without that one', async () => {
    const { groups, endAll } = heldGroups();
    const results = Promise.allSettled([11, 12, 13, 14].map((send) => groups.join(send)));
    const over = results.then(() => 'over');
    while ((await Promise.race([over, scheduler.wait(1)])) !== 'over') endAll();
    expect(await results).toMatchObject([
      { value: 11 },
      { value: 12 },
      { status: 'rejected' },
      { value: 14 },
    ]);
  });

  test('does not wait for ever for one that hangs', async () => {
    const { went, groups } = heldGroups();
    void groups.join(1);
    void groups.join(2);
    while (went.length < 2) await scheduler.wait(1);
    expect(went).toEqual([[1], [2]]);
  });
});
