import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultPacing, type Pacing } from '../../src/contract/sender-settings.ts';
import type { AdmittedMessage } from '../../src/durable/phone-number/outbound-message.ts';
import { connectedNumber, type FakeBridge, phoneNumber, textMessage } from './fake-bridge.ts';
import { until } from './until.ts';

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
    frame.type === 'send' ? frame.messages.map(({ content }) => content.text) : [],
  );

/** Sets the clock of the objects; their alarms are rung by hand. */
function clockAt(now: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now });
}
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));

async function enqueue(numberId: string, ...messages: AdmittedMessage[]): Promise<void> {
  for (const message of messages) await phoneNumber(numberId).enqueue(message);
}

/** The network takes everything that the bridge was handed. */
async function takeAll(bridge: FakeBridge): Promise<void> {
  const items = bridge.heard.flatMap((frame) =>
    frame.type === 'send'
      ? frame.messages.map(({ messageId }) => ({ outcome: 'sent' as const, messageId, at: at(), ackMs: 5 }))
      : [],
  );
  await bridge.tell({ type: 'send.outcomes', items });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a paced number', () => {
  test('lets its messages go one at a time, in order, with at least the shortest pause between two', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...defaultPacing, minDelayMs: 40, maxDelayMs: 60 });
    await enqueue(numberId, ...['one', 'two', 'three', 'four'].map((text) => textMessage(text)));
    await until(() => handed(bridge).length === 4);
    expect(handed(bridge)).toEqual(['one', 'two', 'three', 'four']);
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toHaveLength(4);
    const handedAt = await runInDurableObject(phoneNumber(numberId), (_, { storage }) =>
      storage.sql
        .exec<{ handed_at: number }>('SELECT handed_at FROM messages ORDER BY place')
        .toArray()
        .map((row) => row.handed_at),
    );
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
    expect(await phoneNumber(numberId).message(first.messageId)).toMatchObject({ heldReason: null });
    const waiting = await phoneNumber(numberId).message(second.messageId);
    expect(waiting).toMatchObject({ status: 'queued', heldReason: 'pacing' });
    const last = await phoneNumber(numberId).message(third.messageId);
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
    await phoneNumber(numberId).forecast({ recipient: '628999888777', isNewChat: false });
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
    const again = textMessage('two to one');
    await enqueue(
      numberId,
      textMessage('one to one'),
      again,
      textMessage('three to one'),
      textMessage('to another', toOther),
    );
    await until(() => handed(bridge).length === 2);
    expect(handed(bridge)).toEqual(['one to one', 'to another']);
    expect(await phoneNumber(numberId).message(again.messageId)).toMatchObject({
      heldReason: 'recipient_interval',
    });
    await evictDurableObject(phoneNumber(numberId));
    clockAt(Date.now() + 10 * 60_000);
    await ring(numberId);
    await until(() => handed(bridge).length === 3);
    expect(handed(bridge).at(-1)).toBe('two to one');
  });

  test('takes new settings at once', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ dailyLimit: 0 }));
    await enqueue(numberId, textMessage('patient'));
    expect(handed(bridge)).toEqual([]);
    await phoneNumber(numberId).configure(unpaced({}));
    await until(() => handed(bridge).length === 1);
  });
});

describe('the daily limit of a number', () => {
  test('holds over evictions, passes for replies, and begins anew at midnight of its zone, at the end of a month', async () => {
    clockAt(Date.parse('2026-10-31T15:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ dailyLimit: 2, timeZone: 'Asia/Jakarta' }));
    const third = textMessage('three', { to: '628333333333' });
    await enqueue(numberId, textMessage('one'), textMessage('two'), third);
    await until(() => handed(bridge).length === 2);
    await takeAll(bridge);
    await evictDurableObject(phoneNumber(numberId));
    await enqueue(numberId, textMessage('four', { to: '628444444444' }));
    expect(handed(bridge)).toEqual(['one', 'two']);
    expect(await phoneNumber(numberId).message(third.messageId)).toMatchObject({
      heldReason: 'daily_limit',
      expectedAt: Date.parse('2026-10-31T17:00:00.000Z'),
    });
    await bridge.tell({
      type: 'inbound',
      items: [
        {
          providerMessageId: 'IN1',
          at: at(),
          chatType: 'personal',
          from: '628444444444',
          pushName: 'Four',
          messageType: 'text',
          text: 'please',
        },
      ],
    });
    await until(() => handed(bridge).length === 3);
    expect(handed(bridge).at(-1)).toBe('four');
    vi.setSystemTime('2026-10-31T16:59:59.000Z');
    await ring(numberId);
    expect(handed(bridge)).toHaveLength(3);
    vi.setSystemTime('2026-10-31T17:00:00.000Z');
    await ring(numberId);
    await until(() => handed(bridge).length === 4);
  });

  test('counts a message once, however often it comes back without having left', async () => {
    clockAt(Date.parse('2026-05-10T10:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ dailyLimit: 2 }));
    const message = textMessage('comes back');
    await enqueue(numberId, message);
    for (let round = 0; round < 3; round += 1) {
      await bridge.take('send');
      await bridge.tell({
        type: 'send.outcomes',
        items: [{ outcome: 'returned', messageId: message.messageId }],
      });
    }
    await bridge.take('send');
    await enqueue(numberId, textMessage('second of the day'));
    expect((await bridge.take('send')).messages[0]?.content.text).toBe('second of the day');
    const third = textMessage('third of the day');
    await enqueue(numberId, third);
    expect(await phoneNumber(numberId).message(third.messageId)).toMatchObject({ heldReason: 'daily_limit' });
  });

  test('of a new number follows its warm-up by the day', async () => {
    clockAt(Date.parse('2026-05-10T23:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure(unpaced({ warmUp: [1, 2] }));
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const messages = texts.map((text) => textMessage(text, { expiresAt: Date.now() + 72 * hourMs }));
    await enqueue(numberId, ...messages);
    await until(() => handed(bridge).length === 1);
    expect(await phoneNumber(numberId).message(messages[1]?.messageId ?? '')).toMatchObject({
      heldReason: 'warm_up',
    });
    vi.setSystemTime('2026-05-11T00:00:00.000Z');
    await ring(numberId);
    await until(() => handed(bridge).length === 3);
    vi.setSystemTime('2026-05-12T00:00:00.000Z');
    await ring(numberId);
    await until(() => handed(bridge).length === 5);
  });
});

describe('quiet hours of a number', () => {
  test('end when the clocks of its zone say so, in the night in which summer time begins', async () => {
    clockAt(Date.parse('2026-03-28T22:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    const quietHours = { start: '22:00', end: '07:00' };
    await phoneNumber(numberId).configure(unpaced({ quietHours, timeZone: 'Europe/Berlin' }));
    const message = textMessage('good morning');
    await enqueue(numberId, message);
    const opensAt = Date.parse('2026-03-29T05:00:00.000Z');
    expect(await phoneNumber(numberId).message(message.messageId)).toMatchObject({
      heldReason: 'quiet_hours',
      expectedAt: opensAt,
    });
    expect(
      await phoneNumber(numberId).forecast({ recipient: '628111222333', isNewChat: true }),
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
