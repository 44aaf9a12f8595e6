import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import { numbers as numbersTable } from '../../../src/database/schema.ts';
import type { AcceptedMessage } from '../../../src/durable/hand-over/message-batch.ts';
import type { NumberNote } from '../../../src/durable/hand-over/number-news.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  type AccountStub,
  addKey,
  at,
  banned,
  changeSettings,
  db,
  disconnected,
  inbound,
  newRecipient,
  news,
  noted,
  poolOf,
  rowsOf,
  sendRequest,
} from './account-fixture.ts';

let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});

type Reason = Extract<NumberNote, { kind: 'returned' }>['reason'];
const returned = (message: AcceptedMessage, reason: Reason = 'sender_unavailable'): NumberNote => ({
  kind: 'returned',
  message,
  reason,
});

async function accept(
  account: AccountStub,
  keyHash: string,
  senderHint: string | null = null,
  to = newRecipient(),
) {
  const sent = await account.send(sendRequest(keyHash, { to, senderHint }));
  if (!sent.ok) throw new Error(sent.code);
  return sent.answer;
}

/** A message that a number has been given, as it was. */
const takenBy = (numberId: string, messageId: string) =>
  until(() => numbers.givenTo(numberId).find((message) => message.messageId === messageId));

const noRoom = { room: 0 };

/** A report of a number to which the network lets no new chats through. */
const restricted = (numberId: string) =>
  news(numberId, {
    revision: 2_000,
    takenUpTo: numbers.takenUpTo(numberId),
    health: { status: 'restricted', reason: 'No new chats.', until: null },
  });

test('that an opt-out was understood is said by the number that it was written to, and by no other', async () => {
  const { accountId, account, keyHash, numberIds } = await poolOf(2);
  const [first = '', second = ''] = numberIds;
  const { optOut } = defaultAccountSettings;
  await changeSettings(accountId, account, { optOut: { ...optOut, confirmation: 'Understood.' } });
  await account.hear(news(first, noRoom));
  const moves = await accept(account, keyHash, first);
  const to = newRecipient();
  await account.hear(noted(first, inbound(to, Date.now(), 'STOP')));
  expect(await rowsOf(account, 'accepted')).toBe(2);
  await account.hear(news(first, banned));
  await takenBy(second, moves.messageId);
  // The account notes that it was taken once the number has responded.
  await until(async () => (await rowsOf(account, 'accepted')) === 1);
  expect(numbers.givenTo(second).map((message) => message.to)).not.toContain(to);
  const other = newRecipient();
  await account.hear(noted(second, inbound(other, Date.now(), 'STOP')));
  const said = await until(() => numbers.givenTo(second).find((message) => message.to === other));
  expect(said).toMatchObject({ isAnswer: true, isNewChat: false });
});

describe('messages that a number gives back', () => {
  test('go to the other numbers of the pool in turn, under the same ids, and say why they are sent from there', async () => {
    const { account, accountId, numberIds } = await poolOf(3);
    const [lost = '', ...others] = numberIds;
    const sources = ['pool', 'pinned', 'hint', 'pinned_fallback', 'hint_fallback', 'pool'] as const;
    const [message] = await returnable(account, accountId, lost);
    const messages = sources.map((senderSource, index) => ({
      ...message,
      senderSource,
      to: newRecipient(),
      messageId: `${message.messageId.slice(0, -1)}${index}`,
    }));
    await account.hear(news(lost, { ...banned, takenUpTo: numbers.takenUpTo(lost) }));
    await account.hear(noted(lost, ...messages.map((it) => returned(it))));
    await until(() => numbers.givenTo(...others).length === messages.length);
    for (const numberId of others) expect(numbers.givenTo(numberId)).toHaveLength(3);
    const given = numbers.givenTo(...others);
    const sourceNow = ({ messageId }: AcceptedMessage) =>
      given.find((it) => it.messageId === messageId)?.senderSource;
    expect(messages.map(sourceNow)).toEqual([
      'pool',
      'pinned_fallback',
      'hint_fallback',
      'pinned_fallback',
      'hint_fallback',
      'pool',
    ]);
  });

  test('wait for it when their key is strict, or nobody else is healthy', async () => {
    const { account, accountId, numberIds } = await poolOf(2);
    const [lost = '', other = ''] = numberIds;
    const strict = await addKey(accountId, { pinnedNumberId: lost, onPinFailure: 'strict' });
    const fallback = await addKey(accountId, { pinnedNumberId: lost, onPinFailure: 'fallback' });
    await account.refresh();
    const messages = await Promise.all(
      [strict, fallback].map(async (key) => takenBy(lost, (await accept(account, key)).messageId)),
    );
    await account.hear(news(other, { ...disconnected, revision: 3_000 }));
    await account.hear(news(lost, { ...disconnected, takenUpTo: numbers.takenUpTo(lost) }));
    await account.hear(noted(lost, ...messages.map((message) => returned(message))));
    expect(await rowsOf(account, 'accepted')).toBe(2);
    // The one that may move does as soon as there is somebody.
    await account.hear(news(other, { revision: 4_000 }));
    const [kept, moved] = messages.map(({ messageId }) => messageId);
    await changeSettings(accountId, account, { rerouteAfterMs: 0 });
    await until(() => numbers.givenTo(other).length > 0);
    expect(numbers.takersOf(moved ?? '')).toEqual([lost, other]);
    expect(numbers.takersOf(kept ?? '')).toEqual([lost]);
    // And the other one when its number is back.
    await account.hear(news(lost, { revision: 5_000, takenUpTo: numbers.takenUpTo(lost) }));
    await until(() => numbers.takersOf(kept ?? '').length === 2);
    expect(numbers.takersOf(kept ?? '')).toEqual([lost, lost]);
  });

  test('and begin a chat do not go to a number that is restricted, too', async () => {
    const { account, accountId, numberIds } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    const [message] = await returnable(account, accountId, first);
    const health = { status: 'restricted', reason: 'No new chats.', until: null } as const;
    for (const numberId of [first, second]) {
      await account.hear(news(numberId, { health, takenUpTo: numbers.takenUpTo(numberId) }));
    }
    await account.hear(noted(first, returned({ ...message, isNewChat: true }, 'facts_changed')));
    expect(await rowsOf(account, 'accepted')).toBe(1);
    expect(numbers.takersOf(message.messageId)).toEqual([first]);
    const healthy = news(first, { revision: 5_000, takenUpTo: numbers.takenUpTo(first) });
    await account.hear(healthy);
    await until(() => numbers.takersOf(message.messageId).length === 2);
  });

  test('and begin a chat are not overtaken by the next message to the same person', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const to = newRecipient();
    const first = await takenBy(numberId, (await accept(account, keyHash, null, to)).messageId);
    await account.hear(news(numberId, { ...noRoom, takenUpTo: numbers.takenUpTo(numberId) }));
    const { messageId } = await accept(account, keyHash, null, to);
    await account.hear({ ...restricted(numberId), notes: noted(numberId, returned(first)).notes });
    await account.hear(news(numberId, { revision: 5_000, takenUpTo: numbers.takenUpTo(numberId) }));
    await until(() => numbers.takersOf(messageId).length === 1);
    const given = numbers.givenTo(numberId).map((message) => message.messageId);
    expect(given).toEqual([first.messageId, first.messageId, messageId]);
  });

  test('and begin a chat take the next message to the same person along, where it would begin the chat instead', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const [lost = '', other = ''] = numberIds;
    const to = newRecipient();
    const first = await takenBy(lost, (await accept(account, keyHash, lost, to)).messageId);
    await account.hear(news(lost, { ...noRoom, takenUpTo: numbers.takenUpTo(lost) }));
    const { messageId } = await accept(account, keyHash, lost, to);
    await account.hear({ ...restricted(lost), notes: noted(lost, returned(first)).notes });
    await until(() => numbers.takersOf(messageId).length > 0);
    expect(numbers.takersOf(messageId)).toEqual([other]);
    const given = numbers.givenTo(other).map((message) => message.messageId);
    expect(given).toEqual([first.messageId, messageId]);
  });

  test('are taken back once, however often it says so, also after an eviction', async () => {
    const { account, accountId, numberIds } = await poolOf(4);
    const [lost = '', ...others] = numberIds;
    const [message] = await returnable(account, accountId, lost);
    await account.hear(news(lost, { ...banned, takenUpTo: numbers.takenUpTo(lost) }));
    const note = noted(lost, returned(message));
    const seq = note.notes[0]?.seq;
    expect(await account.hear(note)).toMatchObject({ takenUpTo: seq });
    expect(await account.hear(note)).toMatchObject({ takenUpTo: seq });
    await evictDurableObject(account);
    expect(await account.hear(note)).toMatchObject({ takenUpTo: seq });
    await until(() => numbers.givenTo(...others).length > 0);
    expect(numbers.givenTo(...others)).toHaveLength(1);
    expect(await account.usage()).toMatchObject({ used: 1 });
  });

  test('move on, and back, each time that they are given back', async () => {
    const { account, accountId, numberIds } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    const [message] = await returnable(account, accountId, first);
    const { messageId } = message;
    await account.hear(noted(first, returned(message)));
    const there = await takenBy(second, messageId);
    await account.hear(noted(second, returned(there)));
    await until(() => numbers.takersOf(messageId).length === 3);
    expect(numbers.takersOf(messageId)).toEqual([first, second, first]);
    const told = logs
      .of(accountId)
      .flatMap((fact) =>
        fact.kind === 'message.moved' || fact.kind === 'message.queued'
          ? [[fact.kind, fact.message.numberId]]
          : [],
      );
    await until(() => logs.of(accountId).length === 3);
    expect(told.slice(0, 2)).toEqual([
      ['message.queued', first],
      ['message.moved', second],
    ]);
  });

  test('are counted once, by the number that has them; a repeat of their request hands nothing over again', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const request = sendRequest(keyHash, { idempotencyKey: 'order 18' });
    const sent = await account.send(request);
    if (!sent.ok) throw new Error(sent.message);
    const { messageId, numberId } = sent.answer;
    const message = await takenBy(numberId, messageId);
    await account.hear(noted(numberId, returned(message)));
    const other = numberIds.find((it) => it !== numberId) ?? '';
    expect(await account.usage()).toMatchObject({ used: 1, byNumber: [{ numberId: other, used: 1 }] });
    const again = await account.send(request);
    expect(again).toMatchObject({ ok: true, replayed: true, answer: sent.answer });
    const there = await takenBy(other, messageId);
    expect(numbers.takersOf(messageId)).toEqual([numberId, other]);
    await account.hear(noted(other, returned(there, 'not_sendable')));
    expect(await account.usage()).toMatchObject({ used: 0, byNumber: [] });
  });

  test('fail, and say why, when no number could send them, or their time is over', async () => {
    const { account, accountId, numberIds } = await poolOf(2);
    const [first = ''] = numberIds;
    const [refused, late] = await returnable(account, accountId, first, 2);
    if (!late) throw new Error('there are two');
    const errorMessage = 'The recipient does not exist.';
    await account.hear(
      noted(
        first,
        { kind: 'returned', message: refused, reason: 'not_sendable', errorMessage },
        returned(late, 'expired'),
      ),
    );
    await until(() => logs.of(accountId).length === 4);
    expect(logs.of(accountId).slice(2)).toMatchObject([
      { kind: 'message.failed', message: { messageId: refused.messageId }, errorMessage },
      {
        kind: 'message.failed',
        message: { messageId: late.messageId, numberId: first },
        errorMessage: 'It could not be sent in time. The number had too much to send.',
      },
    ]);
    expect(await account.usage()).toMatchObject({ used: 0 });
  });

  test('that cannot be stored are parked, and hold up nothing behind them', async () => {
    const { account, accountId, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const poison = { kind: 'returned', reason: 'sender_unavailable', message: {} } as unknown as NumberNote;
    const told = noted(numberId, inbound('628111', 1), poison, inbound('628222', Date.now(), 'stop'));
    expect(await account.hear(told)).toMatchObject({ takenUpTo: told.notes.at(-1)?.seq });
    expect(await account.optOuts(10, null)).toMatchObject([{ phoneNumber: '628222' }]);
    expect(await rowsOf(account, 'parked_notes')).toBe(1);
    expect(logs.of(accountId)).toEqual([]);
  });

  test('that are parked go with the person whom they name, by phone number or by an alias that the account knows', async () => {
    const { account, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const lid = '100000000000019';
    const poison = (to: string) =>
      ({ kind: 'returned', reason: 'sender_unavailable', message: { to } }) as unknown as NumberNote;
    const addresses = ['628111', `${lid}@lid`, '6281112', '100000000000020@lid'];
    await account.hear(noted(numberId, ...addresses.map(poison)));
    expect(await rowsOf(account, 'parked_notes')).toBe(4);
    await account.knowAliases([{ lid, phoneNumber: '628111' }]);
    await account.forgetRecipient('628111');
    expect(await rowsOf(account, 'parked_notes')).toBe(2);
    await account.forgetRecipient('100000000000020@lid');
    expect(await rowsOf(account, "parked_notes WHERE note LIKE '%6281112%'")).toBe(1);
    expect(await rowsOf(account, 'parked_notes')).toBe(1);
  });

  test('of a kind that this version does not know are left to the next one', async () => {
    const { account, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const unknown = { kind: 'something new' } as unknown as NumberNote;
    const told = noted(numberId, inbound('628111', 1), unknown, inbound('628222', Date.now(), 'stop'));
    expect(await account.hear(told)).toMatchObject({ takenUpTo: told.notes[0]?.seq });
    expect(await account.optOuts(10, null)).toEqual([]);
  });
});

/** Messages that a number has taken, for a key that may move them. */
async function returnable(account: AccountStub, accountId: string, numberId: string, count = 1) {
  const key = await addKey(accountId, { pinnedNumberId: numberId, onPinFailure: 'fallback' });
  await account.refresh();
  const messages: AcceptedMessage[] = [];
  for (let index = 0; index < count; index += 1) {
    messages.push(await takenBy(numberId, (await accept(account, key)).messageId));
  }
  return messages as [AcceptedMessage, ...AcceptedMessage[]];
}

describe('the backlog of a number', () => {
  /** Two numbers; the first has no room, and messages wait for it. */
  async function backlog(count: number) {
    const pool = await poolOf(2);
    const [full = '', other = ''] = pool.numberIds;
    await pool.account.hear(news(full, noRoom));
    for (let index = 0; index < count; index += 1) await accept(pool.account, pool.keyHash, full);
    expect(await rowsOf(pool.account, 'accepted')).toBe(count);
    return { ...pool, full, other };
  }

  test('goes to the others at once when it is banned, however much it is, and what follows a strict key stays', async () => {
    const { account, accountId, full, other } = await backlog(0);
    const strict = await addKey(accountId, { pinnedNumberId: full, onPinFailure: 'strict' });
    const fallback = await addKey(accountId, { pinnedNumberId: full, onPinFailure: 'fallback' });
    await account.refresh();
    for (let index = 0; index < 70; index += 1) await accept(account, fallback);
    const { messageId } = await accept(account, strict);
    await account.hear(news(full, banned));
    await until(() => numbers.givenTo(other).length === 70);
    await until(async () => (await rowsOf(account, 'accepted')) === 1);
    expect(numbers.takersOf(messageId)).toEqual([]);
    expect(await account.usage()).toMatchObject({
      used: 71,
      byNumber: [
        { numberId: other, used: 70 },
        { numberId: full, used: 1 },
      ],
    });
  });

  test('goes to the others after a while when it is away, and not when it is back by then', async () => {
    const { account, other, full } = await backlog(2);
    const start = Date.now();
    await account.hear(news(full, disconnected));
    await at(start + 60_000, async () => await runDurableObjectAlarm(account));
    expect(numbers.givenTo(other)).toEqual([]);
    await account.hear(news(full, { ...noRoom, revision: 3_000 }));
    await at(start + 240_000, async () => await runDurableObjectAlarm(account));
    expect(numbers.givenTo(other)).toEqual([]);
    await account.hear(news(full, { ...disconnected, revision: 4_000 }));
    await at(Date.now() + 121_000, async () => await runDurableObjectAlarm(account));
    await until(() => numbers.givenTo(other).length === 2);
  });

  test('goes to another number when the day is full while that has room, but not what answers somebody', async () => {
    const { account, keyHash, full, other } = await backlog(0);
    const asker = newRecipient();
    await account.hear(noted(full, inbound(asker, Date.now())));
    const answer = await accept(account, keyHash, full, asker);
    const plain = await accept(account, keyHash, full);
    await account.hear(news(full, { ...noRoom, dailyRemaining: 0, revision: 2_000 }));
    await until(() => numbers.givenTo(other).length > 0);
    expect(numbers.takersOf(plain.messageId)).toEqual([other]);
    expect(numbers.takersOf(answer.messageId)).toEqual([]);
    // With room again, the answer passes the limit.
    await account.hear(news(full, { room: 5, dailyRemaining: 0, revision: 3_000 }));
    await until(() => numbers.takersOf(answer.messageId).length > 0);
    expect(numbers.takersOf(answer.messageId)).toEqual([full]);
  });

  test('waits where it is while every day is full, and goes out when one begins', async () => {
    const { account, keyHash, full, other } = await backlog(1);
    for (const numberId of [other, full]) {
      await account.hear(news(numberId, { dailyRemaining: 0, revision: 2_000 }));
    }
    const { numberId } = await accept(account, keyHash);
    expect([full, other]).toContain(numberId);
    expect(numbers.givenTo(full, other)).toEqual([]);
    // At once: no time passes.
    await at(Date.now(), async () => {
      await account.hear(news(other, { dailyRemaining: 5, revision: 3_000 }));
      await until(() => numbers.givenTo(other).length === 2);
    });
  });

  test('goes at once when its number is banned, however often nobody could do better before', async () => {
    const { account, other, full } = await backlog(1);
    for (const numberId of [other, full]) {
      await account.hear(news(numberId, { dailyRemaining: 0, revision: 2_000 }));
    }
    const start = Date.now();
    for (const seconds of [16, 60, 200]) {
      await at(start + seconds * 1_000, async () => await runDurableObjectAlarm(account));
    }
    // At once: no time passes.
    await at(start + 201_000, async () => {
      await account.hear(news(full, { ...banned, revision: 3_000 }));
      await until(async () => (await account.usage()).byNumber[0]?.numberId === other);
    });
  });

  test('of a deleted number goes to the others, strictly pinned or not fails where there is none', async () => {
    const { account, accountId, full, other } = await backlog(2);
    const strict = await addKey(accountId, { pinnedNumberId: full, onPinFailure: 'strict' });
    await account.refresh();
    const pinned = await accept(account, strict);
    await db.delete(numbersTable).where(eq(numbersTable.id, full));
    await account.refresh();
    await until(() => numbers.givenTo(other).length === 2);
    await until(() => logs.of(accountId).some(({ kind }) => kind === 'message.failed'));
    expect(logs.of(accountId).filter(({ kind }) => kind === 'message.failed')).toMatchObject([
      { message: { messageId: pinned.messageId }, errorMessage: 'The number was deleted.' },
    ]);
    expect(await account.usage()).toMatchObject({ used: 2, byNumber: [{ numberId: other, used: 2 }] });
    expect(await rowsOf(account, 'accepted')).toBe(0);
  });

  test('fails when its time is over, and says why, and is given back', async () => {
    const { account, accountId, full } = await backlog(70);
    await at(Date.now() + 86_400_000 + 1_000, async () => await runDurableObjectAlarm(account));
    await until(() => logs.of(accountId).length === 140);
    expect(logs.of(accountId).slice(70)).toMatchObject(
      Array.from({ length: 70 }, () => ({
        kind: 'message.failed',
        message: { numberId: full },
        errorMessage: 'It could not be sent in time. The number had too much to send.',
      })),
    );
    expect(await account.usage()).toMatchObject({ used: 0, byNumber: [] });
    expect(await rowsOf(account, 'accepted')).toBe(0);
  });

  test('does not keep back what is to be done to a message when it is too late for that', async () => {
    const { account, accountId, keyHash, full } = await backlog(0);
    const askers = Array.from({ length: 70 }, () => newRecipient());
    await account.hear(noted(full, ...askers.map((asker) => inbound(asker, Date.now()))));
    for (const asker of askers) await accept(account, keyHash, full, asker);
    const tooLateAt = Date.now() + 900_000;
    const target = { providerMessageId: '3EB0AA', isOwn: true };
    const action = { type: 'reaction' as const, targetId: 'msg_1', emoji: '👍', target };
    await account.act({ numberId: full, to: newRecipient(), chatType: 'personal', action, until: tooLateAt });
    await at(tooLateAt + 1_000, async () => await runDurableObjectAlarm(account));
    await until(() => logs.of(accountId).length === 71);
    expect(logs.of(accountId).at(-1)).toMatchObject({ kind: 'message.failed', message: { content: action } });
    expect(await rowsOf(account, 'accepted')).toBe(70);
  });

  test('is not sent to somebody who has opted out meanwhile', async () => {
    const { account, accountId, keyHash, full } = await backlog(0);
    const to = newRecipient();
    await accept(account, keyHash, full, to);
    await account.hear(noted(full, inbound(to, Date.now(), 'stop')));
    await account.hear(news(full, { revision: 2_000 }));
    await until(() => logs.of(accountId).some(({ kind }) => kind === 'message.failed'));
    expect(logs.of(accountId).at(-1)).toMatchObject({ errorMessage: 'The recipient has opted out.' });
    expect(numbers.givenTo(full)).toEqual([]);
    expect(await account.usage()).toMatchObject({ used: 0 });
  });
});

describe('a key with a fallback', () => {
  test('lets its messages move, a strict one does not', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(2);
    const [pinnedNumberId = ''] = numberIds;
    const strict = await addKey(accountId, { pinnedNumberId, onPinFailure: 'strict' });
    const fallback = await addKey(accountId, { pinnedNumberId, onPinFailure: 'fallback' });
    await account.refresh();
    const given: unknown[] = [];
    for (const key of [strict, fallback, keyHash]) {
      const { messageId, numberId } = await accept(account, key);
      const { senderSource, mayMove } = await takenBy(numberId, messageId);
      given.push([senderSource, mayMove]);
    }
    expect(given).toEqual([
      ['pinned', false],
      ['pinned', true],
      ['pool', true],
    ]);
  });
});

test('a message that moves on another day counts on the day on which it was accepted, once', async () => {
  const { account, keyHash, numberIds } = await poolOf(2);
  const [first = '', second = ''] = numberIds;
  for (const numberId of numberIds) await account.hear(news(numberId, { room: 0 }));
  const day = Date.UTC(2031, 4, 10, 23);
  await at(day, () => accept(account, keyHash, first));
  await at(day + 7_200_000, async () => {
    await account.hear(news(first, banned));
    await until(async () => (await account.usage()).byNumber[0]?.numberId === second);
    expect(await account.usage()).toMatchObject({ used: 1, byDay: [{ day: '2031-05-10', used: 1 }] });
  });
});
