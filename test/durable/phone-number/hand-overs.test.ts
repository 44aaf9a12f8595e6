import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { InboundMessage, NumberFact, SendOutcome } from '../../../src/contract/bridge/bridge-frames.ts';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();
const at = () => new Date().toISOString();
const sends = ({ heard: frames }: FakeBridge) => frames.filter(({ type }) => type === 'send');

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
