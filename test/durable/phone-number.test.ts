import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { linkCloseCodes } from '../../src/contract/bridge-frames.ts';
import { eventDataSchemas } from '../../src/contract/events.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { providerMessageIdOf } from '../../src/durable/phone-number/outbound-message.ts';
import { connectedNumber, FakeBridge, phoneNumber, textMessage, upgrade } from './fake-bridge.ts';
import { eventsOf, keepRelayedEvents, relayed, relayedSeqs } from './relayed.ts';
import { until } from './until.ts';

const at = () => new Date().toISOString();

const confirm = keepRelayedEvents();

describe('a message of a number', () => {
  test('goes to the bridge under a network id chosen before, and each step is told once, in order', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('hello');
    expect(await phoneNumber(numberId).enqueue(message)).toMatchObject({ ok: true });
    const { messages } = await bridge.take('send');
    const providerMessageId = providerMessageIdOf(message.messageId);
    expect(messages).toEqual([
      {
        messageId: message.messageId,
        providerMessageId,
        to: message.to,
        chatType: 'personal',
        content: message.content,
        handedTo: null,
        expiresAt: new Date(message.expiresAt).toISOString(),
        typingMs: 0,
      },
    ]);
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', messageId: message.messageId, at: at() }],
    });
    const receipt = {
      providerMessageId,
      at: at(),
      isGroup: false,
      recipient: message.to,
      recipientLid: '4455',
    };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'read' }] });
    await bridge.tell({
      type: 'receipts',
      items: [
        { ...receipt, kind: 'delivered' },
        { ...receipt, kind: 'read' },
      ],
    });

    const events = await eventsOf(numberId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    for (const { event, data } of events)
      expect(eventDataSchemas[event].safeParse(data).error).toBeUndefined();
    expect(events[3]?.data).toMatchObject({
      chat: `${message.to}@s.whatsapp.net`,
      recipient: message.to,
      recipientLid: '4455',
      messageStatus: 'delivered',
      status: 'read',
    });
    expect(await phoneNumber(numberId).message(message.messageId)).toMatchObject({
      status: 'read',
      providerMessageId,
    });
  });

  test('that is enqueued twice is one message with one event', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('once');
    await phoneNumber(numberId).enqueue(message);
    await phoneNumber(numberId).enqueue(message);
    await bridge.take('send');
    expect(await eventsOf(numberId, message.messageId)).toHaveLength(1);
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toEqual([]);
  });

  test('that the network refuses fails with its reason, and a late receipt changes nothing', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('refused');
    await phoneNumber(numberId).enqueue(message);
    await bridge.take('send');
    const errorMessage = 'The network restricts messages to new contacts for this number (463).';
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'failed', messageId: message.messageId, at: at(), code: '463', errorMessage }],
    });
    const receipt = { providerMessageId: providerMessageIdOf(message.messageId), at: at(), isGroup: false };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'delivered' }] });
    const events = await eventsOf(numberId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.failed']);
    expect(events[1]?.data).toMatchObject({ status: 'failed', errorMessage });
  });

  test('waits while the number is disconnected, and leaves in order once it is back', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const waiting = [textMessage('first'), textMessage('second'), textMessage('third')];
    for (const message of waiting) await phoneNumber(numberId).enqueue(message);
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toEqual([]);
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const { messages } = await bridge.take('send');
    expect(messages.map(({ content }) => content.text)).toEqual(['first', 'second', 'third']);
  });

  test('that was handed over and not answered is handed to the next link with the name of who had it', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('in doubt');
    await phoneNumber(numberId).enqueue(message);
    const first = await bridge.take('send');
    expect(first.messages[0]?.handedTo).toBeNull();
    const bridgeId = newUuid();
    const next = await FakeBridge.link(numberId, 1, bridgeId);
    next.say({ type: 'link.ready' });
    const again = await next.take('send');
    expect(again.messages[0]?.messageId).toBe(message.messageId);
    expect(again.messages[0]?.handedTo).toMatch(/^[0-9a-f-]{36}$/);
    expect(bridge.closed?.code).toBe(linkCloseCodes.replaced);
  });

  test('that the bridge returns is handed over again, as one that never left', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('returned');
    await phoneNumber(numberId).enqueue(message);
    await bridge.take('send');
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'returned', messageId: message.messageId }],
    });
    const again = await bridge.take('send');
    expect(again.messages).toMatchObject([{ messageId: message.messageId, handedTo: null }]);
  });

  test('over its time fails with what is known of it: never left, or outcome unknown', async () => {
    const { numberId, bridge } = await connectedNumber();
    const handed = textMessage('handed', { expiresAt: Date.now() + 300 });
    await phoneNumber(numberId).enqueue(handed);
    await bridge.take('send');
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const never = textMessage('never left', { expiresAt: Date.now() + 300 });
    await phoneNumber(numberId).enqueue(never);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    try {
      await runDurableObjectAlarm(phoneNumber(numberId));
    } finally {
      vi.useRealTimers();
    }
    const [, failedHanded] = await eventsOf(numberId, handed.messageId);
    expect(failedHanded).toMatchObject({ event: 'message.failed' });
    expect(failedHanded?.data).toMatchObject({ errorMessage: expect.stringContaining('not known') });
    const [, failedNever] = await eventsOf(numberId, never.messageId);
    expect(failedNever?.data).toMatchObject({
      errorMessage: expect.stringContaining('connection to the network was lost'),
    });
  });

  test('does not exceed the window: the rest waits for answers', async () => {
    const { numberId, bridge } = await connectedNumber();
    const messages = Array.from({ length: 40 }, (_, index) => textMessage(`text ${index}`));
    for (const message of messages) await phoneNumber(numberId).enqueue(message);
    const handed = () => bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));
    await until(() => handed().length === 32);
    await bridge.tell({
      type: 'send.outcomes',
      items: handed().map(({ messageId }) => ({ outcome: 'sent' as const, messageId, at: at() })),
    });
    await until(() => handed().length === 40);
    expect(handed().map(({ messageId }) => messageId)).toEqual(messages.map(({ messageId }) => messageId));
  });

  test('survives the eviction of its object at every step', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('evicted');
    const evict = async () => {
      await phoneNumber(numberId).device();
      await evictDurableObject(phoneNumber(numberId));
    };
    await evict();
    await phoneNumber(numberId).enqueue(message);
    await evict();
    const { messages } = await bridge.take('send');
    expect(messages).toHaveLength(1);
    await evict();
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', messageId: message.messageId, at: at() }],
    });
    await evict();
    const receipt = { providerMessageId: providerMessageIdOf(message.messageId), at: at(), isGroup: false };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'delivered' }] });
    await evict();
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'read' }] });
    await evict();
    const events = await eventsOf(numberId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  });

  test('that the account has given up is refused when it comes after all', async () => {
    const { numberId } = await connectedNumber();
    const kept = textMessage('kept');
    const lost = textMessage('lost');
    await phoneNumber(numberId).enqueue(kept);
    const resolved = await phoneNumber(numberId).resolveAdmissions([kept.messageId, lost.messageId]);
    expect(resolved.missing).toEqual([lost.messageId]);
    expect(await phoneNumber(numberId).enqueue(lost)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('comes with others in their order, tells its event, and does without those that are refused or repeated', async () => {
    const { numberId, bridge } = await connectedNumber();
    const number = phoneNumber(numberId);
    const [known, first, disowned, last] = ['known', 'first', 'disowned', 'last'].map((text) =>
      textMessage(text),
    );
    if (!known || !first || !disowned || !last) throw new Error('there are four');
    await number.enqueue(known);
    await number.resolveAdmissions([disowned.messageId]);
    const lost = textMessage('lost');
    const given = await number.enqueueMany([first, known, disowned, last], [known.messageId, lost.messageId]);
    expect(given.taken).toMatchObject([{ ok: true }, { ok: true }, { code: 'CONFLICT' }, { ok: true }]);
    expect(given.missing).toEqual([lost.messageId]);
    const handed: (string | undefined)[] = [];
    while (handed.length < 3)
      handed.push(...(await bridge.take('send')).messages.map(({ content }) => content.text));
    expect(handed).toEqual(['known', 'first', 'last']);
    for (const { messageId } of [known, first, last]) {
      expect((await eventsOf(numberId, messageId)).map(({ event }) => event)).toEqual(['message.queued']);
    }
    expect(await eventsOf(numberId, disowned.messageId)).toEqual([]);
  });
});

describe('a message to a number', () => {
  const inbound = {
    providerMessageId: '3A0011',
    chatType: 'personal' as const,
    from: '628999888777',
    senderLid: '99887766',
    pushName: 'Ana',
    messageType: 'text' as const,
    text: 'hi there',
  };

  test('is told once, however often the network delivers it', async () => {
    const { numberId, bridge } = await connectedNumber();
    const item = { ...inbound, at: at() };
    await bridge.tell({ type: 'inbound', items: [item, item] });
    await evictDurableObject(phoneNumber(numberId));
    await bridge.tell({ type: 'inbound', items: [item, { ...item, from: '628111222333', senderLid: '1' }] });
    const received = (await relayed(numberId)).filter(({ event }) => event === 'message.received');
    expect(received).toHaveLength(2);
    const data = received[0]?.data;
    expect(eventDataSchemas['message.received'].parse(data)).toMatchObject({
      from: '628999888777',
      to: '628123456789',
      senderLid: '99887766',
      isGroup: false,
      text: 'hi there',
    });
  });
});

describe('the link to the bridge', () => {
  test('of an older lease is refused, and one that is open falls silent when a newer lease links', async () => {
    const { numberId, bridge } = await connectedNumber();
    await FakeBridge.link(numberId, 3);
    expect((await upgrade(numberId, 2)).status).toBe(409);
    await until(() => bridge.closed !== null);
    expect(bridge.closed?.code).toBe(linkCloseCodes.replaced);
  });

  test('is closed with the reason when the bridge sends what is no frame', async () => {
    const { numberId } = await connectedNumber();
    const bridge = await FakeBridge.link(numberId, 2);
    bridge.sayRaw('{"type":"fact","seq":0,"fact":{}}');
    await until(() => bridge.closed !== null);
    expect(bridge.closed?.code).toBe(linkCloseCodes.protocolError);
    expect(bridge.closed?.reason).toContain('seq');
  });

  test('that stays away makes the number disconnected after a grace, and not before', async () => {
    const { numberId, bridge } = await connectedNumber();
    bridge.close();
    await until(() => runInDurableObject(phoneNumber(numberId), (_, ctx) => ctx.storage.getAlarm()));
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'connected' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    try {
      await runDurableObjectAlarm(phoneNumber(numberId));
    } finally {
      vi.useRealTimers();
    }
    expect(await phoneNumber(numberId).device()).toMatchObject({
      state: 'disconnected',
      reason: 'The session bridge that held the number is gone.',
    });
    const events = await relayed(numberId);
    expect(events.map(({ event }) => event)).toEqual(['device.connected', 'device.disconnected']);
  });

  test('gives back what was put into the vault, and nothing after the session has ended', async () => {
    const { numberId, bridge } = await connectedNumber();
    const sealed = btoa('sealed bytes');
    await bridge.tell({
      type: 'vault.put',
      entries: [
        { key: 'creds', sealed },
        { key: 'session/1', sealed },
      ],
    });
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'session/1', sealed: null }] });
    await phoneNumber(numberId).device();
    await evictDurableObject(phoneNumber(numberId));
    bridge.say({ type: 'vault.get', requestId: 7, keys: ['creds', 'session/1'] });
    expect(await bridge.take('vault.entries')).toEqual({
      type: 'vault.entries',
      requestId: 7,
      entries: [
        { key: 'creds', sealed },
        { key: 'session/1', sealed: null },
      ],
    });
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_by_phone', at: at() });
    bridge.say({ type: 'vault.get', requestId: 8, keys: ['creds'] });
    expect((await bridge.take('vault.entries')).entries).toEqual([{ key: 'creds', sealed: null }]);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'logged_out' });
  });
});

describe('a number', () => {
  test('that is deleted logs its session out, fails what waits, tells all of it, and is then empty', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
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
    const message = textMessage('too late');
    await phoneNumber(numberId).enqueue(message);
    await phoneNumber(numberId).remove();
    expect(await bridge.take('session.stop')).toEqual({ type: 'session.stop', logout: true });
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at: at() });
    const events = await eventsOf(numberId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.failed']);
    expect(await phoneNumber(numberId).enqueue(textMessage('after'))).toMatchObject({
      code: 'SENDER_UNAVAILABLE',
    });

    const seqs = await relayedSeqs(numberId);
    confirm.mockRestore();
    await phoneNumber(numberId).confirmEvents(seqs);
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return runInDurableObject(
        phoneNumber(numberId),
        (_, { storage }) => storage.sql.exec('SELECT 1 FROM device').toArray().length === 0,
      );
    });
    expect(bridge.closed?.code ?? linkCloseCodes.gone).toBe(linkCloseCodes.gone);
    // Nothing wakes it any more.
    const alarm = await runInDurableObject(phoneNumber(numberId), (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeNull();
  });

  test('cannot be paired while a device is linked, nor connected without one', async () => {
    const { numberId } = await connectedNumber();
    expect(await phoneNumber(numberId).pair({ method: 'qr' })).toMatchObject({ ok: false, code: 'CONFLICT' });
    const fresh = newUuid();
    await phoneNumber(fresh).provision({ accountId: newUuid(), numberId: fresh });
    expect(await phoneNumber(fresh).connectSession()).toMatchObject({ ok: false, code: 'CONFLICT' });
  });
});
