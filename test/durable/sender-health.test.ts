import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../src/contract/bridge-frames.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import type { AdmittedMessage } from '../../src/durable/phone-number/outbound-message.ts';
import { connectedNumber, type FakeBridge, phoneNumber, textMessage } from './fake-bridge.ts';
import { until } from './until.ts';

const at = () => new Date().toISOString();

function handed(bridge: FakeBridge): OutboundMessage[] {
  return bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));
}
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));
const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** Those of a key that leaves nothing to the account: they wait where they are. */
const staying = (text: string, more: Partial<AdmittedMessage> = {}) =>
  textMessage(text, { mayMove: false, ...more });

/** The network refuses what the bridge was handed, as the network's code says. */
async function refuse(bridge: FakeBridge, messages: readonly { messageId: string }[], code: string) {
  await bridge.tell({
    type: 'send.outcomes',
    items: messages.map(({ messageId }) => ({
      outcome: 'failed' as const,
      messageId,
      at: at(),
      code,
      errorMessage: `refused (${code})`,
    })),
  });
}

async function take(bridge: FakeBridge, ...messages: { messageId: string }[]) {
  await bridge.tell({
    type: 'send.outcomes',
    items: messages.map(({ messageId }) => ({ outcome: 'sent' as const, messageId, at: at(), ackMs: 9 })),
  });
}

/** A number that rests, since the network has refused five of its messages. */
async function restingNumber() {
  const number = await connectedNumber();
  const { numberId, bridge } = number;
  for (let index = 0; index < 5; index += 1) await phoneNumber(numberId).enqueue(staying(`bad ${index}`));
  await until(() => handed(bridge).length === 5);
  await refuse(bridge, handed(bridge), '500');
  bridge.heard.length = 0;
  return number;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the health of a number', () => {
  test('is told with the reasons of its last changes, newest first, and survives an eviction', async () => {
    const { numberId, bridge } = await connectedNumber();
    const lines: Record<string, string>[] = [];
    const logged = vi.spyOn(console, 'log').mockImplementation((line) => {
      lines.push(JSON.parse(String(line)));
    });
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    logged.mockRestore();
    expect(
      lines.filter((line) => line.event === 'health.changed' && line.numberId === numberId),
    ).toMatchObject([
      { status: 'unavailable', reason: 'The connection to the network was lost.', until: null },
    ]);
    await evictDurableObject(phoneNumber(numberId));
    const { status, reason, changes } = await phoneNumber(numberId).health();
    expect({ status, reason }).toEqual({
      status: 'unavailable',
      reason: 'The connection to the network was lost.',
    });
    expect(changes.map((change) => change.status)).toEqual([
      'unavailable',
      'healthy',
      'unavailable',
      'unavailable',
    ]);
    expect(changes[2]?.reason).toBe('It is being paired.');
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    expect((await phoneNumber(numberId).device()).health).toBe('healthy');
  });

  test('keeps the last fifty changes', async () => {
    const { numberId, bridge } = await connectedNumber();
    for (let round = 0; round < 30; round += 1) {
      await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
      await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    }
    const { changes } = await phoneNumber(numberId).health();
    expect(changes).toHaveLength(50);
    expect(changes[0]?.status).toBe('healthy');
  });

  test('rests after failures, is tried with one message, and speaks freely again once that went well', async () => {
    const { numberId, bridge } = await restingNumber();
    expect(await phoneNumber(numberId).health()).toMatchObject({
      status: 'resting',
      reason: '5 messages in a row went wrong.',
    });
    const waiting = ['one', 'two', 'three'].map((text) => staying(text));
    for (const message of waiting) await phoneNumber(numberId).enqueue(message);
    expect(await phoneNumber(numberId).message(waiting[0]?.messageId ?? '')).toMatchObject({
      heldReason: 'resting',
    });
    await evictDurableObject(phoneNumber(numberId));
    passTime(29_000);
    await ring(numberId);
    expect(handed(bridge)).toEqual([]);
    passTime(1_500);
    await ring(numberId);
    await until(() => handed(bridge).length === 1);
    expect(await phoneNumber(numberId).message(waiting[1]?.messageId ?? '')).toMatchObject({
      heldReason: 'in_flight',
    });
    await take(bridge, ...handed(bridge));
    await until(() => handed(bridge).length === 3);
    expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'healthy', reason: null });
  });

  test('rests twice as long when the trial goes wrong', async () => {
    const { numberId, bridge } = await restingNumber();
    await phoneNumber(numberId).enqueue(staying('trial'));
    passTime(30_500);
    await ring(numberId);
    await until(() => handed(bridge).length === 1);
    await refuse(bridge, handed(bridge), '500');
    const [last] = (await phoneNumber(numberId).health()).changes;
    expect(last?.status).toBe('resting');
    expect((last?.until ?? 0) - (last?.at ?? 0)).toBe(60_000);
  });

  test('suffers from messages that nobody acknowledges, but not from those of a session that went down', async () => {
    const { numberId, bridge } = await connectedNumber();
    const silent = Array.from({ length: 5 }, (_, index) => staying(`silent ${index}`));
    for (const message of silent) await phoneNumber(numberId).enqueue(message);
    await until(() => handed(bridge).length === 5);
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    passTime(61_000);
    await ring(numberId);
    expect((await phoneNumber(numberId).health()).status).toBe('healthy');

    const other = await connectedNumber();
    for (const message of silent) await phoneNumber(other.numberId).enqueue(message);
    await until(() => handed(other.bridge).length === 5);
    passTime(61_000);
    await ring(other.numberId);
    expect(await phoneNumber(other.numberId).health()).toMatchObject({
      status: 'resting',
      reason: 'The network did not acknowledge 5 messages in a row.',
    });
  });
});

describe('a number that may begin no new chats', () => {
  test('still writes to open chats, and to new ones when the network lifts the restriction', async () => {
    const { numberId, bridge } = await connectedNumber();
    const refused = staying('hello stranger', { isNewChat: true });
    await phoneNumber(numberId).enqueue(refused);
    await until(() => handed(bridge).length === 1);
    await refuse(bridge, [refused], '463');
    expect(await phoneNumber(numberId).message(refused.messageId)).toMatchObject({ status: 'failed' });
    expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'restricted' });
    bridge.heard.length = 0;

    const fresh = staying('new chat', { isNewChat: true, to: '628555555555' });
    // The account takes the chat for open from the first message on; to the network it is not.
    const followUp = staying('second in the new chat', { to: '628555555555' });
    for (const message of [fresh, followUp, staying('open chat')])
      await phoneNumber(numberId).enqueue(message);
    await until(() => handed(bridge).length === 1);
    expect(handed(bridge)[0]?.content.text).toBe('open chat');
    expect(await phoneNumber(numberId).message(fresh.messageId)).toMatchObject({ heldReason: 'restricted' });
    await evictDurableObject(phoneNumber(numberId));
    await bridge.tell({ type: 'network.restriction', isActive: false, until: null });
    await until(() => handed(bridge).length === 3);
    expect((await phoneNumber(numberId).health()).status).toBe('healthy');
  });

  test('is restricted until the time that the network names, and lets a chat open that the other side opens', async () => {
    const { numberId, bridge } = await connectedNumber();
    const endsAt = new Date(Date.now() + 7_200_000).toISOString();
    await bridge.tell({ type: 'network.restriction', isActive: true, until: endsAt });
    expect(await phoneNumber(numberId).health()).toMatchObject({
      status: 'restricted',
      until: Date.parse(endsAt),
    });
    const [asked, patient] = ['628555555555', '628666666666'].map((to) =>
      staying(`to ${to}`, { isNewChat: true, to }),
    );
    for (const message of [asked, patient]) if (message) await phoneNumber(numberId).enqueue(message);
    await bridge.tell({
      type: 'inbound',
      items: [
        {
          providerMessageId: 'IN1',
          at: at(),
          chatType: 'personal',
          from: '628555555555',
          pushName: '',
          messageType: 'text',
          text: 'hello',
        },
      ],
    });
    await until(() => handed(bridge).length === 1);
    expect(handed(bridge)[0]?.to).toBe('628555555555');
    passTime(7_200_001);
    await ring(numberId);
    await until(() => handed(bridge).length === 2);
  });
});

describe('the network, asked about a recipient', () => {
  test('answers over the link, once for each question', async () => {
    const { numberId, bridge } = await connectedNumber();
    const asked = Promise.all([
      phoneNumber(numberId).checkRecipient('628111111111'),
      phoneNumber(numberId).checkRecipient('628222222222'),
    ]);
    const questions = [await bridge.take('contact.check'), await bridge.take('contact.check')];
    for (const { requestId, phoneNumber: recipient } of questions.reverse()) {
      bridge.say({ type: 'contact.checked', requestId, onNetwork: recipient === '628111111111' });
    }
    expect(await asked).toEqual([
      { ok: true, onNetwork: true },
      { ok: true, onNetwork: false },
    ]);
  });

  test('cannot be asked while the number is not connected, and may not know', async () => {
    const { numberId, bridge } = await connectedNumber();
    const unknown = phoneNumber(numberId).checkRecipient('628111111111');
    const { requestId } = await bridge.take('contact.check');
    bridge.say({ type: 'contact.checked', requestId, onNetwork: null });
    expect(await unknown).toMatchObject({ ok: false, code: 'SENDER_UNAVAILABLE' });
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    expect(await phoneNumber(numberId).checkRecipient('628111111111')).toMatchObject({ ok: false });
    expect(await phoneNumber(newUuid()).checkRecipient('628111111111')).toMatchObject({ ok: false });
  });
});
