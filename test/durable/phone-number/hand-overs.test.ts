import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  type InboundMessage,
  type NumberFact,
  type SendOutcome,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();
const at = () => new Date().toISOString();
const sends = ({ heard: frames }: FakeBridge) => frames.filter(({ type }) => type === 'send');

afterEach(() => {
  vi.useRealTimers();
});

const untilReturned = (numberId: string, messages: number) =>
  until(async () => {
    await runDurableObjectAlarm(phoneNumber(numberId));
    return heard.returnedBy(numberId).length === messages;
  });

test('what follows to somebody with whom no chat may be begun goes back with the message that begins it, in order', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell({ type: 'network.restriction', isActive: true, until: null });
  const begins = textMessage('begins a chat', { isNewChat: true, isAnswer: false });
  const follows = textMessage('follows it');
  const other = textMessage('to somebody else', { to: '628111222333' });
  await giveBatch(numberId, begins, follows, other);
  const { messages } = await bridge.take('send');
  expect(messages.map(({ messageId }) => messageId)).toEqual([other.messageId]);
  await untilReturned(numberId, 2);
  expect(heard.returnedBy(numberId).map(({ message }) => message)).toEqual([begins, follows]);
  expect(sends(bridge)).toEqual([]);
});

test('a message that another bridge has by now stays there, though the one before could not prepare it', async () => {
  const { numberId, bridge } = await connectedNumber();
  const message = textMessage('with the next bridge');
  await giveBatch(numberId, message);
  await bridge.take('send');
  const next = await FakeBridge.link(numberId, 2);
  next.say({ type: 'link.ready' });
  await next.take('send');
  const unprepared: SendOutcome = {
    ...{ outcome: 'failed', messageId: message.messageId, handOver: 1, at: at(), code: null },
    ...{ refusal: 'unprepared', errorMessage: 'It could not be prepared.' },
  };
  await next.tell({ type: 'send.outcomes', items: [unprepared] });
  expect(await phoneNumber(numberId).outlook(message.messageId)).not.toBeNull();
  expect(sends(next)).toEqual([]);
  await next.tell({ type: 'send.outcomes', items: [{ ...unprepared, handOver: 2 }] });
  await untilReturned(numberId, 1);
});

test('what two bridges tell at once is acknowledged to each', async () => {
  const { numberId } = await connectedNumber();
  const current = await FakeBridge.link(numberId, 5);
  const earlier = await FakeBridge.link(numberId, 4);
  await earlier.take('link.welcome');
  const untouched = EventLog.prototype.take;
  const bothAreIn = Promise.withResolvers<void>();
  const log: { take(facts: Parameters<EventLog['take']>[0]): unknown } = EventLog.prototype;
  const take = vi.spyOn(log, 'take').mockImplementationOnce(async function (this: EventLog, facts) {
    await bothAreIn.promise;
    return untouched.call(this, facts);
  });
  const fact = (providerMessageId: string): NumberFact => ({
    type: 'inbound',
    items: [
      {
        ...{ providerMessageId, at: at(), chatType: 'personal', from: '628555555555', pushName: '' },
        content: { type: 'text', text: 'hello' },
      } satisfies InboundMessage,
    ],
  });
  const told = [current.tell(fact('IN1')), current.tell(fact('IN2')), earlier.tell(fact('IN3'), 90)];
  await until(() => take.mock.calls.length === 1);
  // Both are read in order, this question behind what was told.
  for (const bridge of [current, earlier]) {
    bridge.say({ type: 'content.get', requestId: 1, providerMessageId: 'UNKNOWN' });
    await bridge.take('content');
  }
  bothAreIn.resolve();
  await Promise.all(told);
  take.mockRestore();
  const acks = ({ heard: frames }: FakeBridge) =>
    frames.flatMap((frame) => (frame.type === 'fact.ack' ? [frame.seq] : []));
  expect([acks(current), acks(earlier)]).toEqual([[1, 2], [90]]);
});

test('a message bears its trace to a bridge that knows of traces, and not to one of the release before', async () => {
  const { numberId, bridge } = await connectedNumber();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await giveBatch(numberId, textMessage('traced', { traceparent }));
  expect((await bridge.take('send')).messages).toMatchObject([{ traceparent }]);
  const older = await FakeBridge.link(numberId, 2, newUuid(), bridgeProtocolVersion - 1);
  older.say({ type: 'link.ready' });
  const [again] = (await older.take('send')).messages;
  expect(again).not.toHaveProperty('traceparent');
});

test('a number whose link went with a crash counts as away once its bridge does not come back', async () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const { numberId } = await connectedNumber();
  await runInDurableObject(phoneNumber(numberId), (_, { storage }) => {
    (storage as unknown as { sockets: object[] }).sockets.length = 0;
  });
  await evictDurableObject(phoneNumber(numberId));
  expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'connected' });
  vi.setSystemTime(start + 120_000);
  await until(async () => {
    await runDurableObjectAlarm(phoneNumber(numberId));
    return (await phoneNumber(numberId).device()).state === 'disconnected';
  });
});

test('a message that has left has five seconds from the end of its own time on for its outcome, whatever ends meanwhile', async () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const { numberId, bridge } = await connectedNumber();
  const [first, second] = [10_000, 14_000].map((ms) => textMessage('on its way', { expiresAt: start + ms }));
  if (!first || !second) throw new Error('two messages were made');
  await giveBatch(numberId, first, second);
  await bridge.take('send');
  const areThereAt = async (ms: number) => {
    vi.setSystemTime(start + ms);
    await runDurableObjectAlarm(phoneNumber(numberId));
    const outlooks = await Promise.all(
      [first, second].map(({ messageId }) => phoneNumber(numberId).outlook(messageId)),
    );
    return outlooks.map((outlook) => outlook !== null);
  };
  expect(await areThereAt(14_999)).toEqual([true, true]);
  expect(await areThereAt(15_000)).toEqual([false, true]);
  expect(await areThereAt(18_999)).toEqual([false, true]);
  expect(await areThereAt(19_000)).toEqual([false, false]);
});
