import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import { defaultPacing, type Pacing } from '../../../src/contract/numbers/sender-settings.ts';
import type { AcceptedMessage } from '../../../src/durable/hand-over/message-batch.ts';
import { Queue } from '../../../src/durable/phone-number/queue/queue.ts';
import { until } from '../until.ts';
import { connectedNumber, type FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const noteHandOverOf = Queue.prototype.noteHandOver;
const at = () => new Date().toISOString();
const hourMs = 3_600_000;
const unpaced = (more: Partial<Pacing>): Pacing => ({
  ...defaultPacing,
  minDelayMs: 0,
  maxDelayMs: 0,
  ...more,
});

/** The texts that the bridge was handed, in order. */
const handed = (bridge: FakeBridge) =>
  bridge.heard.flatMap((frame) =>
    frame.type === 'send' ? frame.messages.map(({ content }) => textOf(content)) : [],
  );

/** Sets the clock of the objects; their alarms are rung by hand. */
function clockAt(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));

async function enqueue(numberId: string, ...messages: AcceptedMessage[]): Promise<void> {
  await giveBatch(numberId, ...messages);
}

/** The network takes everything that the bridge was handed. */
async function takeAll(bridge: FakeBridge): Promise<void> {
  const items = bridge.heard.flatMap((frame) =>
    frame.type === 'send'
      ? frame.messages.map(({ messageId }) => ({
          outcome: 'sent' as const,
          handOver: 1,
          messageId,
          at: at(),
          ackMs: 5,
        }))
      : [],
  );
  await bridge.tell({ type: 'send.outcomes', items });
}

const heard = new HeardNews();

afterEach(() => {
  vi.useRealTimers();
});

describe('a paced number', () => {
  test('lets its messages go one at a time, in order, with at least the shortest pause between two', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 40, maxDelayMs: 60 });
    const handedAt: number[] = [];
    const noteHandOver = vi.spyOn(Queue.prototype, 'noteHandOver');
    noteHandOver.mockImplementation(function (this: Queue, message, handedTo, at) {
      handedAt.push(at);
      noteHandOverOf.call(this, message, handedTo, at);
    });
    await enqueue(numberId, ...['one', 'two', 'three', 'four'].map((text) => textMessage(text)));
    await until(() => handed(bridge).length === 4);
    noteHandOver.mockRestore();
    expect(handed(bridge)).toEqual(['one', 'two', 'three', 'four']);
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toHaveLength(4);
    for (let next = 1; next < handedAt.length; next += 1) {
      expect((handedAt[next] ?? 0) - (handedAt[next - 1] ?? 0)).toBeGreaterThanOrEqual(40);
    }
  });

  test('says of what waits why and until when, and keeps its pause over an eviction', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 60_000, maxDelayMs: 60_000 });
    const [first, second, third] = [textMessage('one'), textMessage('two'), textMessage('three')];
    await enqueue(numberId, first, second, third);
    await until(() => handed(bridge).length === 1);
    await evictDurableObject(phoneNumber(numberId));
    expect(await phoneNumber(numberId).outlook(first.messageId)).toMatchObject({ heldReason: null });
    const waiting = await phoneNumber(numberId).outlook(second.messageId);
    expect(waiting).toMatchObject({ heldReason: 'pacing' });
    const last = await phoneNumber(numberId).outlook(third.messageId);
    expect((last?.expectedAt ?? 0) - (waiting?.expectedAt ?? 0)).toBe(60_000);
    await ring(numberId);
    expect(handed(bridge)).toEqual(['one']);
    clockAt(Date.now() + 60_000);
    await ring(numberId);
    await until(() => handed(bridge).length === 2);
  });

  test('whose clock goes back a day waits no longer than its longest pause', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 60_000, maxDelayMs: 60_000 });
    await enqueue(numberId, textMessage('one'), textMessage('two'));
    await until(() => handed(bridge).length === 1);
    clockAt(Date.now() - 24 * hourMs);
    await phoneNumber(numberId).forecast({ recipient: '628999888777', isNewChat: false, ahead: 0 });
    await evictDurableObject(phoneNumber(numberId));
    vi.setSystemTime(Date.now() + 60_000);
    await ring(numberId);
    await until(() => handed(bridge).length === 2);
  });

  test('types before a text where that is wanted', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ typing: true }));
    await enqueue(numberId, textMessage('x'.repeat(50)));
    expect((await bridge.take('send')).messages[0]?.typingMs).toBe(1500);
  });

  test('keeps its distance from one recipient without holding up the others', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ recipientIntervalMs: 10 * 60_000 }));
    const toOther = { to: '628111222333' };
    const first = textMessage('one to one');
    const again = textMessage('two to one');
    await enqueue(numberId, first, again, textMessage('three to one'), textMessage('to another', toOther));
    await until(() => handed(bridge).length === 2);
    expect(handed(bridge)).toEqual(['one to one', 'to another']);
    expect(await phoneNumber(numberId).outlook(again.messageId)).toMatchObject({
      heldReason: 'recipient_interval',
    });
    await takeAll(bridge);
    await evictDurableObject(phoneNumber(numberId));
    clockAt(Date.now() + 10 * 60_000);
    await ring(numberId);
    await until(() => handed(bridge).length === 3);
    expect(handed(bridge).at(-1)).toBe('two to one');
  });

  test('takes new settings at once', async () => {
    const { numberId, bridge } = await connectedNumber();
    const quietHours = { start: '00:00', end: '23:59' };
    clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
    await phoneNumber(numberId).configure(unpaced({ quietHours }));
    await enqueue(numberId, textMessage('patient'));
    expect(handed(bridge)).toEqual([]);
    await phoneNumber(numberId).configure(unpaced({}));
    await until(() => handed(bridge).length === 1);
  });

  test('takes no more than it sends in a minute or so, and says when it has room again', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 60_000, maxDelayMs: 60_000 });
    const first = textMessage('one');
    expect(await giveBatch(numberId, first)).toMatchObject({ room: 1 });
    expect(await giveBatch(numberId, textMessage('two'))).toMatchObject({ room: 0 });
    await until(() => handed(bridge).length === 1);
    await takeAll(bridge);
    await until(() => {
      const report = heard.lastReport(numberId);
      return report?.room === 1 && report.takenUpTo === 2;
    });
  });

  test('says that it has room again also when its account did not answer at first', async () => {
    const { numberId, bridge } = await connectedNumber();
    await giveBatch(numberId, ...Array.from({ length: 64 }, (_, index) => textMessage(`text ${index}`)));
    await until(() => handed(bridge).length === 32);
    await evictDurableObject(phoneNumber(numberId));
    heard.isAway = true;
    await takeAll(bridge);
    heard.isAway = false;
    await until(async () => {
      await ring(numberId);
      return (heard.lastReport(numberId)?.room ?? 0) >= 32;
    });
  });
});

describe('the daily limit of a number', () => {
  test('holds over evictions, passes for replies, and begins anew at midnight of its zone, at the end of a month', async () => {
    clockAt(Date.parse('2037-10-31T15:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ dailyLimit: 2, timeZone: 'Asia/Jakarta' }));
    const third = textMessage('three', { to: '628333333333', isAnswer: false });
    expect(await giveBatch(numberId, textMessage('one'), textMessage('two'))).toMatchObject({
      dailyRemaining: 0,
    });
    await until(() => handed(bridge).length === 2);
    await takeAll(bridge);
    await evictDurableObject(phoneNumber(numberId));
    // What its day has no room for goes back.
    await enqueue(numberId, third);
    await until(async () => {
      await ring(numberId);
      return heard.returnedBy(numberId).length === 1;
    });
    expect(heard.returnedBy(numberId)).toMatchObject([{ message: third, reason: 'facts_changed' }]);
    expect(
      await phoneNumber(numberId).forecast({ recipient: third.to, isNewChat: false, ahead: 0 }),
    ).toMatchObject({ heldReason: 'daily_limit', expectedAt: Date.parse('2037-10-31T17:00:00.000Z') });
    await enqueue(numberId, textMessage('four', { to: '628444444444', isAnswer: true }));
    await until(() => handed(bridge).length === 3);
    expect(handed(bridge).at(-1)).toBe('four');
    await takeAll(bridge);
    vi.setSystemTime('2037-10-31T16:59:59.000Z');
    await ring(numberId);
    expect((await giveBatch(numberId)).dailyRemaining).toBe(0);
    vi.setSystemTime('2037-10-31T17:00:00.000Z');
    expect((await giveBatch(numberId)).dailyRemaining).toBe(2);
    await enqueue(numberId, third);
    await until(() => handed(bridge).length === 4);
  });

  test('counts a message once, however often it comes back without having left', async () => {
    clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ dailyLimit: 2 }));
    const message = textMessage('comes back');
    await enqueue(numberId, message);
    for (let handOver = 1; handOver <= 3; handOver += 1) {
      await bridge.take('send');
      await bridge.tell({
        type: 'send.outcomes',
        items: [{ outcome: 'returned', handOver, messageId: message.messageId }],
      });
    }
    await bridge.take('send');
    await enqueue(numberId, textMessage('second of the day'));
    expect((await bridge.take('send')).messages[0]?.content).toMatchObject({ text: 'second of the day' });
    expect((await giveBatch(numberId)).dailyRemaining).toBe(0);
  });

  test('of a new number follows its warm-up by the day', async () => {
    clockAt(Date.parse('2037-05-10T23:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ warmUp: [1, 2] }));
    expect((await giveBatch(numberId)).dailyRemaining).toBe(1);
    await enqueue(numberId, textMessage('one'));
    await until(() => handed(bridge).length === 1);
    expect(
      await phoneNumber(numberId).forecast({ recipient: '628111222333', isNewChat: false, ahead: 0 }),
    ).toMatchObject({ heldReason: 'warm_up' });
    vi.setSystemTime('2037-05-11T00:00:00.000Z');
    expect((await giveBatch(numberId)).dailyRemaining).toBe(2);
    vi.setSystemTime('2037-05-12T00:00:00.000Z');
    expect((await giveBatch(numberId)).dailyRemaining).toBeNull();
  });
});

describe('quiet hours of a number', () => {
  test('end when the clocks of its zone say so, in the night in which summer time begins', async () => {
    clockAt(Date.parse('2037-03-28T22:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    const quietHours = { start: '22:00', end: '07:00' };
    await phoneNumber(numberId).configure(unpaced({ quietHours, timeZone: 'Europe/Berlin' }));
    const message = textMessage('good morning');
    await enqueue(numberId, message);
    const opensAt = Date.parse('2037-03-29T05:00:00.000Z');
    expect(await phoneNumber(numberId).outlook(message.messageId)).toMatchObject({
      heldReason: 'quiet_hours',
      expectedAt: opensAt,
    });
    expect(
      await phoneNumber(numberId).forecast({ recipient: '628111222333', isNewChat: true, ahead: 0 }),
    ).toMatchObject({ heldReason: 'quiet_hours' });
    await evictDurableObject(phoneNumber(numberId));
    vi.setSystemTime(opensAt - 1);
    await ring(numberId);
    expect(handed(bridge)).toEqual([]);
    vi.setSystemTime(opensAt);
    await ring(numberId);
    await until(() => handed(bridge).length === 1);
  });
});
