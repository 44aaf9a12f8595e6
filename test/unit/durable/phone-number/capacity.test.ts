import { describe, expect, test } from 'vitest';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { newMessageId } from '../../../../src/durable/new-ids.ts';
import { newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import { SenderHealth } from '../../../../src/durable/phone-number/health/sender-health.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { unpaced } from '../../../../src/durable/phone-number/pacing/pacing.ts';
import { SenderPace } from '../../../../src/durable/phone-number/pacing/sender-pace.ts';
import { Batches, Capacity } from '../../../../src/durable/phone-number/queue/capacity.ts';
import { Queue } from '../../../../src/durable/phone-number/queue/queue.ts';
import { newNumberSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);
const connected = { ...newDevice('account', 'number'), state: 'connected' as const };

function newNumber() {
  const sql = newNumberSql();
  const state = new NumberState(sql);
  const [queue, pace, health] = [new Queue(sql), new SenderPace(state), new SenderHealth(sql, state)];
  return { sql, state, queue, pace, health, capacity: new Capacity(queue, pace, health) };
}

const message = (more: Partial<AcceptedMessage>): AcceptedMessage => ({
  ...{ messageId: newMessageId(), to: '628999888777', chatType: 'personal' },
  ...{ content: { type: 'text', text: 'hello' }, senderSource: 'pool', isNewChat: true, mayMove: true },
  ...{ queuedAt: now, expiresAt: now + 60_000 },
  ...more,
});

const reaction = {
  ...{ type: 'reaction' as const, targetId: newMessageId(), emoji: '👍' },
  target: { providerMessageId: '3EB0AA', isOwn: true },
};

describe('the room of a number', () => {
  test('is what its queue does not hold yet, and none while it rests, is away, is deleted or keeps quiet', () => {
    const { queue, pace, health, capacity } = newNumber();
    expect(capacity.room(connected, now)).toBe(64);
    queue.add([message({})]);
    expect(capacity.room(connected, now)).toBe(63);
    expect(capacity.room({ ...connected, state: 'disconnected' }, now)).toBe(0);
    expect(capacity.room({ ...connected, removedAt: now }, now)).toBe(0);
    for (let time = 0; time < 5; time += 1) health.note({ kind: 'unanswered' }, now);
    expect(capacity.room(connected, now)).toBe(0);
    const rested = now + 30_000;
    health.at(rested);
    health.note({ kind: 'sent', ackMs: 5 }, rested);
    expect(capacity.room(connected, rested)).toBe(63);
    pace.configure({ ...unpaced, quietHours: { start: '11:30', end: '12:30' } }, 1, rested);
    expect(capacity.room(connected, rested)).toBe(0);
  });
});

test('a number that is to be tried has no room where more waits than the one message that it is tried with', () => {
  const { queue, health, capacity } = newNumber();
  queue.add([message({}), message({}), message({})]);
  for (let time = 0; time < 5; time += 1) health.note({ kind: 'unanswered' }, now);
  expect(capacity.room(connected, now + 30_000)).toBe(0);
});

test('what a number may begin today follows its warm-up, from when its phone was linked first, and has no end without one', () => {
  const { pace, capacity } = newNumber();
  expect(capacity.dailyRemaining(connected, now)).toBeNull();
  pace.configure({ ...unpaced, warmUp: [1, 3] }, 1, now);
  const yesterday = now - 86_400_000;
  const remaining = (since: { pairedAt?: number; connectedAt: number }) =>
    capacity.dailyRemaining({ ...connected, ...since }, now);
  expect(remaining({ connectedAt: yesterday })).toBe(3);
  expect(remaining({ connectedAt: now, pairedAt: yesterday })).toBe(3);
  expect(remaining({ connectedAt: now })).toBe(1);
});

test('within a lane the older message leaves first, whenever it came, and each is there once, also after an eviction', () => {
  const { sql, queue } = newNumber();
  const [older, newer] = [message({}), message({})];
  queue.add([newer]);
  queue.add([older, newer]);
  queue.storeAdded();
  for (const some of [queue, new Queue(sql)]) {
    expect(some.all.map(({ messageId }) => messageId)).toEqual([older.messageId, newer.messageId]);
    expect(some.find(newer.messageId)).toMatchObject(newer);
  }
});

test('which batches a number has taken, and whether it owes its account word of room, outlasts an eviction', () => {
  const { state } = newNumber();
  const batches = new Batches(state);
  const kept = () => {
    const { takenUpTo, isRoomOwed } = new Batches(state);
    return { takenUpTo, isRoomOwed };
  };
  batches.noteTaken(1);
  expect(kept()).toEqual({ takenUpTo: 1, isRoomOwed: false });
  batches.noteRoomTold(0);
  expect(kept()).toEqual({ takenUpTo: 1, isRoomOwed: true });
  batches.noteTaken(2);
  batches.noteRoomTold(5);
  expect(kept()).toEqual({ takenUpTo: 2, isRoomOwed: false });
});

test('the day of a number is used up by messages that wait, and not by what is only done to others', () => {
  const { queue, pace, capacity } = newNumber();
  pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
  queue.add([message({}), message({ content: reaction }), message({ content: reaction })]);
  expect(capacity.dailyRemaining(connected, now)).toBe(4);
});

test('what a number has sent today counts also where another zone is set, in which it is tomorrow', () => {
  const { pace, capacity } = newNumber();
  pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
  pace.noteLeaving(2, now);
  pace.configure({ ...unpaced, dailyLimit: 5, timeZone: 'Pacific/Kiritimati' }, 2, now);
  expect(capacity.dailyRemaining(connected, now)).toBe(3);
});

test('a number whose limit is lowered below what it has sent today may send nothing more, and no less than that', () => {
  const { pace, capacity } = newNumber();
  pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
  pace.noteLeaving(4, now);
  pace.configure({ ...unpaced, dailyLimit: 2 }, 2, now);
  expect(capacity.dailyRemaining(connected, now)).toBe(0);
});

test('what leaves on a new day counts for it', () => {
  const { pace, capacity } = newNumber();
  pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
  pace.noteLeaving(4, now);
  const tomorrow = now + 86_400_000;
  pace.noteLeaving(2, tomorrow);
  expect(capacity.dailyRemaining(connected, tomorrow)).toBe(3);
});

test('a pause that a clock going back has stretched is as long as any from now on, and then over, also in the next life', () => {
  const { sql, pace } = newNumber();
  pace.configure({ ...unpaced, minDelayMs: 1_000, maxDelayMs: 1_000 }, 1, now);
  pace.noteLeaving(1, now + 3_600_000);
  for (const some of [pace, new SenderPace(new NumberState(sql))]) {
    expect(some.at(now).nextAt).toBe(now + 1_000);
    expect(some.at(now + 900).nextAt).toBe(now + 1_000);
  }
});

test('settings of pacing that are older than what a number has change nothing', () => {
  const { sql, pace } = newNumber();
  expect(pace.configure({ ...unpaced, dailyLimit: 5 }, 2, now)).toBe(true);
  for (const some of [pace, new SenderPace(new NumberState(sql))]) {
    expect(some.configure({ ...unpaced, dailyLimit: 50 }, 1, now)).toBe(false);
    expect(some.pacing.dailyLimit).toBe(5);
  }
});

test('what a person answers leaves before what a campaign and a server have sent before, also after an eviction', () => {
  const { sql, queue } = newNumber();
  const [campaign, server, person] = [
    message({ origin: { kind: 'campaign', campaignId: 'campaign' } }),
    message({}),
    message({ origin: { kind: 'person', userId: 'person' } }),
  ];
  queue.add([campaign, server, person]);
  queue.storeAdded();
  const inTurn = [person, server, campaign].map(({ messageId }) => messageId);
  for (const some of [queue, new Queue(sql)]) {
    expect(some.all.map(({ messageId }) => messageId)).toEqual(inTurn);
  }
});

test('a message that went back is taken again when the account gives it once more', () => {
  const { queue } = newNumber();
  const given = message({});
  for (let time = 0; time < 2; time += 1) {
    queue.add([given]);
    queue.storeAdded();
    expect(queue.all).toMatchObject([given]);
    for (const one of queue.all) queue.remove(one);
  }
});

test('whoever may have had a message by another bridge is named once, and nobody else', () => {
  const { queue } = newNumber();
  const people = ['628555000001', '628555000002', '628555000003'];
  const messages = [...people, ...people].map((to) => message({ to }));
  queue.add(messages);
  queue.storeAdded();
  for (const one of queue.all) {
    if (one.to === people[0]) queue.noteHandOver(one, 'this bridge', now);
    if (one.to === people[1]) queue.noteHandOver(one, 'another', now);
  }
  expect(queue.recipientsAtOthers('this bridge')).toEqual([people[1]]);
});

test('whoever may have had a message by a bridge before this one is named, also after an eviction', () => {
  const { queue, sql } = newNumber();
  queue.add([message({ to: '628555000001' })]);
  queue.storeAdded();
  for (const bridge of ['another', 'this bridge'])
    for (const one of queue.all) queue.noteHandOver(one, bridge, now);
  for (const some of [queue, new Queue(sql)])
    expect(some.recipientsAtOthers('this bridge')).toEqual(['628555000001']);
});

test('a message that went back to the account is taken again when it comes back, also in the same life of the number', () => {
  const { queue, sql } = newNumber();
  const again = message({});
  queue.add([again]);
  queue.storeAdded();
  for (const one of queue.all) queue.remove(one);
  expect(queue.find(again.messageId)).toBeNull();
  queue.add([again]);
  queue.storeAdded();
  for (const some of [queue, new Queue(sql)])
    expect(some.all.map(({ messageId }) => messageId)).toEqual([again.messageId]);
});

test('a batch whose transaction was rolled back leaves nothing, and is taken when it comes again', () => {
  const { queue, sql } = newNumber();
  const repeated = message({});
  queue.add([repeated]);
  queue.reload();
  queue.storeAdded();
  for (const some of [queue, new Queue(sql)]) expect(some.all).toEqual([]);
  queue.add([repeated]);
  expect(queue.all).toMatchObject([{ messageId: repeated.messageId }]);
});

describe('what waits for somebody', () => {
  const waiting = ({ queue }: ReturnType<typeof newNumber>) =>
    queue.all.map(({ to, isNewChat, isAnswer = false }) => ({ to, isNewChat, isAnswer }));

  test('answers them, too, once the account says of a later message that it does, also after an eviction', () => {
    const number = newNumber();
    const [writer, other] = ['628555000001', '628555000002'];
    number.queue.add([message({ to: writer }), message({ to: other })]);
    number.queue.storeAdded();
    number.queue.add([message({ to: writer, isNewChat: false, isAnswer: true })]);
    number.queue.storeAdded();
    const answer = { to: writer, isNewChat: false, isAnswer: true };
    const expected = [answer, { to: other, isNewChat: true, isAnswer: false }, answer];
    expect(waiting(number)).toEqual(expected);
    expect(waiting({ ...number, queue: new Queue(number.sql) })).toEqual(expected);
  });

  test('still begins a chat where something is only done to a message there', () => {
    const number = newNumber();
    number.queue.add([message({}), message({ content: reaction, isNewChat: false, isAnswer: true })]);
    expect(waiting(number)[0]).toMatchObject({ isNewChat: true, isAnswer: false });
  });
});
