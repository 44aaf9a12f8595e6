import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../src/durable/account/account.ts';
import type { AdmittedMessage } from '../../src/durable/phone-number/outbound-message.ts';
import {
  addKey,
  addSenders,
  newAccount,
  senderReport,
  sendRequest,
  standInVerbs,
} from './account-fixture.ts';
import { textMessage } from './fake-bridge.ts';

type AccountStub = DurableObjectStub<Account>;

/** What each number was given, by the account in its present life. */
interface Given {
  numberId: string;
  message: AdmittedMessage;
}

/** Replaces the numbers' objects: `answer` says what each hand-over comes to; it is noted where it is taken. */
async function standIn(
  account: AccountStub,
  answer: (numberId: string) => 'taken' | 'refused' | 'lost' | 'taken, but the answer is lost' = () =>
    'taken',
): Promise<Given[]> {
  const given: Given[] = [];
  await runInDurableObject<Account, void>(account, (instance) => {
    const object = instance as unknown as { env: Record<string, unknown> };
    const enqueue = async (numberId: string, message: AdmittedMessage) => {
      const outcome = answer(numberId);
      if (outcome.startsWith('taken')) given.push({ numberId, message });
      if (outcome.endsWith('lost')) throw new Error('no answer');
      return outcome === 'taken'
        ? { ok: true, takenAt: 1 }
        : { ok: false, code: 'SENDER_UNAVAILABLE', message: 'Gone.' };
    };
    const getByName = (numberId: string) => standInVerbs((message) => enqueue(numberId, message));
    object.env = { ...object.env, PHONE_NUMBER: { getByName } };
  });
  return given;
}

/** Asks to be rid of messages; `null` where the outcome is not known. */
function reroute(account: AccountStub, numberId: string, messages: AdmittedMessage[]) {
  return runInDurableObject<Account, string[] | null>(account, (instance) =>
    instance.reroute({ numberId, messages }).then(
      ({ moved }) => moved,
      () => null,
    ),
  );
}

async function poolOf(count: number) {
  const { accountId, account, keyHash } = await newAccount(0);
  const numberIds = await addSenders(accountId, count);
  return { accountId, account, keyHash, numberIds };
}

const waiting = (more: Partial<AdmittedMessage> = {}) =>
  textMessage('hello', { moves: 1, to: `62${Math.floor(8e9 + Math.random() * 1e9)}`, ...more });

const down = (numberId: string) =>
  senderReport(numberId, {
    state: 'banned',
    revision: 2_000,
    health: { status: 'unavailable', reason: 'Banned.', until: null },
  });

describe('messages that a number cannot send', () => {
  test('go to the other numbers of the pool in turn, under the same ids, and say why they are sent from there', async () => {
    const { account, numberIds } = await poolOf(3);
    const [lost = '', ...others] = numberIds;
    await account.reportSender(down(lost));
    const given = await standIn(account);
    const sources = ['pool', 'pinned', 'hint', 'pinned_fallback', 'hint_fallback', 'pool'] as const;
    const messages = sources.map((senderSource) => waiting({ senderSource }));
    const moved = await reroute(account, lost, messages);
    expect(moved?.toSorted()).toEqual(messages.map(({ messageId }) => messageId).toSorted());
    expect(given.map(({ message }) => message.messageId).toSorted()).toEqual(moved?.toSorted());
    for (const numberId of others) expect(given.filter((it) => it.numberId === numberId)).toHaveLength(3);
    const sourceNow = (message: AdmittedMessage) =>
      given.find((it) => it.message.messageId === message.messageId)?.message.senderSource;
    expect(messages.map(sourceNow)).toEqual([
      'pool',
      'pinned_fallback',
      'hint_fallback',
      'pinned_fallback',
      'hint_fallback',
      'pool',
    ]);
  });

  test('stay where they are when their key is strict, or nobody else is healthy', async () => {
    const { account, numberIds } = await poolOf(2);
    const [lost = '', other = ''] = numberIds;
    await account.reportSender(down(lost));
    const given = await standIn(account);
    const strict = waiting({ senderSource: 'pinned', mayMove: false });
    expect(await reroute(account, lost, [strict])).toEqual([]);
    await account.reportSender(down(other));
    expect(await reroute(account, lost, [waiting()])).toEqual([]);
    expect(given).toEqual([]);
  });

  test('that begin a chat do not go to a number that is restricted, too', async () => {
    const { account, numberIds } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    const health = { status: 'restricted', reason: 'No new chats.', until: null } as const;
    for (const numberId of [first, second]) {
      await account.reportSender(senderReport(numberId, { health }));
    }
    await standIn(account);
    expect(await reroute(account, first, [waiting({ isNewChat: true })])).toEqual([]);
  });

  test('are repeated to the same number when the answer got lost, also after an eviction', async () => {
    const { account, numberIds } = await poolOf(4);
    const [lost = ''] = numberIds;
    await account.reportSender(down(lost));
    const message = waiting();
    const first = await standIn(account, () => 'taken, but the answer is lost');
    expect(await reroute(account, lost, [message])).toBeNull();
    await evictDurableObject(account);
    const second = await standIn(account);
    expect(await reroute(account, lost, [message])).toEqual([message.messageId]);
    expect(second).toEqual(first);
    // And when only the last answer got lost, nothing is handed over a second time.
    await evictDurableObject(account);
    const third = await standIn(account);
    expect(await reroute(account, lost, [message])).toEqual([message.messageId]);
    expect(third).toEqual([]);
  });

  test('go elsewhere when the number that was chosen is gone', async () => {
    const { account, numberIds } = await poolOf(3);
    const [lost = '', gone = '', other = ''] = numberIds;
    await account.reportSender(down(lost));
    const given = await standIn(account, (numberId) => (numberId === gone ? 'refused' : 'taken'));
    const message = waiting();
    const moved: string[] = [];
    for (let asked = 0; asked < 3; asked += 1) {
      moved.push(...((await reroute(account, lost, [message])) ?? []));
    }
    expect(new Set(moved)).toEqual(new Set([message.messageId]));
    expect(given.map(({ numberId }) => numberId)).toEqual([other]);
  });

  test('move on, and back, and a late repeat of an earlier move gives nothing away', async () => {
    const { account, numberIds } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    const message = waiting();
    const given = await standIn(account);
    expect(await reroute(account, first, [message])).toEqual([message.messageId]);
    expect(await account.locate(message.messageId)).toBe(second);
    expect(await reroute(account, second, [{ ...message, moves: 2 }])).toEqual([message.messageId]);
    expect(await account.locate(message.messageId)).toBe(first);
    expect(await reroute(account, first, [message])).toEqual([message.messageId]);
    expect(given.map(({ numberId }) => numberId)).toEqual([second, first]);
    expect(await reroute(account, first, [{ ...message, moves: 3 }])).toEqual([message.messageId]);
    expect(await account.locate(message.messageId)).toBe(second);
  });

  test('are counted once, by the number that has them; a repeat of their request hands nothing over again', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const given = await standIn(account);
    const request = sendRequest(keyHash, { idempotencyKey: 'order 18' });
    const sent = await account.send(request);
    if (!sent.ok) throw new Error(sent.message);
    const { messageId, numberId, queuedAt } = sent.answer;
    const [original] = given;
    if (!original) throw new Error('nothing was handed over');
    await account.reportSender(down(numberId));
    expect(await reroute(account, numberId, [{ ...original.message, moves: 1 }])).toEqual([messageId]);
    const other = numberIds.find((it) => it !== numberId) ?? '';
    expect(await account.usage()).toMatchObject({ used: 1, byNumber: [{ numberId: other, used: 1 }] });
    const again = await account.send(request);
    expect(again).toMatchObject({ ok: true, replayed: true, answer: sent.answer });
    expect(given.map((it) => it.numberId)).toEqual([numberId, other]);
    await account.giveBack([{ messageId, queuedAt: Date.parse(queuedAt) }], other);
    expect(await account.usage()).toMatchObject({ used: 0, byNumber: [] });
  });
});

describe('a key with a fallback', () => {
  test('lets its messages move, a strict one does not', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(2);
    const [pinnedNumberId = ''] = numberIds;
    const strict = await addKey(accountId, { pinnedNumberId, onPinFailure: 'strict' });
    const fallback = await addKey(accountId, { pinnedNumberId, onPinFailure: 'fallback' });
    await account.refresh();
    const given = await standIn(account);
    for (const key of [strict, fallback, keyHash]) {
      expect(await account.send(sendRequest(key))).toMatchObject({ ok: true });
    }
    expect(given.map(({ message }) => [message.senderSource, message.mayMove, message.moves])).toEqual([
      ['pinned', false, 0],
      ['pinned', true, 0],
      ['pool', true, 0],
    ]);
  });
});
