import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import { bridgeProtocolVersion, linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { eventDataSchemas } from '../../../src/contract/events.ts';
import { textOf } from '../../../src/contract/messages/content.ts';
import { newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import { eventsOf, loggedEvents, loggedMessage } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const at = () => new Date().toISOString();

const heard = new HeardNews();

describe('a message of a number', () => {
  test('goes to the bridge under a network id chosen before, and each step is told once, in order', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('hello');
    expect(await giveBatch(numberId, message)).toMatchObject({ takenUpTo: 1, dailyRemaining: null });
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
        handOver: 1,
        expiresInMs: expect.any(Number),
        typingMs: 0,
      },
    ]);
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: message.messageId, at: at() }],
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

    const events = await eventsOf(accountId, message.messageId);
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
    expect(await loggedMessage(accountId, message.messageId)).toMatchObject({
      status: 'read',
      providerMessageId,
    });
  });

  test('whose batch comes twice is one message, also after it was sent and forgotten', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('once');
    const batch = { batchNumber: 1, messages: [message] };
    await phoneNumber(numberId).take(batch);
    await phoneNumber(numberId).take(batch);
    await bridge.take('send');
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: message.messageId, at: at() }],
    });
    expect(await phoneNumber(numberId).outlook(message.messageId)).toBeNull();
    await evictDurableObject(phoneNumber(numberId));
    expect(await phoneNumber(numberId).take(batch)).toMatchObject({ takenUpTo: 1 });
    expect(await phoneNumber(numberId).outlook(message.messageId)).toBeNull();
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toEqual([]);
    expect(await eventsOf(accountId, message.messageId)).toHaveLength(2);
  });

  test('that the network refuses fails with its reason, and a late receipt changes nothing', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('refused');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const errorMessage = 'The network restricts this number from messaging new contacts (463).';
    await bridge.tell({
      type: 'send.outcomes',
      items: [
        { outcome: 'failed', handOver: 1, messageId: message.messageId, at: at(), code: '463', errorMessage },
      ],
    });
    const receipt = { providerMessageId: providerMessageIdOf(message.messageId), at: at(), isGroup: false };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'delivered' }] });
    const events = await eventsOf(accountId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.failed']);
    expect(events[1]?.data).toMatchObject({ status: 'failed', errorMessage });
  });

  test('waits while the number is disconnected, and leaves in order once it is back', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const waiting = [textMessage('first'), textMessage('second'), textMessage('third')];
    for (const message of waiting) await giveBatch(numberId, message);
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toEqual([]);
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const { messages } = await bridge.take('send');
    expect(messages.map(({ content }) => textOf(content))).toEqual(['first', 'second', 'third']);
  });

  test('that was handed over and not answered is handed to the next link with the name of who had it', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('in doubt');
    await giveBatch(numberId, message);
    const first = await bridge.take('send');
    expect(first.messages[0]?.handedTo).toBeNull();
    const bridgeId = newUuid();
    const next = await FakeBridge.link(numberId, 1, bridgeId);
    next.say({ type: 'link.ready' });
    const again = await next.take('send');
    expect(again.messages[0]?.messageId).toBe(message.messageId);
    expect(again.messages[0]?.handedTo).toBe('another');
    expect(bridge.closed?.code).toBe(linkCloseCodes.replaced);
  });

  test('that the bridge returns is handed over again, as one that never left', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('returned');
    await giveBatch(numberId, message);
    await bridge.take('send');
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'returned', handOver: 1, messageId: message.messageId }],
    });
    const again = await bridge.take('send');
    expect(again.messages).toMatchObject([{ messageId: message.messageId, handedTo: null }]);
  });

  test('over its time goes back if it never left, and else fails as unknown', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const handed = textMessage('handed', { expiresAt: Date.now() + 300 });
    await giveBatch(numberId, handed);
    await bridge.take('send');
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const never = textMessage('never left', { expiresAt: Date.now() + 300 });
    await giveBatch(numberId, never);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    try {
      await runDurableObjectAlarm(phoneNumber(numberId));
    } finally {
      vi.useRealTimers();
    }
    const [, failedHanded] = await until(async () => {
      const events = await eventsOf(accountId, handed.messageId);
      return events.length === 2 ? events : null;
    });
    expect(failedHanded).toMatchObject({ event: 'message.failed' });
    expect(failedHanded?.data).toMatchObject({ errorMessage: expect.stringContaining('not known') });
    await until(() => heard.returnedBy(numberId).length === 1);
    expect(heard.returnedBy(numberId)).toMatchObject([{ message: never, reason: 'expired' }]);
  });

  test('does not exceed the window: the rest waits for answers', async () => {
    const { numberId, bridge } = await connectedNumber();
    const messages = Array.from({ length: 40 }, (_, index) => textMessage(`text ${index}`));
    await giveBatch(numberId, ...messages);
    const handed = () => bridge.heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));
    await until(() => handed().length === 32);
    await bridge.tell({
      type: 'send.outcomes',
      items: handed().map(({ messageId }) => ({
        outcome: 'sent' as const,
        handOver: 1,
        messageId,
        at: at(),
      })),
    });
    await until(() => handed().length === 40);
    expect(handed().map(({ messageId }) => messageId)).toEqual(messages.map(({ messageId }) => messageId));
  });

  test('that is new passes as many as may have left already, also after an eviction: another bridge looks for those first', async () => {
    const { numberId, bridge } = await connectedNumber();
    const textsTo = (to: string, count: number) =>
      Array.from({ length: count }, (_, index) => textMessage(`text ${index}`, { to }));
    const doubtful = textsTo('628999888777', 32);
    await giveBatch(numberId, ...doubtful);
    const handedTo = ({ heard }: FakeBridge) =>
      heard.flatMap((frame) => (frame.type === 'send' ? frame.messages : []));
    await until(() => handedTo(bridge).length === 32);
    const waiting = textsTo('628999888700', 2);
    await giveBatch(numberId, ...waiting);
    const next = await FakeBridge.link(numberId, 2);
    next.say({ type: 'link.ready' });
    await until(() => handedTo(next).length === 34);
    expect(handedTo(next).map((message) => message.handedTo)).toEqual([
      ...doubtful.map(() => 'another'),
      null,
      null,
    ]);
    await evictDurableObject(phoneNumber(numberId));
    // What has not left yet still has no more than the window, all of them together.
    const later = textsTo('628999888701', 32);
    await giveBatch(numberId, ...later.slice(0, 30));
    await until(() => handedTo(next).length === 64);
    await next.tell({
      type: 'send.outcomes',
      items: waiting.map(({ messageId }) => ({ outcome: 'sent' as const, handOver: 1, messageId, at: at() })),
    });
    await giveBatch(numberId, ...later.slice(30));
    await until(() => handedTo(next).length === 66);
    expect(new Set(handedTo(next).map(({ messageId }) => messageId)).size).toBe(66);
  });

  test('survives the eviction of its object at every step', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('evicted');
    const evict = async () => {
      await phoneNumber(numberId).device();
      await evictDurableObject(phoneNumber(numberId));
    };
    await evict();
    await giveBatch(numberId, message);
    await evict();
    const { messages } = await bridge.take('send');
    expect(messages).toHaveLength(1);
    await evict();
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: message.messageId, at: at() }],
    });
    await evict();
    const receipt = { providerMessageId: providerMessageIdOf(message.messageId), at: at(), isGroup: false };
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'delivered' }] });
    await evict();
    await bridge.tell({ type: 'receipts', items: [{ ...receipt, kind: 'read' }] });
    await evict();
    const events = await eventsOf(accountId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.read',
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  });

  test('that was sent is told with its record, also when the log does not know it yet', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('first heard of');
    await giveBatch(numberId, message);
    await bridge.take('send');
    expect(await loggedMessage(accountId, message.messageId)).toBeNull();
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: message.messageId, at: at() }],
    });
    const events = await eventsOf(accountId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.sent']);
  });

  test('of whose sending only a receipt tells has its queued and sent events before that', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('proven');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const providerMessageId = providerMessageIdOf(message.messageId);
    await bridge.tell({
      type: 'receipts',
      items: [{ providerMessageId, at: at(), isGroup: false, kind: 'delivered' }],
    });
    const events = await eventsOf(accountId, message.messageId);
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.sent', 'message.delivered']);
    expect(await phoneNumber(numberId).outlook(message.messageId)).toBeNull();
  });

  test('that the bridge says was returned under an earlier hand-over stays where it is', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('handed twice');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const next = await FakeBridge.link(numberId, 2, newUuid());
    next.say({ type: 'link.ready' });
    expect((await next.take('send')).messages).toMatchObject([{ handOver: 2 }]);
    const stale = { outcome: 'returned' as const, handOver: 1, messageId: message.messageId };
    await next.tell({ type: 'send.outcomes', items: [stale] });
    expect(next.heard.filter((frame) => frame.type === 'send')).toEqual([]);
    await next.tell({ type: 'send.outcomes', items: [{ ...stale, handOver: 2 }] });
    expect((await next.take('send')).messages).toMatchObject([{ handOver: 3, handedTo: null }]);
  });

  test('that can never be sent goes back to the account with the reason', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('not sendable');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const errorMessage = 'The client gave up on it.';
    const failed = { outcome: 'failed' as const, handOver: 1, messageId: message.messageId, at: at() };
    await bridge.tell({ type: 'send.outcomes', items: [{ ...failed, code: null, errorMessage }] });
    await until(() => heard.returnedBy(numberId).length === 1);
    expect(heard.returnedBy(numberId)).toEqual([
      { kind: 'returned', message, reason: 'not_sendable', errorMessage },
    ]);
    expect(await eventsOf(accountId, message.messageId)).toEqual([]);
  });

  test('that the account wants back comes back, unless a bridge has it', async () => {
    const { numberId, bridge } = await connectedNumber();
    const handed = textMessage('handed');
    await giveBatch(numberId, handed);
    await bridge.take('send');
    bridge.close();
    await until(async () => (await phoneNumber(numberId).outlook(handed.messageId)) !== null);
    const waiting = textMessage('waiting');
    await giveBatch(numberId, waiting);
    const ids = [handed, waiting].map(({ messageId }) => messageId);
    await phoneNumber(numberId).giveBack(ids);
    await phoneNumber(numberId).giveBack(ids);
    await until(() => heard.returnedBy(numberId).length === 1);
    expect(heard.returnedBy(numberId)).toEqual([{ kind: 'returned', message: waiting, reason: 'cancelled' }]);
  });

  test('that the network keeps from being prepared goes back with its code, and five of them leave the number as it was', async () => {
    const { numberId, bridge } = await connectedNumber();
    const errorMessage = 'The network does not allow this number to write there (403).';
    const messages = [1, 2, 3, 4, 5].map((index) => textMessage(`to the group ${index}`));
    for (const message of messages) {
      await giveBatch(numberId, message);
      await bridge.take('send');
      const failed = { outcome: 'failed' as const, handOver: 1, messageId: message.messageId, at: at() };
      await bridge.tell({
        type: 'send.outcomes',
        items: [{ ...failed, code: null, refusal: '403', errorMessage }],
      });
    }
    await until(() => heard.returnedBy(numberId).length === 5);
    expect(heard.returnedBy(numberId)[4]).toEqual({
      kind: 'returned',
      message: messages[4],
      reason: 'not_sendable',
      errorMessage,
      errorCode: 'network_403',
    });
    expect(heard.lastReport(numberId)?.health.status).toBe('healthy');
  });
});

describe('a message to a number', () => {
  const inbound = {
    providerMessageId: '3A0011',
    chatType: 'personal' as const,
    from: '628999888777',
    senderLid: '99887766',
    pushName: 'Ana',
    content: { type: 'text' as const, text: 'hi there' },
  };

  test('is told once, however often the network delivers it', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const item = { ...inbound, at: at() };
    await bridge.tell({ type: 'inbound', items: [item, item] });
    await evictDurableObject(phoneNumber(numberId));
    await bridge.tell({ type: 'inbound', items: [item, { ...item, from: '628111222333', senderLid: '1' }] });
    const received = (await loggedEvents(accountId)).filter(({ event }) => event === 'message.received');
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
  test('of an older lease may only report, and one that is open is closed when a newer lease links', async () => {
    const { numberId, bridge } = await connectedNumber();
    await FakeBridge.link(numberId, 3);
    const older = await FakeBridge.link(numberId, 2);
    expect(await older.take('link.welcome')).toMatchObject({ reportOnly: true });
    await until(() => bridge.closed !== null);
    expect(bridge.closed?.code).toBe(linkCloseCodes.staleEpoch);
  });

  test('speaks the version before with a bridge that knows no newer one, and refuses all others by name', async () => {
    const { numberId } = await connectedNumber();
    const now = bridgeProtocolVersion;
    const before = await FakeBridge.link(numberId, 2, newUuid(), now - 1);
    expect(await before.take('link.welcome')).toEqual({
      type: 'link.welcome',
      version: now - 1,
      reportOnly: false,
    });
    for (const version of [now - 2, now + 1]) {
      const other = await FakeBridge.link(numberId, 3, newUuid(), version);
      await until(() => other.closed !== null);
      expect(other.closed).toEqual({
        code: linkCloseCodes.protocolError,
        reason: `this edge speaks versions ${now - 1} and ${now}, the bridge ${version}`,
      });
    }
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
    const { accountId, numberId, bridge } = await connectedNumber();
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
    const events = await loggedEvents(accountId);
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

  test('says which entries of the vault do not begin as asked, by key, a bounded part at a time', async () => {
    const { bridge } = await connectedNumber();
    const entryOf = (key: string, first: number, bytes = 100) => ({
      key,
      sealed: Buffer.alloc(bytes, first).toString('base64'),
    });
    const large = entryOf('part/b', 1, 150_000);
    await bridge.tell({ type: 'vault.put', entries: [entryOf('creds', 1), entryOf('session/1', 2)] });
    await bridge.tell({ type: 'vault.put', entries: [entryOf('part/a', 1), large] });
    await bridge.tell({ type: 'vault.put', entries: [entryOf('session/2', 1)] });
    const beginning = Buffer.of(2, 2, 2, 2, 2).toString('base64');
    const outdated = async (after: string | null) => {
      bridge.say({ type: 'vault.outdated', requestId: 1, beginning, after });
      return (await bridge.take('vault.entries')).entries;
    };
    expect((await outdated(null)).map(({ key }) => key)).toEqual(['creds', 'part/a']);
    expect(await outdated('part/a')).toEqual([large]);
    expect((await outdated('part/b')).map(({ key }) => key)).toEqual(['session/2']);
    expect(await outdated('session/2')).toEqual([]);
  });

  test('keeps the vault of a banned number for a week, in which it can be connected again', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
    await bridge.tell({ type: 'session.ended', reason: 'banned', at: at() });
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'banned' });
    expect(await phoneNumber(numberId).connectSession()).toEqual({ ok: true });
    await bridge.tell({ type: 'session.ended', reason: 'banned', at: at() });
    const isKept = (of = numberId) =>
      runInDurableObject(
        phoneNumber(of),
        (_, { storage }) => storage.sql.exec('SELECT 1 FROM vault').toArray().length > 0,
      );
    expect(await isKept()).toBe(true);
    // Keys of a phone that is linked anew are others.
    const { numberId: other, bridge: others } = await connectedNumber();
    await others.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
    await others.tell({ type: 'session.ended', reason: 'banned', at: at() });
    expect(await phoneNumber(other).pair({ method: 'qr' })).toEqual({ ok: true });
    expect(await isKept(other)).toBe(false);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 });
    try {
      await runDurableObjectAlarm(phoneNumber(numberId));
      expect(await phoneNumber(numberId).connectSession()).toMatchObject({ ok: false, code: 'CONFLICT' });
    } finally {
      vi.useRealTimers();
    }
    expect(await isKept()).toBe(false);
  });
});

describe('a number', () => {
  test('that is deleted logs its session out, gives back what waits, tells all of it, and keeps only what tells a repeat', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const message = textMessage('too late');
    const batch = { batchNumber: 1, messages: [message] };
    await phoneNumber(numberId).take(batch);
    await phoneNumber(numberId).remove();
    expect(await bridge.take('session.stop')).toEqual({ type: 'session.stop', logout: true });
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at: at() });
    await until(() => heard.returnedBy(numberId).length === 1);
    expect(heard.returnedBy(numberId)).toMatchObject([{ message, reason: 'deleted' }]);
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return runInDurableObject(
        phoneNumber(numberId),
        (_, { storage }) => storage.sql.exec('SELECT 1 FROM vault').toArray().length === 0,
      );
    });
    await until(() => bridge.closed !== null);
    expect(bridge.closed?.code).toBe(linkCloseCodes.gone);
    expect((await loggedEvents(accountId)).map(({ event }) => event)).toEqual([
      'device.connected',
      'device.disconnected',
      'device.logged_out',
    ]);
    // A bridge that was away meanwhile, and still holds something of it, is told.
    const late = await FakeBridge.link(numberId);
    await until(() => late.closed !== null);
    expect(late.closed).toEqual({ code: linkCloseCodes.gone, reason: 'the number was deleted' });
    // A late repeat changes nothing, and what is new comes back.
    expect(await phoneNumber(numberId).take(batch)).toMatchObject({ takenUpTo: 1, room: 0 });
    const after = textMessage('after');
    await phoneNumber(numberId).take({ batchNumber: 2, messages: [after] });
    await until(async () => {
      await runDurableObjectAlarm(phoneNumber(numberId));
      return heard.returnedBy(numberId).length === 2;
    });
    expect(heard.returnedBy(numberId).at(-1)).toMatchObject({ message: after, reason: 'deleted' });
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
