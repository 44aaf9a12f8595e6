import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  type AccountStub,
  at,
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

async function accept(account: AccountStub, keyHash: string, senderHint: string | null = null) {
  const sent = await account.send(sendRequest(keyHash, { to: newRecipient(), senderHint }));
  if (!sent.ok) throw new Error(sent.code);
  return sent.answer;
}

const offeredTo = (numberId: string) =>
  numbers.offered.filter((it) => it.numberId === numberId).map(({ batch }) => batch);

describe('a number', () => {
  test('is given only what it has room for, oldest first, and the rest as soon as it says that it has more', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    await account.hear(news(numberId, { room: 2 }));
    numbers.room = () => 0;
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.push((await accept(account, keyHash)).messageId);
    await until(() => numbers.givenTo(numberId).length > 0);
    // The first went alone; what it said then is that it has no room.
    expect(numbers.givenTo(numberId)).toHaveLength(1);
    await evictDurableObject(account);
    await account.hear(news(numberId, { revision: 1_001, room: 4, takenUpTo: 1 }));
    await until(() => numbers.givenTo(numberId).length === 5);
    await account.hear(news(numberId, { revision: 1_001, room: 4, takenUpTo: 2 }));
    await until(() => numbers.givenTo(numberId).length === 7);
    expect(numbers.givenTo(numberId).map(({ messageId }) => messageId)).toEqual(ids);
    expect(offeredTo(numberId).map(({ batchNumber }) => batchNumber)).toEqual([1, 2, 3]);
  });

  test('whose answer is lost is offered the very same batch again, and then what has come since', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    numbers.losingAnswers.add(numberId);
    await accept(account, keyHash);
    await until(() => offeredTo(numberId).length > 0);
    await accept(account, keyHash);
    await evictDurableObject(account);
    await accept(account, keyHash);
    await until(() => offeredTo(numberId).length >= 3);
    const [first, ...repeats] = offeredTo(numberId);
    for (const repeat of repeats) expect(repeat).toEqual(first);
    numbers.losingAnswers.clear();
    await until(() => numbers.givenTo(numberId).length === 3);
    await until(async () => (await rowsOf(account, 'accepted')) === 0);
    expect(numbers.givenTo(numberId)).toHaveLength(3);
  });

  test('whose day is full is given again what it gave back of what is done to its messages', async () => {
    const { account, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    numbers.dailyRemaining = () => 0;
    const target = { providerMessageId: '3EB0AA', isOwn: true };
    const action = { type: 'reaction' as const, targetId: 'msg_1', emoji: '👍', target };
    await account.act({ numberId, to: newRecipient(), chatType: 'personal', action, until: null });
    await until(() => numbers.givenTo(numberId).length === 1);
    const [message] = numbers.givenTo(numberId);
    if (message === undefined) throw new Error('nothing was given');
    await account.hear(noted(numberId, { kind: 'returned', message, reason: 'sender_unavailable' }));
    await until(() => numbers.givenTo(numberId).length === 2);
    expect(numbers.givenTo(numberId)[1]).toEqual(message);
  });

  test('is given what is to be done to its messages also where their recipient has opted out since', async () => {
    const { account, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const to = newRecipient();
    await account.hear(news(numberId, { room: 0 }));
    const target = { providerMessageId: '3EB0AA', isOwn: true };
    const action = { type: 'reaction' as const, targetId: 'msg_1', emoji: '👍', target };
    await account.act({ numberId, to, chatType: 'personal', action, until: null });
    await account.addOptOut(to);
    await account.hear(news(numberId, { revision: 1_001 }));
    await until(() => numbers.givenTo(numberId).length === 1);
    expect(numbers.givenTo(numberId)).toMatchObject([{ to, content: action }]);
  });

  test('that was deleted is given nothing that is to be done to its messages: that is refused', async () => {
    const { account } = await poolOf(1);
    const target = { providerMessageId: '3EB0AA', isOwn: true };
    const action = { type: 'reaction' as const, targetId: 'msg_1', emoji: '👍', target };
    const asked = { numberId: newUuid(), to: newRecipient(), chatType: 'personal' as const, action };
    expect(await account.act({ ...asked, until: null })).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await rowsOf(account, 'accepted')).toBe(0);
  });

  test('that reports what it has taken before its answer comes is not offered that again', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    numbers.losingAnswers.add(numberId);
    await accept(account, keyHash);
    await until(() => numbers.givenTo(numberId).length === 1);
    numbers.losingAnswers.clear();
    await account.hear(news(numberId, { revision: 1_001, takenUpTo: 1 }));
    expect(await rowsOf(account, 'accepted')).toBe(0);
    await accept(account, keyHash);
    await until(() => numbers.givenTo(numberId).length === 2);
    expect(new Set(numbers.givenTo(numberId).map(({ messageId }) => messageId)).size).toBe(2);
  });

  test('that knows of later batches than were ever made, since one side was restored, still gets everything', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    numbers.setTakenUpTo(numberId, 40);
    const { messageId } = await accept(account, keyHash);
    await until(() => numbers.takersOf(messageId).length > 0);
    expect(offeredTo(numberId).map(({ batchNumber }) => batchNumber)).toEqual([1, 41]);
    expect(numbers.takersOf(messageId)).toEqual([numberId]);
  });

  test('is asked about a message that waits for it as about what it is: the answer to somebody, behind what came before', async () => {
    const { account, keyHash, numberIds } = await poolOf(1);
    const [numberId = ''] = numberIds;
    await account.hear(news(numberId, { room: 0 }));
    await accept(account, keyHash);
    const to = newRecipient();
    await account.hear(noted(numberId, inbound(to, Date.now())));
    const sent = await account.send(sendRequest(keyHash, { to }));
    if (!sent.ok) throw new Error(sent.code);
    numbers.forecast = { expectedAt: 5, heldReason: 'pacing' };
    expect(await account.waiting(sent.answer.messageId, numberId)).toEqual(numbers.forecast);
    expect(numbers.forecastFor).toEqual({
      recipient: to,
      isNewChat: false,
      isAnswer: true,
      lane: 'server',
      ahead: 1,
    });
  });

  test('that does not answer holds up no other, and is not chosen while another one can send', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const [broken = '', other = ''] = numberIds;
    numbers.unreachable.add(broken);
    const stuck = await accept(account, keyHash, broken);
    await until(() => offeredTo(broken).length > 0);
    await until(async () => (await accept(account, keyHash)).numberId === other);
    const chosen = [];
    for (let sends = 0; sends < 6; sends += 1) chosen.push((await accept(account, keyHash)).numberId);
    expect(new Set(chosen)).toEqual(new Set([other]));
    await until(() => numbers.givenTo(other).length === 7);
    numbers.unreachable.clear();
    await until(() => numbers.takersOf(stuck.messageId).length > 0);
    expect(numbers.takersOf(stuck.messageId)).toEqual([broken]);
    const after = [];
    for (let sends = 0; sends < 4; sends += 1) after.push((await accept(account, keyHash)).numberId);
    expect(new Set(after)).toEqual(new Set([broken, other]));
  });

  test('that does not answer keeps what it was offered, and what waits behind goes to others after a while', async () => {
    const { account, keyHash, numberIds } = await poolOf(2);
    const [broken = '', other = ''] = numberIds;
    numbers.unreachable.add(broken);
    const asked = Promise.withResolvers<void>();
    numbers.pause = () => asked.promise;
    const offered = await accept(account, keyHash, broken);
    const waiting = await accept(account, keyHash, broken);
    asked.resolve();
    await until(() => offeredTo(broken).length > 1);
    expect(numbers.takersOf(waiting.messageId)).toEqual([]);
    await at(Date.now() + 130_000, async () => await runDurableObjectAlarm(account));
    await until(() => numbers.takersOf(waiting.messageId).length > 0);
    expect(numbers.takersOf(waiting.messageId)).toEqual([other]);
    expect(numbers.takersOf(offered.messageId)).toEqual([]);
  });
});

describe('the log', () => {
  test('that is away is told everything once it is back, in order, and holds up no message', async () => {
    const { accountId, account, keyHash, numberIds } = await poolOf(1);
    logs.isAway = true;
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await accept(account, keyHash)).messageId);
    await until(() => numbers.givenTo(...numberIds).length === 5);
    await evictDurableObject(account);
    expect(await account.accepted(ids[3] ?? '')).toMatchObject({ messageId: ids[3] });
    logs.isAway = false;
    await until(() => logs.of(accountId).length >= 5);
    const told = logs.of(accountId).map((fact) => fact.kind === 'message.queued' && fact.message.messageId);
    expect(told).toEqual(ids);
    await until(async () => (await rowsOf(account, 'log_outbox')) === 0);
  });
});
