import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import type { PhoneNumber } from '../../src/durable/phone-number/phone-number.ts';
import { connectedNumber, FakeBridge, phoneNumber, textMessage } from './fake-bridge.ts';
import { until } from './until.ts';

const at = () => new Date().toISOString();

/** The messages that a bridge was handed and that no test has taken. */
const handed = (bridge: FakeBridge) =>
  bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));

/** Rows of `messages` that `act` writes, as the runtime counts them. */
async function rowsOf(numberId: string, act: () => Promise<unknown>): Promise<number> {
  const number = phoneNumber(numberId);
  const meter = { rows: 0 };
  await runInDurableObject<PhoneNumber, void>(number, (_, { storage }) => {
    const { sql } = storage;
    const original = sql.exec.bind(sql);
    // The object holds this very `sql`.
    Object.defineProperty(sql, 'exec', {
      configurable: true,
      value: (query: string, ...bindings: SqlStorageValue[]) => {
        const cursor = original(query, ...bindings);
        if (/(INTO|UPDATE) messages/.test(query)) meter.rows += cursor.rowsWritten;
        return cursor;
      },
    });
  });
  await act();
  return meter.rows;
}

describe('a message that may leave at once', () => {
  test('is written once, and into no index: as it is stored it is handed over', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('at once');
    const rows = await rowsOf(numberId, () => phoneNumber(numberId).enqueue(message));
    expect((await bridge.take('send')).messages).toMatchObject([
      { messageId: message.messageId, handedTo: null },
    ]);
    expect(rows).toBe(1);
  });

  test('costs one row more when it is sent', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('sent');
    await phoneNumber(numberId).enqueue(message);
    const { messageId } = message;
    const outcome = { outcome: 'sent' as const, messageId, at: at(), ackMs: 5 };
    const rows = await rowsOf(numberId, () => bridge.tell({ type: 'send.outcomes', items: [outcome] }));
    expect(await phoneNumber(numberId).message(messageId)).toMatchObject({ status: 'sent' });
    expect(rows).toBe(1);
  });

  test('fails with all others when its number is deleted while it is under way', async () => {
    const { numberId } = await connectedNumber();
    const message = textMessage('under way');
    await phoneNumber(numberId).enqueue(message);
    await phoneNumber(numberId).remove();
    expect(await phoneNumber(numberId).message(message.messageId)).toMatchObject({ status: 'failed' });
  });

  test('waits again in its place when it comes back, before one that came later', async () => {
    const { numberId, bridge } = await connectedNumber();
    const [first, second] = [textMessage('first'), textMessage('second')];
    await phoneNumber(numberId).enqueue(first);
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await phoneNumber(numberId).enqueue(second);
    const returned = { outcome: 'returned' as const, messageId: first.messageId };
    await bridge.tell({ type: 'send.outcomes', items: [returned] });
    bridge.heard.length = 0;
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    await until(() => handed(bridge).length === 2);
    expect(handed(bridge).map(({ content }) => content.text)).toEqual(['first', 'second']);
  });

  test('is told as failed when nothing answers for it until its time is over', async () => {
    const { numberId } = await connectedNumber();
    const message = textMessage('unanswered', { expiresAt: Date.now() + 1_000 });
    await phoneNumber(numberId).enqueue(message);
    await evictDurableObject(phoneNumber(numberId));
    vi.setSystemTime(Date.now() + 120_000);
    await runInDurableObject<PhoneNumber, void>(phoneNumber(numberId), (object) => object.alarm());
    vi.useRealTimers();
    expect(await phoneNumber(numberId).message(message.messageId)).toMatchObject({ status: 'failed' });
  });

  test('goes out once, also when the object is evicted while it is under way', async () => {
    const { numberId, bridge } = await connectedNumber();
    const [first, second] = [textMessage('first'), textMessage('second')];
    await phoneNumber(numberId).enqueue(first);
    await evictDurableObject(phoneNumber(numberId));
    await phoneNumber(numberId).enqueue(second);
    await until(() => handed(bridge).length >= 2);
    await phoneNumber(numberId).device();
    expect(handed(bridge).map(({ messageId }) => messageId)).toEqual([first.messageId, second.messageId]);
  });

  test('and whose frame was lost with its link goes over the next one with the name of who may have it', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('lost');
    await phoneNumber(numberId).enqueue(message);
    bridge.close();
    const next = await FakeBridge.link(numberId, 1, newUuid());
    next.say({ type: 'link.ready' });
    await next.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const after = textMessage('after');
    await phoneNumber(numberId).enqueue(after);
    await until(() => handed(next).length === 2);
    // At once, and not only when another life of the object looks: before what came later.
    expect(handed(next)).toMatchObject([
      { messageId: message.messageId, handedTo: expect.any(String) },
      { messageId: after.messageId, handedTo: null },
    ]);
  });

  test('waits behind those that came before it and could not', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const waiting = textMessage('waiting');
    await phoneNumber(numberId).enqueue(waiting);
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const after = textMessage('after');
    await phoneNumber(numberId).enqueue(after);
    await until(() => handed(bridge).length === 2);
    expect(handed(bridge).map(({ content }) => content.text)).toEqual(['waiting', 'after']);
  });

  test('is neither stored nor sent when its transaction comes to nothing, and the next one is', async () => {
    const { numberId, bridge } = await connectedNumber();
    const lost = textMessage('lost');
    await runInDurableObject<PhoneNumber, void>(phoneNumber(numberId), (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER refuse BEFORE INSERT ON messages WHEN NEW.message_id = '${lost.messageId}'
        BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    });
    const refused = await runInDurableObject<PhoneNumber, string>(phoneNumber(numberId), (object) => {
      try {
        object.enqueue(lost);
        return 'stored';
      } catch (error) {
        return String(error);
      }
    });
    expect(refused).toContain('no room');
    const next = textMessage('next');
    await phoneNumber(numberId).enqueue(next);
    const { messages } = await bridge.take('send');
    expect(messages.map(({ messageId }) => messageId)).toEqual([next.messageId]);
    await phoneNumber(numberId).enqueue(textMessage('after'));
    expect((await bridge.take('send')).messages).toHaveLength(1);
  });
});
