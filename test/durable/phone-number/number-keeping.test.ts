import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { linkCloseCodes, type NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { defaultStoredSession } from '../../../src/contract/bridge/session-settings.ts';
import type { GroupChange } from '../../../src/contract/numbers/group.ts';
import { reasonSentence } from '../../../src/contract/numbers/reasons.ts';
import { defaultPacing, type Pacing } from '../../../src/contract/numbers/sender-settings.ts';
import { signedGrant } from '../../../src/durable/bridge-grants.ts';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { FactsTaken } from '../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import type { Device } from '../../../src/durable/phone-number/device/device.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { groupOf } from './fake-network.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();
const dayMs = 86_400_000;
const noBridge = reasonSentence('no_bridge');
const at = () => new Date().toISOString();
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));
const clockAt = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
const unpaced: Pacing = { ...defaultPacing, minDelayMs: 0, maxDelayMs: 0 };
const sha256 = 'ab'.repeat(32);

const picture = () =>
  textMessage('', {
    content: {
      type: 'image',
      media: { mediaId: newUuid(), mimetype: 'image/jpeg', bytes: 5, sha256 },
    },
  });
const reaction = () =>
  textMessage('', {
    content: {
      type: 'reaction',
      targetId: textMessage('').messageId,
      target: { providerMessageId: '3EB0AA', isOwn: false, author: '628999888777' },
      emoji: '👍',
    },
  });

/** The first row that a query finds in the number's storage. */
const rowOf = (numberId: string, query: string) =>
  runInDurableObject(
    phoneNumber(numberId),
    (_, { storage }) => storage.sql.exec<{ json: string }>(query).toArray()[0],
  );
const deviceOf = async (numberId: string): Promise<Device> =>
  JSON.parse((await rowOf(numberId, 'SELECT json FROM device'))?.json ?? '');

afterEach(() => {
  vi.useRealTimers();
});

describe('a number', () => {
  test('that is paired while no bridge is there says so, and pairs by itself once one is', async () => {
    const [accountId, numberId] = [newUuid(), newUuid()];
    await phoneNumber(numberId).provision({ accountId, numberId });
    const start = Date.now();
    clockAt(start);
    await phoneNumber(numberId).pair({ method: 'qr' });
    vi.setSystemTime(start + 4_999);
    await ring(numberId);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'pairing', reason: null });
    vi.setSystemTime(start + 5_000);
    await ring(numberId);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'pairing', reason: noBridge });
    expect(await phoneNumber(numberId).health()).toMatchObject({ reason: noBridge });
    await until(() => heard.lastReport(numberId)?.reason === noBridge);
    const bridge = await FakeBridge.link(numberId);
    bridge.say({ type: 'link.ready' });
    await bridge.take('session.pair');
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'pairing', reason: null });
    // That it is gone again, too.
    bridge.close();
    await until(async () => (await deviceOf(numberId)).linkLostAt !== null);
    vi.setSystemTime(Date.now() + 5_000);
    await ring(numberId);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'pairing', reason: noBridge });
  });

  test('whose bridge is gone is away, or waits for one, also where the clock was set back since', async () => {
    const { numberId, bridge } = await connectedNumber();
    bridge.close();
    const pairing = newUuid();
    await phoneNumber(pairing).provision({ accountId: newUuid(), numberId: pairing });
    await phoneNumber(pairing).pair({ method: 'qr' });
    await until(async () => (await deviceOf(numberId)).linkLostAt !== null);
    clockAt(Date.now() - 3_600_000);
    for (const one of [numberId, pairing]) await ring(one);
    // Nor was it seen at a time that is still to come.
    const seen = { state: 'disconnected', lastSeenAt: Date.now() };
    expect(await phoneNumber(numberId).device()).toMatchObject(seen);
    expect(await phoneNumber(pairing).device()).toMatchObject({ state: 'pairing', reason: noBridge });
  });

  test('that is to connect again says why it does not: that no bridge is there, or what the network has against it', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).disconnectSession();
    bridge.close();
    await until(async () => (await deviceOf(numberId)).linkLostAt !== null);
    const start = Date.now();
    clockAt(start + 60_000);
    await ring(numberId);
    const reason = async () => (await phoneNumber(numberId).device()).reason;
    expect(await reason()).toBe(reasonSentence('requested'));
    await phoneNumber(numberId).connectSession();
    vi.setSystemTime(start + 65_000);
    await ring(numberId);
    expect(await reason()).toBe(noBridge);
    const next = await FakeBridge.link(numberId, 2);
    next.say({ type: 'link.ready' });
    await next.take('session.start');
    await next.tell({ type: 'session.disconnected', reason: 'network_unavailable', lastSeenAt: at() });
    expect(await reason()).toBe(reasonSentence('network_unavailable'));
    await next.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    expect(await reason()).toBe(reasonSentence('network_unavailable'));
  });

  test('whose bridge is gone counts as away, and was last seen, from the loss on, not from when that is noticed', async () => {
    const { numberId } = await connectedNumber();
    const bridge = await FakeBridge.link(numberId, 5);
    bridge.say({ type: 'link.ready' });
    await bridge.take('session.start');
    const start = Date.now();
    clockAt(start);
    bridge.close();
    await until(async () => (await deviceOf(numberId)).linkLostAt !== null);
    // One of an earlier lease, which may only report, drives nothing.
    const older = await FakeBridge.link(numberId, 4);
    older.say({ type: 'link.ready' });
    older.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
    await older.take('vault.entries');
    vi.setSystemTime(start + 20_000);
    await evictDurableObject(phoneNumber(numberId));
    vi.setSystemTime(start + 90_000);
    await ring(numberId);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'disconnected', lastSeenAt: start });
    const { changes } = await phoneNumber(numberId).health();
    expect(changes[0]).toMatchObject({ status: 'unavailable', at: start });
    const message = textMessage('waits');
    await giveBatch(numberId, message);
    vi.setSystemTime(start + 120_000);
    await until(async () => {
      await ring(numberId);
      return heard.returnedBy(numberId).length === 1;
    });
  });

  test('whose bridge is back in time counts as connected all along', async () => {
    const { numberId, bridge } = await connectedNumber();
    const start = Date.now();
    clockAt(start);
    bridge.close();
    await until(async () => (await deviceOf(numberId)).linkLostAt !== null);
    const next = await FakeBridge.link(numberId, 2);
    next.say({ type: 'link.ready' });
    await next.take('session.start');
    vi.setSystemTime(start + 90_000);
    await ring(numberId);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'connected' });
  });

  test('tells the next bridge what another one may have sent, also where that bridge was told before', async () => {
    const { numberId, bridge } = await connectedNumber();
    const message = textMessage('sent, or not?');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const bridgeId = newUuid();
    // Whether the first of these links has brought it to the bridge is not known.
    for (let link = 0; link < 2; link += 1) {
      const next = await FakeBridge.link(numberId, 2, bridgeId);
      next.say({ type: 'link.ready' });
      expect(await next.take('session.start')).toMatchObject({ freshSessionsFor: [message.to] });
      expect((await next.take('send')).messages).toMatchObject([{ handedTo: 'another' }]);
    }
  });

  test('tells the bridge that alone was given a message that it may have sent it', async () => {
    const { numberId } = await connectedNumber();
    const bridgeId = newUuid();
    const bridge = await FakeBridge.link(numberId, 2, bridgeId);
    bridge.say({ type: 'link.ready' });
    await bridge.take('session.start');
    await giveBatch(numberId, textMessage('once'));
    await bridge.take('send');
    const same = await FakeBridge.link(numberId, 2, bridgeId);
    same.say({ type: 'link.ready' });
    expect(await same.take('session.start')).not.toHaveProperty('freshSessionsFor');
    expect((await same.take('send')).messages).toMatchObject([{ handedTo: 'you' }]);
  });

  test('hands a bridge that has begun anew what it was given before, once the session is back, also after an eviction', async () => {
    const { numberId } = await connectedNumber();
    const bridgeId = newUuid();
    const bridge = await FakeBridge.link(numberId, 2, bridgeId);
    bridge.say({ type: 'link.ready' });
    await bridge.take('session.start');
    await giveBatch(numberId, textMessage('sent, or not?'));
    await bridge.take('send');
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    clockAt(Date.now() + 1_000);
    const anew = await FakeBridge.link(numberId, 2, bridgeId);
    anew.say({ type: 'link.ready' });
    await anew.take('session.start');
    await evictDurableObject(phoneNumber(numberId));
    await anew.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    expect((await anew.take('send')).messages).toMatchObject([{ handOver: 2, handedTo: 'you' }]);
  });

  test('that is paired anew within the week of its ban keeps the keys of the new pairing', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'session.ended', reason: 'banned', at: at() });
    expect(await phoneNumber(numberId).pair({ method: 'qr' })).toEqual({ ok: true });
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('new') }] });
    clockAt(Date.now() + 8 * dayMs);
    await ring(numberId);
    bridge.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
    expect((await bridge.take('vault.entries')).entries).toEqual([{ key: 'creds', sealed: btoa('new') }]);
  });

  test('is told of another account only while it has the phone that is linked there', async () => {
    const { numberId } = await connectedNumber('628123450001');
    await phoneNumber(numberId).notePhoneLinkedElsewhere('628123450002');
    expect(await phoneNumber(numberId).device()).toMatchObject({ reason: null });
    await phoneNumber(numberId).notePhoneLinkedElsewhere('628123450001');
    expect(await phoneNumber(numberId).device()).toMatchObject({
      reason: expect.stringContaining('another account'),
    });
  });

  test('that is deleted gives no bridge its files, and forgets whom it wrote to', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const bridgeId = newUuid();
    const grant = signedGrant(env, { numberId, bridgeId, epoch: 1 }, Date.now());
    const asked = { bridgeId, epoch: 1, grant };
    expect(await phoneNumber(numberId).accountOfGrant(asked)).toBe(accountId);
    await phoneNumber(numberId).configure({ ...unpaced, recipientIntervalMs: 60_000 });
    const message = textMessage('to somebody');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const items = [{ outcome: 'sent' as const, handOver: 1, messageId: message.messageId, at: at() }];
    await bridge.tell({ type: 'send.outcomes', items });
    const rows = () =>
      runInDurableObject(phoneNumber(numberId), (_, { storage }) =>
        Object.fromEntries(
          ['chats', 'vault', 'groups', 'inbound_media', 'queue'].map((table) => [
            table,
            storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
          ]),
        ),
      );
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
    await bridge.tell({
      type: 'groups.state',
      groups: [groupOf('120363000000000042@g.us', ['628123456789'])],
    });
    const source = { directPath: '/v/x', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) };
    const file = { mediaId: newUuid(), mimetype: 'image/jpeg', bytes: 5, sha256 };
    const content = { type: 'image' as const, media: { ...file, status: 'pending' as const, source } };
    const inbound = { providerMessageId: '3A1', at: at(), chatType: 'personal' as const, pushName: 'Budi' };
    await bridge.tell({ type: 'inbound', items: [{ ...inbound, from: '628555555555', content }] });
    expect(await rows()).toEqual({ chats: 1, vault: 1, groups: 1, inbound_media: 1, queue: 0 });
    await phoneNumber(numberId).remove();
    expect(await phoneNumber(numberId).accountOfGrant(asked)).toBeNull();
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at: at() });
    await until(async () => {
      await ring(numberId);
      return bridge.closed !== null;
    });
    expect(bridge.closed?.code).toBe(linkCloseCodes.gone);
    expect(Object.values(await rows())).toEqual([0, 0, 0, 0, 0]);
  });

  test('gives the bridge of an earlier lease none of its keys, however it asks for them', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
    await FakeBridge.link(numberId, 5);
    const older = await FakeBridge.link(numberId, 4);
    older.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
    expect((await older.take('vault.entries')).entries).toEqual([]);
    older.say({ type: 'vault.outdated', requestId: 2, beginning: btoa('\x01'), after: null });
    expect((await older.take('vault.entries')).entries).toEqual([]);
  });

  test('asks for its groups again where the bridge of an earlier lease knows of a change', async () => {
    const { numberId } = await connectedNumber();
    const newer = await FakeBridge.link(numberId, 5);
    newer.say({ type: 'link.ready' });
    const at = new Date().toISOString();
    await newer.tell({ type: 'groups.synced', groupIds: [], at });
    clockAt(Date.now() + 3_600_000);
    await ring(numberId);
    newer.heard.length = 0;
    const older = await FakeBridge.link(numberId, 4);
    const groupId = '120363000000000042@g.us';
    const participants = [{ phoneNumber: '628111222333' }];
    const changes: GroupChange[] = [{ kind: 'participants', action: 'add', participants }];
    const notice = { type: 'group.notice', noticeId: 'N1', groupId, at, changes } as const;
    older.say({ type: 'fact', seq: 1, after: 0, fact: notice });
    await older.take('fact.refused');
    await ring(numberId);
    expect(await newer.take('query')).toMatchObject({ query: { verb: 'groups.sync' } });
  });

  test('tells who types only as the bridge that drives it says', async () => {
    const typing = vi.spyOn(EventLog.prototype, 'noteTyping');
    const { numberId } = await connectedNumber();
    const newer = await FakeBridge.link(numberId, 5);
    const older = await FakeBridge.link(numberId, 4);
    for (const [bridge, phone] of [
      [older, '628555000004'],
      [newer, '628555000005'],
    ] as const) {
      bridge.say({ type: 'chat.typing', phoneNumber: phone, state: 'typing' });
      bridge.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
      await bridge.take('vault.entries');
    }
    await until(() => typing.mock.calls.length > 0);
    expect(typing.mock.calls.map(([chat]) => chat.phoneNumber)).toEqual(['628555000005']);
    typing.mockRestore();
  });

  test('takes no session settings that are older than what it has', async () => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.take('query');
    const session = { ...defaultStoredSession, rejectCalls: true };
    await phoneNumber(numberId).configure(unpaced, 5, session);
    expect(await bridge.take('session.start')).toMatchObject({ settings: { rejectCalls: true } });
    await phoneNumber(numberId).configure(unpaced, 4, { ...session, rejectCalls: false });
    await phoneNumber(numberId).configure(unpaced, 6, { ...session, presence: 'available' });
    expect(await bridge.take('session.start')).toMatchObject({
      settings: { rejectCalls: true, presence: 'available' },
    });
  });
});

describe('a message', () => {
  const inQueue = (numberId: string) =>
    runInDurableObject(
      phoneNumber(numberId),
      (_, { storage }) => storage.sql.exec('SELECT 1 FROM queue').toArray().length,
    );

  test('whose time is over does not leave any more, while it waits to be given back', async () => {
    const { numberId, bridge } = await connectedNumber();
    const start = Date.now();
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    const over = textMessage('over its time', { expiresAt: start + 10_000 });
    await giveBatch(numberId, over, textMessage('still wanted'));
    clockAt(start + 12_000);
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const { messages } = await bridge.take('send');
    expect(messages.map(({ content }) => content)).toEqual([{ type: 'text', text: 'still wanted' }]);
    vi.setSystemTime(start + 15_000);
    await until(async () => {
      await ring(numberId);
      return heard.returnedBy(numberId).length > 0;
    });
    expect(heard.returnedBy(numberId)).toMatchObject([{ reason: 'expired', message: over }]);
  });

  test('to somebody leaves together with what is done to one of theirs, which is no message that it keeps its distance from', async () => {
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...unpaced, recipientIntervalMs: 60_000 });
    await giveBatch(numberId, reaction());
    await bridge.take('send');
    await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() });
    await giveBatch(numberId, reaction(), textMessage('at once'), textMessage('a minute later'));
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at: at() });
    const { messages } = await bridge.take('send');
    expect(messages.map(({ content: { type } }) => type)).toEqual(['reaction', 'text']);
  });

  test.each(['logged_out_by_phone', 'banned'] as const)(
    'that was handed over waits half a minute for the last facts of a session that has ended (%s)',
    async (reason) => {
      const { numberId, bridge } = await connectedNumber();
      const start = Date.now();
      clockAt(start);
      await giveBatch(numberId, textMessage('sent, or not?'));
      await bridge.take('send');
      await bridge.tell({ type: 'session.ended', reason, at: at() });
      vi.setSystemTime(start + 29_000);
      await ring(numberId);
      expect(await inQueue(numberId)).toBe(1);
      vi.setSystemTime(start + 30_000);
      await ring(numberId);
      expect(await inQueue(numberId)).toBe(0);
    },
  );
});

test('what a number was sending when it was deleted has half a minute for its outcome, and fails then', async () => {
  const { numberId, bridge } = await connectedNumber();
  const [sent, lost] = [textMessage('on its way'), textMessage('gone')];
  await giveBatch(numberId, sent, lost);
  await bridge.take('send');
  const inQueue = () =>
    runInDurableObject(phoneNumber(numberId), (_, { storage }) =>
      storage.sql.exec<{ message_id: string }>('SELECT message_id FROM queue').toArray(),
    );
  const start = Date.now();
  clockAt(start);
  await phoneNumber(numberId).remove();
  vi.setSystemTime(start + 29_000);
  await ring(numberId);
  const items = [{ outcome: 'sent' as const, handOver: 1, messageId: sent.messageId, at: at() }];
  await bridge.tell({ type: 'send.outcomes', items });
  expect(await inQueue()).toEqual([{ message_id: lost.messageId }]);
  vi.setSystemTime(start + 30_000);
  await ring(numberId);
  expect(await inQueue()).toEqual([]);
});

test('an answer of the network stands behind the facts that were told before it: they are part of it', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.take('query');
  const message = textMessage('is under way');
  await giveBatch(numberId, message);
  const { providerMessageId = '' } = (await bridge.take('send')).messages[0] ?? {};
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<FactsTaken>();
  const { promise: isAsked, resolve: asks } = Promise.withResolvers<void>();
  const log: { take(facts: unknown): unknown } = EventLog.prototype;
  vi.spyOn(log, 'take').mockImplementationOnce(() => {
    asks();
    return mayAnswer;
  });
  const asked = phoneNumber(numberId).askNetwork({ verb: 'groups.sync' });
  const { queryId } = await bridge.take('query');
  let isAnswered = false;
  void asked.then(() => {
    isAnswered = true;
  });
  const call = { callId: 'C1', at: at(), from: '628555555555', isVideo: false, isGroup: false };
  bridge.say({ type: 'fact', seq: 10, after: 0, fact: { type: 'calls', items: [call] } });
  await isAsked;
  const group = groupOf('120363000000000042@g.us', ['628123456789']);
  bridge.say({ type: 'fact', seq: 11, after: 10, fact: { type: 'groups.state', groups: [group] } });
  bridge.say({ type: 'query.result', queryId, answer: {} });
  bridge.say({ type: 'content.get', requestId: 1, providerMessageId });
  // What it was handed it is told once more.
  expect(await bridge.take('content')).toMatchObject({ content: message.content, to: message.to });
  expect(isAnswered).toBe(false);
  answer({ taken: 1 });
  expect(await asked).toMatchObject({ ok: true });
  expect(await phoneNumber(numberId).group(group.groupId)).toEqual(group);
});

describe('the day of a number', () => {
  test('has back what turned out never to be sendable, and is not touched by what is done to messages', async () => {
    clockAt(Date.parse('2037-05-10T10:00:00.000Z'));
    const { numberId, bridge } = await connectedNumber();
    await phoneNumber(numberId).configure({ ...unpaced, dailyLimit: 2 });
    const message = textMessage('to nobody');
    expect(await giveBatch(numberId, message)).toMatchObject({ dailyRemaining: 1 });
    await bridge.take('send');
    const failed = { outcome: 'failed', handOver: 1, messageId: message.messageId, at: at() } as const;
    await bridge.tell({
      type: 'send.outcomes',
      items: [{ ...failed, code: null, errorMessage: 'Nobody is there.' }],
    });
    expect(await giveBatch(numberId)).toMatchObject({ dailyRemaining: 2 });
    expect(await giveBatch(numberId, reaction())).toMatchObject({ dailyRemaining: 2 });
    await bridge.take('send');
  });
});

describe('the health of a number', () => {
  const healthOf = async (numberId: string) => (await phoneNumber(numberId).health()).status;

  test('does not suffer from files that are on their way to the network', async () => {
    const { numberId, bridge } = await connectedNumber();
    await giveBatch(numberId, ...Array.from({ length: 6 }, picture));
    await bridge.take('send');
    clockAt(Date.now() + 61_000);
    await ring(numberId);
    expect(await healthOf(numberId)).toBe('healthy');
  });

  test('suffers where the network acknowledges five messages in a row late', async () => {
    const { numberId, bridge } = await connectedNumber();
    const messages = Array.from({ length: 5 }, (_, index) => textMessage(`text ${index}`));
    await giveBatch(numberId, ...messages);
    await bridge.take('send');
    const items = messages.map(({ messageId }) => ({
      ...{ outcome: 'sent' as const, handOver: 1, messageId, at: at(), ackMs: 15_001 },
    }));
    await bridge.tell({ type: 'send.outcomes', items: items.slice(0, 4) });
    expect(await healthOf(numberId)).toBe('healthy');
    await bridge.tell({ type: 'send.outcomes', items: items.slice(4) });
    expect(await healthOf(numberId)).toBe('resting');
    // That its trial went well is told by a receipt, too.
    clockAt(Date.now() + 30_001);
    await ring(numberId);
    await giveBatch(numberId, textMessage('trial'));
    const [trial] = (await bridge.take('send')).messages;
    expect(await phoneNumber(numberId).health()).toMatchObject({
      status: 'healthy',
      reason: expect.any(String),
    });
    const { providerMessageId = '' } = trial ?? {};
    await bridge.tell({
      type: 'receipts',
      items: [{ providerMessageId, kind: 'delivered', at: at(), recipient: '628999888777', isGroup: false }],
    });
    expect(await phoneNumber(numberId).health()).toMatchObject({ status: 'healthy', reason: null });
  });

  test('does not suffer from what ends because its own time is over', async () => {
    const { numberId, bridge } = await connectedNumber();
    const expiresAt = Date.now() + 30_000;
    await giveBatch(numberId, ...Array.from({ length: 6 }, () => textMessage('short', { expiresAt })));
    await bridge.take('send');
    clockAt(expiresAt + 10_000);
    await ring(numberId);
    vi.setSystemTime(expiresAt + 60_000);
    await ring(numberId);
    expect(await healthOf(numberId)).toBe('healthy');
  });
});

describe('the account of a number', () => {
  test('hears of room again also where the batch that filled it came while it was being told', async () => {
    const { numberId, bridge } = await connectedNumber();
    const messages = Array.from({ length: 64 }, (_, index) => textMessage(`text ${index}`));
    await until(async () => {
      await ring(numberId);
      const { revision, reportedRevision } = await deviceOf(numberId);
      return revision === reportedRevision;
    });
    const { promise: isHearing, resolve: hears } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    const hear = vi.spyOn(heard, 'answered').mockImplementationOnce(() => {
      hears();
      return mayAnswer;
    });
    const inbound: NumberFact = {
      type: 'inbound',
      items: [
        {
          ...{ providerMessageId: 'IN1', at: at(), chatType: 'personal', from: '628555555555', pushName: '' },
          content: { type: 'text', text: 'hello' },
        },
      ],
    };
    await bridge.tell(inbound);
    await isHearing;
    expect(await giveBatch(numberId, ...messages)).toMatchObject({ room: 0 });
    answer();
    hear.mockRestore();
    for (let part = 0; part < 2; part += 1) {
      const { messages: handed } = await bridge.take('send');
      const items = handed.map(({ messageId }) => ({
        ...{ outcome: 'sent' as const, handOver: 1, messageId, at: at(), ackMs: 5 },
      }));
      await bridge.tell({ type: 'send.outcomes', items });
    }
    await until(() => heard.lastReport(numberId)?.takenUpTo === 1);
    expect(heard.lastReport(numberId)?.room).toBeGreaterThan(0);
  });

  test('hears of what people write to the number, and not of what its owner writes to them from the phone', async () => {
    const { numberId, bridge } = await connectedNumber();
    const [own, customer] = ['628123456789', '628555555555'];
    const wrote = (from: string, more: object): NumberFact => ({
      type: 'inbound',
      items: [
        {
          ...{ providerMessageId: newUuid(), at: at(), chatType: 'personal', from, pushName: '' },
          content: { type: 'text', text: 'stop' },
          ...more,
        },
      ],
    });
    await bridge.tell(wrote(own, { sentTo: customer }));
    await bridge.tell(wrote(customer, {}));
    await until(() => heard.inboundAt(numberId).length > 0);
    expect(heard.inboundAt(numberId)).toMatchObject([{ from: customer, text: 'STOP' }]);
  });
});

test('a chat is not watched while the network limits that', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.take('query');
  const [first, second] = ['628555000001', '628555000002'];
  await phoneNumber(numberId).watchChat(first);
  const { queryId, query } = await bridge.take('query');
  expect(query).toEqual({ verb: 'chats.watch', chat: first });
  const failure = { reason: 'rate_limited' } as const;
  bridge.say({ type: 'query.failed', queryId, verb: 'chats.watch', failure });
  await until(() => rowOf(numberId, "SELECT json FROM number_state WHERE name = 'queryHolds'"));
  await phoneNumber(numberId).watchChat(second);
  clockAt(Date.now() + 31_000);
  await phoneNumber(numberId).watchChat(first);
  expect(await bridge.take('query')).toMatchObject({ query: { chat: first } });
});
