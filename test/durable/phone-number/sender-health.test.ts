import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { AcceptedMessage } from '../../../src/durable/hand-over/message-batch.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { loggedMessage } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, type FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();

const at = () => new Date().toISOString();

function handed(bridge: FakeBridge): OutboundMessage[] {
  return bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));
}
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));
const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** Those of a key that leaves nothing to the account: they wait where they are. */
const staying = (text: string, more: Partial<AcceptedMessage> = {}) =>
  textMessage(text, { mayMove: false, ...more });

/** The network refuses what the bridge was handed, as the network's code says. */
async function refuse(bridge: FakeBridge, messages: readonly { messageId: string }[], code: string) {
  await bridge.tell({
    type: 'send.outcomes',
    items: messages.map(({ messageId }) => ({
      outcome: 'failed' as const,
      handOver: 1,
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
    items: messages.map(({ messageId }) => ({
      outcome: 'sent' as const,
      handOver: 1,
      messageId,
      at: at(),
      ackMs: 9,
    })),
  });
}

/** A number that rests, since the network has refused five of its messages. */
async function restingNumber() {
  const number = await connectedNumber();
  const { numberId, bridge } = number;
  for (let index = 0; index < 5; index += 1) await giveBatch(numberId, staying(`bad ${index}`));
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
    for (const message of waiting) await giveBatch(numberId, message);
    expect(await phoneNumber(numberId).outlook(waiting[0]?.messageId ?? '')).toMatchObject({
      heldReason: 'resting',
    });
    await evictDurableObject(phoneNumber(numberId));
    passTime(29_000);
    await ring(numberId);
    expect(handed(bridge)).toEqual([]);
    passTime(1_500);
    await ring(numberId);
    await until(() => handed(bridge).length === 1);
    expect(await phoneNumber(numberId).outlook(waiting[1]?.messageId ?? '')).toMatchObject({
      heldReason: 'in_flight',
    });
    await take(bridge, ...handed(bridge));
    await until(() => handed(bridge).length === 3);
    expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'healthy', reason: null });
  });

  test('rests twice as long when the trial goes wrong', async () => {
    const { numberId, bridge } = await restingNumber();
    await giveBatch(numberId, staying('trial'));
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
    for (const message of silent) await giveBatch(numberId, message);
    await until(() => handed(bridge).length === 5);
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    passTime(61_000);
    await ring(numberId);
    expect((await phoneNumber(numberId).health()).status).toBe('healthy');

    const other = await connectedNumber();
    for (const message of silent) await giveBatch(other.numberId, message);
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
  test('still writes to open chats, and gives back what would begin one, with what follows to the same recipient', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const refused = staying('hello stranger', { isNewChat: true });
    await giveBatch(numberId, refused);
    await until(() => handed(bridge).length === 1);
    await refuse(bridge, [refused], '463');
    expect(await loggedMessage(accountId, refused.messageId)).toMatchObject({ status: 'failed' });
    expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'restricted' });
    bridge.heard.length = 0;

    const fresh = staying('new chat', { isNewChat: true, to: '628555555555' });
    // The account takes the chat for open from the first message on; to the network it is not.
    const followUp = staying('second in the new chat', { to: '628555555555' });
    await giveBatch(numberId, fresh, followUp, staying('open chat'));
    await until(() => handed(bridge).length === 1);
    expect(handed(bridge)[0]?.content).toMatchObject({ text: 'open chat' });
    await until(async () => {
      await ring(numberId);
      return heard.returnedBy(numberId).length === 2;
    });
    expect(heard.returnedBy(numberId)).toMatchObject([
      { message: fresh, reason: 'facts_changed' },
      { message: followUp, reason: 'facts_changed' },
    ]);
    await evictDurableObject(phoneNumber(numberId));
    await bridge.tell({ type: 'network.restriction', isActive: false, until: null });
    await until(() => heard.lastReport(numberId)?.health.status === 'healthy');
    await giveBatch(numberId, fresh, followUp);
    await until(() => handed(bridge).length === 3);
  });

  test('is restricted until the time that the network names, and answers in a chat that the other side opens', async () => {
    const { numberId, bridge } = await connectedNumber();
    const endsAt = new Date(Date.now() + 7_200_000).toISOString();
    await bridge.tell({ type: 'network.restriction', isActive: true, until: endsAt });
    expect(await phoneNumber(numberId).health()).toMatchObject({
      status: 'restricted',
      until: Date.parse(endsAt),
    });
    await bridge.tell({
      type: 'inbound',
      items: [
        {
          providerMessageId: 'IN1',
          at: at(),
          chatType: 'personal',
          from: '628555555555',
          pushName: '',
          content: { type: 'text', text: 'hello' },
        },
      ],
    });
    await until(() => heard.inboundAt(numberId).length === 1);
    // Whoever writes opens the chat: their account says so.
    const asked = staying('asked', { isNewChat: false, isAnswer: true, to: '628555555555' });
    await giveBatch(numberId, asked);
    await until(() => handed(bridge).length === 1);
    await take(bridge, asked);
    passTime(7_200_001);
    expect((await phoneNumber(numberId).health()).status).toBe('healthy');
    await giveBatch(numberId, staying('patient', { isNewChat: true, to: '628666666666' }));
    await until(() => handed(bridge).length === 2);
  });
});

/** The next question about a recipient; that for the groups, which each new number asks, is left unanswered. */
async function takeCheck(bridge: FakeBridge): Promise<{ queryId: number; phoneNumber: string | undefined }> {
  for (;;) {
    const { queryId, query } = await bridge.take('query');
    if (query.verb === 'contacts.check') return { queryId, phoneNumber: query.phoneNumbers[0] };
  }
}

describe('the network, asked about a recipient', () => {
  test('answers over the link, once for each question', async () => {
    const { numberId, bridge } = await connectedNumber();
    const asked = Promise.all([
      phoneNumber(numberId).checkRecipient('628111111111'),
      phoneNumber(numberId).checkRecipient('628222222222'),
    ]);
    const questions = [await takeCheck(bridge), await takeCheck(bridge)];
    for (const { queryId, phoneNumber: recipient } of questions.reverse()) {
      const contacts = [{ phoneNumber: recipient, onNetwork: recipient === '628111111111' }];
      bridge.say({ type: 'query.result', queryId, answer: { contacts } });
    }
    expect(await asked).toEqual([
      { ok: true, onNetwork: true },
      { ok: true, onNetwork: false },
    ]);
  });

  test('cannot be asked while the number is not connected, and may not know', async () => {
    const { numberId, bridge } = await connectedNumber();
    const unknown = phoneNumber(numberId).checkRecipient('628111111111');
    const { queryId } = await takeCheck(bridge);
    bridge.say({ type: 'query.result', queryId, answer: { contacts: [] } });
    expect(await unknown).toMatchObject({ ok: false, code: 'SENDER_UNAVAILABLE' });
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    expect(await phoneNumber(numberId).checkRecipient('628111111111')).toMatchObject({ ok: false });
    expect(await phoneNumber(newUuid()).checkRecipient('628111111111')).toMatchObject({ ok: false });
  });
});
