import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { defaultAccountSettings } from '../../../src/contract/account-settings.ts';
import { defaultPacing, type Pacing } from '../../../src/contract/numbers/sender-settings.ts';
import { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import { Queue } from '../../../src/durable/phone-number/queue/queue.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();
const at = () => new Date().toISOString();
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));
const clockAt = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
const paced = (more: Partial<Pacing>): Pacing => ({
  ...defaultPacing,
  minDelayMs: 0,
  maxDelayMs: 0,
  ...more,
});
const initiative = (text: string) => textMessage(text, { isAnswer: false });

afterEach(() => {
  vi.useRealTimers();
  heard.rerouteAfterMs = defaultAccountSettings.rerouteAfterMs;
});

/** The next bridge of the number, which takes work. */
async function nextBridge(numberId: string, epoch = 2): Promise<FakeBridge> {
  const next = await FakeBridge.link(numberId, epoch);
  next.say({ type: 'link.ready' });
  await next.take('session.start');
  return next;
}

test('a message counts once for the day of its number, though the next bridge is handed it too', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ dailyLimit: 3 }));
  await giveBatch(numberId, initiative('sent, or not?'));
  await bridge.take('send');
  vi.setSystemTime(Date.now() + 1_000);
  const next = await nextBridge(numberId);
  await next.take('send');
  expect(await giveBatch(numberId)).toMatchObject({ dailyRemaining: 2 });
});

test('a link that is ready in the same millisecond as the one before is another: what that one was handed is handed over again', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await giveBatch(numberId, initiative('sent, or not?'));
  const [first] = (await bridge.take('send')).messages;
  const next = await nextBridge(numberId);
  const [again] = (await next.take('send')).messages;
  expect(again).toMatchObject({ messageId: first?.messageId, handOver: 2, handedTo: 'another' });
  // In a new life it is known over which of the two it was handed last.
  await evictDurableObject(phoneNumber(numberId));
  await giveBatch(numberId, initiative('behind it'));
  expect((await next.take('send')).messages).toMatchObject([{ content: { text: 'behind it' } }]);
});

test('no more messages leave together than the day has room for: the others go back', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ dailyLimit: 2 }));
  const messages = ['one', 'two', 'three'].map(initiative);
  await giveBatch(numberId, ...messages);
  expect((await bridge.take('send')).messages).toHaveLength(2);
  await until(async () => {
    await ring(numberId);
    return heard.returnedBy(numberId).length === 1;
  });
  expect(heard.returnedBy(numberId)).toMatchObject([{ message: messages[2], reason: 'facts_changed' }]);
});

test.each(['returned', 'failed'] as const)(
  'the day of a number has nothing back for what was to be done to a message and was %s',
  async (outcome) => {
    clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(paced({ dailyLimit: 2 }));
    await giveBatch(numberId, initiative('sent'));
    await bridge.take('send');
    const reaction = textMessage('', {
      content: {
        ...{ type: 'reaction', targetId: newMessageId(), emoji: '👍' },
        target: { providerMessageId: '3EB0AA', isOwn: false, author: '628999888777' },
      },
    });
    await giveBatch(numberId, reaction);
    await bridge.take('send');
    const { messageId } = reaction;
    const item = { handOver: 1, messageId };
    await bridge.tell({
      type: 'send.outcomes',
      items: [
        outcome === 'returned'
          ? { ...item, outcome }
          : { ...item, outcome, at: at(), code: null, errorMessage: 'Nothing is there.' },
      ],
    });
    expect(await giveBatch(numberId)).toMatchObject({ dailyRemaining: 1 });
  },
);

test('the warm-up of a number goes on where its session comes back', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ warmUp: [1, 2] }));
  vi.setSystemTime('2037-05-11T10:00:00.000Z');
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
  expect(await giveBatch(numberId)).toMatchObject({ dailyRemaining: 2 });
  await giveBatch(numberId, initiative('one'), initiative('two'));
  expect((await bridge.take('send')).messages).toHaveLength(2);
});

test('a number that is tried after a rest sends one message, also where the next bridge is handed that again', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  const refused = textMessage('too much');
  await giveBatch(numberId, refused);
  await bridge.take('send');
  const outcome = { outcome: 'failed', handOver: 1, messageId: refused.messageId, at: at() } as const;
  await bridge.tell({
    type: 'send.outcomes',
    items: [{ ...outcome, code: '429', errorMessage: 'Too much.' }],
  });
  await giveBatch(numberId, textMessage('trial'), textMessage('waits for it'));
  vi.setSystemTime(Date.now() + 30_001);
  await ring(numberId);
  expect((await bridge.take('send')).messages).toHaveLength(1);
  const next = await nextBridge(numberId);
  expect((await next.take('send')).messages).toMatchObject([{ content: { text: 'trial' } }]);
  await phoneNumber(numberId).configure(paced({}), 1);
  expect(next.heard.filter(({ type }) => type === 'send')).toEqual([]);
});

test('a paced number keeps its pauses also with what the next bridge is handed again', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ minDelayMs: 60_000, maxDelayMs: 60_000 }));
  await giveBatch(numberId, textMessage('one'), textMessage('two'));
  await bridge.take('send');
  vi.setSystemTime(Date.now() + 60_000);
  await ring(numberId);
  await bridge.take('send');
  vi.setSystemTime(Date.now() + 60_000);
  const next = await nextBridge(numberId);
  expect((await next.take('send')).messages).toHaveLength(1);
});

test('a forecast counts what waits in the queue of the number', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ minDelayMs: 60_000, maxDelayMs: 60_000 }));
  const forecast = async () =>
    (await phoneNumber(numberId).forecast({ recipient: '628111222333', isNewChat: false, ahead: 1 }))
      .expectedAt;
  const before = await forecast();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  await giveBatch(numberId, textMessage('one'), textMessage('two'));
  expect(await forecast()).toBe(before + 2 * 60_000);
});

test('a forecast for what a person answers counts nothing of what waits for servers and campaigns', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ minDelayMs: 60_000, maxDelayMs: 60_000 }));
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  const campaign = { kind: 'campaign', campaignId: newUuid() } as const;
  await giveBatch(numberId, textMessage('one'), textMessage('two', { origin: campaign }));
  const recipient = '628111222333';
  const minutes = await Promise.all(
    (['person', 'server', 'campaign', undefined] as const).map(async (lane) => {
      const asked = { recipient, isNewChat: false, ahead: 0, ...(lane && { lane }) };
      return ((await phoneNumber(numberId).forecast(asked)).expectedAt - Date.now()) / 60_000;
    }),
  );
  expect(minutes).toEqual([0, 1, 2, 2]);
});

test('of what waits the first message is said to leave after the pause, and each other one a pause later', async () => {
  const start = Date.parse('2037-05-10T10:00:00.000Z');
  clockAt(start);
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ minDelayMs: 60_000, maxDelayMs: 60_000 }));
  const messages = ['leaves', 'is the next', 'is behind it'].map((text) => textMessage(text));
  await giveBatch(numberId, ...messages);
  await bridge.take('send');
  const outlooks = await Promise.all(
    messages.map(({ messageId }) => phoneNumber(numberId).outlook(messageId)),
  );
  expect(outlooks.map((outlook) => outlook?.expectedAt)).toEqual([null, start + 60_000, start + 120_000]);
});

test('when a message leaves that waits for its number to be connected is not said', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  const message = textMessage('waits here');
  await giveBatch(numberId, message);
  expect(await phoneNumber(numberId).outlook(message.messageId)).toEqual({
    heldReason: 'not_connected',
    expectedAt: null,
  });
});

test('after how long its account wants messages back a number knows also after an eviction', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  heard.rerouteAfterMs = 600_000;
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  await until(async () => heard.lastReport(numberId)?.state === 'disconnected');
  const message = textMessage('waits here');
  await giveBatch(numberId, message);
  await evictDurableObject(phoneNumber(numberId));
  vi.setSystemTime(Date.now() + 300_000);
  await ring(numberId);
  expect(await phoneNumber(numberId).outlook(message.messageId)).not.toBeNull();
  vi.setSystemTime(Date.now() + 300_000);
  await until(async () => {
    await ring(numberId);
    return heard.returnedBy(numberId).length === 1;
  });
});

test('a banned number whose keys are gone is looked at no more', async () => {
  const start = Date.now();
  clockAt(start);
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell({ type: 'session.ended', reason: 'banned', at: at() });
  vi.setSystemTime(start + 7 * 86_400_000);
  await until(async () => {
    await ring(numberId);
    const alarm = await runInDurableObject(phoneNumber(numberId), (_, { storage }) => storage.getAlarm());
    return alarm === null || alarm > Date.now() + 60_000;
  });
});

test('what was under way when a session was lost makes no room for more than may be under way', async () => {
  const { numberId } = await connectedNumber();
  await giveBatch(numberId, ...['one', 'two', 'three'].map((text) => textMessage(text)));
  const next = await nextBridge(numberId);
  await next.take('send');
  await next.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  await next.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
  await giveBatch(numberId, ...Array.from({ length: 40 }, (_, index) => textMessage(`new ${index}`)));
  expect((await next.take('send')).messages).toHaveLength(32);
});

test('what may have left goes to the next bridge all together, also where that is more than may be under way anew', async () => {
  const { numberId, bridge } = await connectedNumber();
  const give = (count: number) =>
    giveBatch(numberId, ...Array.from({ length: count }, (_, index) => textMessage(`text ${index}`)));
  await give(32);
  await bridge.take('send');
  const next = await nextBridge(numberId);
  await next.take('send');
  await give(10);
  await next.take('send');
  await evictDurableObject(phoneNumber(numberId));
  await give(10);
  await next.take('send');
  const third = await nextBridge(numberId, 3);
  expect((await third.take('send')).messages).toHaveLength(52);
});

test('what the next bridge was handed again and has told of makes no room for more than may be under way', async () => {
  const { numberId } = await connectedNumber();
  const messages = ['one', 'two', 'three'].map((text) => textMessage(text));
  await giveBatch(numberId, ...messages);
  const next = await nextBridge(numberId);
  await next.take('send');
  const items = messages.map(({ messageId }) => ({
    ...{ outcome: 'sent' as const, handOver: 2, messageId, at: at() },
  }));
  await next.tell({ type: 'send.outcomes', items });
  await giveBatch(numberId, ...Array.from({ length: 40 }, (_, index) => textMessage(`new ${index}`)));
  expect((await next.take('send')).messages).toHaveLength(32);
});

test('a message that leaves again takes no place of the day from those that leave with it', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ dailyLimit: 3 }));
  await giveBatch(numberId, initiative('sent, or not?'));
  await bridge.take('send');
  vi.setSystemTime(Date.now() + 1_000);
  const next = await FakeBridge.link(numberId, 2);
  await giveBatch(numberId, initiative('two'), initiative('three'));
  next.say({ type: 'link.ready' });
  expect((await next.take('send')).messages).toHaveLength(3);
});

test('a number that is to be paired asks for a bridge again until there is one', async () => {
  const acquire = vi.spyOn(BridgeFleet.prototype, 'acquire');
  const start = Date.now();
  clockAt(start);
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId: newUuid(), numberId });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const asked = () => acquire.mock.calls.filter(([asking]) => asking === numberId).length;
  expect(asked()).toBe(1);
  vi.setSystemTime(start + 5_000);
  await ring(numberId);
  expect(asked()).toBe(2);
  acquire.mockRestore();
});

test('a question that was answered meanwhile rests no longer than the first time when the network limits it again', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.take('query');
  clockAt(Date.now());
  const verb = 'groups.sync' as const;
  const limited = async () => {
    const asked = phoneNumber(numberId).askNetwork({ verb });
    const { queryId } = await bridge.take('query');
    bridge.say({ type: 'query.failed', queryId, verb, failure: { reason: 'rate_limited' } });
    expect(await asked).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
  };
  await limited();
  vi.setSystemTime(Date.now() + 30_001);
  const answered = phoneNumber(numberId).askNetwork({ verb });
  const { queryId } = await bridge.take('query');
  bridge.say({ type: 'query.result', queryId, answer: {} });
  expect(await answered).toMatchObject({ ok: true });
  await limited();
});

test('a number takes what its account gives it also where that has left numbers of batches out', async () => {
  const { numberId, bridge } = await connectedNumber();
  const batch = { batchNumber: 7, messages: [textMessage('behind a gap')] };
  expect(await phoneNumber(numberId).take(batch)).toMatchObject({ takenUpTo: 7 });
  await bridge.take('send');
});

test('an account that was told of a full queue is told again when half of it is free', async () => {
  const { numberId, bridge } = await connectedNumber();
  const messages = Array.from({ length: 64 }, (_, index) => textMessage(`text ${index}`));
  expect(await giveBatch(numberId, ...messages)).toMatchObject({ room: 0 });
  const sent = (some: typeof messages) => ({
    type: 'send.outcomes' as const,
    items: some.map(({ messageId }) => ({
      ...{ outcome: 'sent' as const, handOver: 1, messageId, at: at() },
    })),
  });
  await bridge.tell(sent(messages.slice(0, 31)));
  expect(heard.lastReport(numberId)?.room).not.toBe(31);
  await bridge.tell(sent(messages.slice(31, 32)));
  await until(() => heard.lastReport(numberId)?.room === 32);
});

test('quiet hours that were just set are told to the account when they begin', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId } = await connectedNumber();
  const told = () => heard.lastReport(numberId)?.perMinute;
  await until(async () => {
    await ring(numberId);
    return (told() ?? 0) > 0;
  });
  await phoneNumber(numberId).configure(paced({ quietHours: { start: '11:00', end: '12:00' } }));
  await ring(numberId);
  vi.setSystemTime('2037-05-10T11:00:00.000Z');
  await until(async () => {
    await ring(numberId);
    return told() === 0;
  });
});

test('a number whose session is to be closed is disconnected at once, whenever its bridge hears of it', async () => {
  const { numberId } = await connectedNumber();
  await phoneNumber(numberId).disconnectSession();
  expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'disconnected' });
});

test('what a number may send on a new day is told to the account, also where the day before was not used up', async () => {
  clockAt(Date.parse('2037-05-10T23:00:00.000Z'));
  const { numberId } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ dailyLimit: 3 }));
  const remains = (messages: number) =>
    until(async () => {
      await ring(numberId);
      return heard.lastReport(numberId)?.dailyRemaining === messages;
    });
  await remains(3);
  await giveBatch(numberId, textMessage('of this day'));
  await phoneNumber(numberId).configure(paced({ dailyLimit: 3 }), 1);
  await remains(2);
  vi.setSystemTime('2037-05-11T00:00:00.000Z');
  await remains(3);
});

test('of two recipients that a number keeps its distance from, each gets the next message when their own time is over', async () => {
  const start = Date.parse('2037-05-10T10:00:00.000Z');
  clockAt(start);
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ recipientIntervalMs: 600_000 }));
  const [first, second] = ['628111222333', '628111222334'];
  await giveBatch(numberId, textMessage('one', { to: first }));
  vi.setSystemTime(start + 300_000);
  await giveBatch(numberId, textMessage('one', { to: second }));
  await giveBatch(numberId, textMessage('two', { to: first }), textMessage('two', { to: second }));
  const networkTakesOne = async () => {
    const { messages } = await bridge.take('send');
    const items = messages.map(({ messageId }) => ({
      ...{ outcome: 'sent' as const, handOver: 1, messageId, at: at() },
    }));
    await bridge.tell({ type: 'send.outcomes', items });
    return messages;
  };
  for (let sent = 0; sent < 2; sent += 1) await networkTakesOne();
  for (const [to, time] of [
    [first, start + 600_000],
    [second, start + 900_000],
  ] as const) {
    vi.setSystemTime(time);
    await ring(numberId);
    expect(await networkTakesOne()).toMatchObject([{ to, content: { text: 'two' } }]);
  }
});

test('the network may take longer to tell all groups of a number than to answer anything else', async () => {
  const { numberId, bridge } = await connectedNumber();
  const groups = await bridge.take('query');
  await phoneNumber(numberId).watchChat('628555000001');
  const other = await bridge.take('query');
  expect([groups.query.verb, other.query.verb]).toEqual(['groups.sync', 'chats.watch']);
  expect(groups.deadlineMs).toBeGreaterThan(other.deadlineMs);
});

test('what a number was sending when it was deleted is handed to no other bridge', async () => {
  const { numberId, bridge } = await connectedNumber();
  await giveBatch(numberId, textMessage('on its way'));
  await bridge.take('send');
  await phoneNumber(numberId).remove();
  const next = await FakeBridge.link(numberId, 2);
  next.say({ type: 'link.ready' });
  await next.take('session.stop');
  await ring(numberId);
  expect(next.heard.filter(({ type }) => type === 'send')).toEqual([]);
});

test('a message is to leave its bridge before its time is over, by what is left of that', async () => {
  clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
  const { numberId, bridge } = await connectedNumber();
  await giveBatch(numberId, textMessage('for a minute', { expiresAt: Date.now() + 60_000 }));
  expect((await bridge.take('send')).messages).toMatchObject([{ expiresInMs: 60_000 }]);
});

test('what an account wants back goes there at once, though nothing else happens', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
  const message = textMessage('not wanted any more');
  await giveBatch(numberId, message);
  const isAlarmDue = () =>
    runInDurableObject(phoneNumber(numberId), async (_, { storage }) => {
      const alarm = await storage.getAlarm();
      return alarm !== null && alarm <= Date.now() + 10_000;
    });
  await until(async () => {
    await ring(numberId);
    return !(await isAlarmDue());
  });
  await phoneNumber(numberId).giveBack([message.messageId]);
  expect(await isAlarmDue()).toBe(true);
  await ring(numberId);
  expect(heard.returnedBy(numberId)).toMatchObject([{ message, reason: 'cancelled' }]);
});

test('a forecast for an answer does not wait for the day after one that is used up', async () => {
  const start = Date.parse('2037-05-10T10:00:00.000Z');
  clockAt(start);
  const { numberId, bridge } = await connectedNumber();
  await phoneNumber(numberId).configure(paced({ dailyLimit: 1 }));
  await giveBatch(numberId, initiative('the only one of this day'));
  await bridge.take('send');
  const forecast = async (isAnswer: boolean) =>
    (
      await phoneNumber(numberId).forecast({
        recipient: '628111222333',
        isNewChat: false,
        isAnswer,
        ahead: 0,
      })
    ).expectedAt;
  expect([await forecast(true), await forecast(false)]).toEqual([
    start,
    Date.parse('2037-05-11T00:00:00.000Z'),
  ]);
});

test('after an eviction, too, what was handed over first is the first that has waited too long for the network', async () => {
  const start = Date.parse('2037-05-10T10:00:00.000Z');
  clockAt(start);
  const { numberId, bridge } = await connectedNumber();
  const campaign = { origin: { kind: 'campaign', campaignId: newUuid() } } as const;
  await giveBatch(numberId, ...Array.from({ length: 5 }, () => textMessage('of a campaign', campaign)));
  await bridge.take('send');
  vi.setSystemTime(start + 50_000);
  await giveBatch(numberId, textMessage('by a person', { origin: { kind: 'person', userId: newUuid() } }));
  await bridge.take('send');
  await evictDurableObject(phoneNumber(numberId));
  vi.setSystemTime(start + 61_000);
  await ring(numberId);
  expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'resting' });
});

test('a batch that could not be stored is taken when its account gives it once more', async () => {
  const { numberId, bridge } = await connectedNumber();
  const message = textMessage('once');
  const batch = { batchNumber: 1, messages: [message] };
  const storeAdded = vi.spyOn(Queue.prototype, 'storeAdded').mockImplementationOnce(() => {
    throw new Error('no room');
  });
  await expect(phoneNumber(numberId).take(batch)).rejects.toThrow('no room');
  storeAdded.mockRestore();
  expect(await phoneNumber(numberId).take(batch)).toMatchObject({ takenUpTo: 1 });
  expect((await bridge.take('send')).messages).toMatchObject([{ messageId: message.messageId, handOver: 1 }]);
});
