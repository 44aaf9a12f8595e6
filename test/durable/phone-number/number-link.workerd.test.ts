import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { InboundMessage, NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { eventsOf, factsTold, loggedEvents } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, giveBatch, phoneNumber, textMessage } from './fake-bridge.ts';
import { HeardNews } from './number-news.ts';

const heard = new HeardNews();
const at = () => new Date().toISOString();
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));

const inbound = (providerMessageId: string, text = 'hello'): InboundMessage => ({
  providerMessageId,
  at: at(),
  chatType: 'personal',
  from: '628555555555',
  pushName: '',
  content: { type: 'text', text },
});
const fact = (...items: InboundMessage[]): NumberFact => ({ type: 'inbound', items });
const acks = (bridge: FakeBridge) =>
  bridge.heard.flatMap((frame) => (frame.type === 'fact.ack' ? [frame.seq] : []));

/** The calls of the log break off until the returned function is called. */
function logAway(): () => void {
  const take = vi.spyOn(EventLog.prototype, 'take').mockImplementation(() => {
    throw new Error('the log is away');
  });
  return () => take.mockRestore();
}

afterEach(() => {
  vi.useRealTimers();
});

describe('what the bridge says', () => {
  test('is acknowledged only when the log has it, in order, and once the log is back', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const before = acks(bridge).length;
    const back = logAway();
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      bridge.say({
        type: 'fact',
        seq: 10 + index,
        after: index === 0 ? 0 : 9 + index,
        fact: fact(inbound(text, text)),
      });
    }
    await phoneNumber(numberId).device();
    expect(acks(bridge)).toHaveLength(before);
    back();
    await until(() => acks(bridge).includes(12));
    const texts = (await loggedEvents(accountId)).flatMap(({ data }) => ('text' in data ? [data.text] : []));
    expect(texts).toEqual(['one', 'two', 'three']);
    await until(() => heard.inboundAt(numberId).length === 3);
  });

  test('and can never be taken is refused by its number, and holds up nothing behind it', async () => {
    const { accountId, bridge } = await connectedNumber();
    const poison = JSON.stringify({
      type: 'fact',
      seq: 20,
      after: 0,
      fact: { type: 'inbound', items: [{ text: 7 }] },
    });
    bridge.sayRaw(poison);
    bridge.say({ type: 'fact', seq: 21, after: 20, fact: fact(inbound('IN1')) });
    expect(await bridge.take('fact.refused')).toEqual({ type: 'fact.refused', seq: 20, reason: 'invalid' });
    await until(() => acks(bridge).includes(21));
    expect((await factsTold(accountId)).at(-1)).toBe('message.received');
    expect(bridge.closed).toBeNull();
  });

  test('and cannot be stored here is refused too', async () => {
    const { numberId, bridge } = await connectedNumber();
    await runInDurableObject<PhoneNumber, void>(phoneNumber(numberId), (_, { storage }) => {
      storage.sql.exec(`CREATE TRIGGER refuse BEFORE INSERT ON vault WHEN NEW.key = 'bad'
        BEGIN SELECT RAISE(ABORT, 'no'); END`);
    });
    const put = (key: string): NumberFact => ({ type: 'vault.put', entries: [{ key, sealed: btoa('x') }] });
    bridge.say({ type: 'fact', seq: 30, after: 0, fact: put('bad') });
    bridge.say({ type: 'fact', seq: 31, after: 30, fact: put('good') });
    expect(await bridge.take('fact.refused')).toMatchObject({ seq: 30, reason: 'not_stored' });
    await until(() => acks(bridge).includes(31));
  });

  test('behind a fact that this life of the object never got is not taken before that one comes again', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    bridge.say({ type: 'fact', seq: 41, after: 40, fact: fact(inbound('second', 'second')) });
    await phoneNumber(numberId).device();
    expect(acks(bridge)).not.toContain(41);
    bridge.say({ type: 'fact', seq: 40, after: 0, fact: fact(inbound('first', 'first')) });
    bridge.say({ type: 'fact', seq: 41, after: 40, fact: fact(inbound('second', 'second')) });
    await until(() => acks(bridge).includes(41));
    const texts = (await loggedEvents(accountId)).flatMap(({ data }) => ('text' in data ? [data.text] : []));
    expect(texts).toEqual(['first', 'second']);
  });

  test('goes on without NUL, in whatever text it stands', async () => {
    const { accountId, bridge } = await connectedNumber();
    const message = inbound('nul', 'a\0b \\u0000');
    await bridge.tell(fact({ ...message, pushName: '\0Budi\0' }));
    const [received] = (await loggedEvents(accountId)).filter(({ event }) => event === 'message.received');
    expect(received?.data).toMatchObject({ text: 'ab \\u0000', pushName: 'Budi' });
  });

  test('and is repeated while it waits, or after it was taken, counts once', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const back = logAway();
    const lost: NumberFact = { type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() };
    const found: NumberFact = { type: 'session.connected', phoneNumber: '628123456789', at: at() };
    bridge.say({ type: 'fact', seq: 40, after: 0, fact: fact(inbound('IN1')) });
    bridge.say({ type: 'fact', seq: 41, after: 40, fact: lost });
    bridge.say({ type: 'fact', seq: 42, after: 41, fact: found });
    for (const [seq, repeated] of [
      [40, fact(inbound('IN1'))],
      [41, lost],
      [42, found],
    ] as const) {
      bridge.say({ type: 'fact', seq, after: 0, fact: repeated });
    }
    await phoneNumber(numberId).device();
    back();
    await until(() => acks(bridge).includes(42));
    bridge.say({ type: 'fact', seq: 41, after: 0, fact: lost });
    await until(() => acks(bridge).filter((seq) => seq === 41).length >= 2);
    // What devices do is acknowledged when the number has it; a message is when the log has all that came before.
    bridge.say({ type: 'fact', seq: 43, after: 42, fact: fact(inbound('IN2')) });
    await until(() => acks(bridge).includes(43));
    expect(await factsTold(accountId)).toEqual([
      'device.connected',
      'message.received',
      'device.disconnected',
      'device.connected',
      'message.received',
    ]);
  });

  test('stands in the log behind what its number had to tell before, also when the log missed that twice', async () => {
    const { accountId, bridge } = await connectedNumber();
    const logged = () => factsTold(accountId);
    await expect.poll(logged).toEqual(['device.connected']);
    const take = vi.spyOn(EventLog.prototype, 'take');
    for (const _ of [1, 2]) {
      take.mockImplementationOnce(() => {
        throw new Error('the log is away');
      });
    }
    const lost: NumberFact = { type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at() };
    bridge.say({ type: 'fact', seq: 40, after: 0, fact: lost });
    await until(() => take.mock.calls.length > 0);
    await until(() => acks(bridge).includes(40));
    bridge.say({ type: 'fact', seq: 41, after: 40, fact: fact(inbound('IN1')) });
    await until(() => acks(bridge).includes(41));
    take.mockRestore();
    expect(await logged()).toEqual(['device.connected', 'device.disconnected', 'message.received']);
  });

  test('and comes in together goes to the log in fewer calls', async () => {
    const { bridge } = await connectedNumber();
    const untouched = EventLog.prototype.take;
    const allIsIn = Promise.withResolvers<void>();
    const received = vi.spyOn(PhoneNumber.prototype, 'webSocketMessage');
    const log: { take(facts: Parameters<EventLog['take']>[0]): unknown } = EventLog.prototype;
    const take = vi.spyOn(log, 'take').mockImplementationOnce(async function (this: EventLog, facts) {
      await allIsIn.promise;
      return untouched.call(this, facts);
    });
    for (let index = 0; index < 20; index += 1) {
      const after = index === 0 ? 0 : 49 + index;
      bridge.say({ type: 'fact', seq: 50 + index, after, fact: fact(inbound(`IN${index}`)) });
    }
    await until(() => received.mock.calls.length >= 20);
    allIsIn.resolve();
    await until(() => acks(bridge).includes(69));
    expect(take.mock.calls.length).toBeLessThan(20);
    take.mockRestore();
    received.mockRestore();
  });

  test('of the messages under way frees their places only when the log has it', async () => {
    const { numberId, bridge } = await connectedNumber();
    await giveBatch(numberId, ...Array.from({ length: 33 }, (_, index) => textMessage(`text ${index}`)));
    const { messages } = await bridge.take('send');
    expect(messages).toHaveLength(32);
    const back = logAway();
    const items = messages.map(({ messageId }) => ({
      outcome: 'sent' as const,
      handOver: 1,
      messageId,
      at: at(),
    }));
    bridge.say({ type: 'fact', seq: 80, after: 0, fact: { type: 'send.outcomes', items } });
    await phoneNumber(numberId).device();
    expect(bridge.heard.filter((frame) => frame.type === 'send')).toEqual([]);
    back();
    expect((await bridge.take('send')).messages).toHaveLength(1);
  });
});

describe('a bridge whose lease is over', () => {
  test('may still report what became of messages, and gets neither keys nor work', async () => {
    const { accountId, numberId, bridge } = await connectedNumber();
    const message = textMessage('handed before');
    await giveBatch(numberId, message);
    await bridge.take('send');
    const current = await FakeBridge.link(numberId, 5);
    const older = await FakeBridge.link(numberId, 4);
    expect(await older.take('link.welcome')).toMatchObject({ reportOnly: true });
    await older.tell({
      type: 'send.outcomes',
      items: [{ outcome: 'sent', handOver: 1, messageId: message.messageId, at: at() }],
    });
    expect((await eventsOf(accountId, message.messageId)).map(({ event }) => event)).toEqual([
      'message.queued',
      'message.sent',
    ]);
    const ended: NumberFact = { type: 'session.ended', reason: 'banned', at: at() };
    older.say({ type: 'fact', seq: 90, after: 0, fact: ended });
    expect(await older.take('fact.refused')).toMatchObject({ seq: 90, reason: 'report_only' });
    older.say({ type: 'link.ready' });
    older.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
    expect((await older.take('vault.entries')).entries).toEqual([]);
    expect(older.heard.filter(({ type }) => type.startsWith('session.'))).toEqual([]);
    expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'connected' });
    expect(current.closed).toBeNull();
  });
});

describe('a link of which nothing is heard any more', () => {
  test('is closed when an answer is overdue, and what was handed over it goes over the next', async () => {
    const { numberId, bridge } = await connectedNumber();
    await giveBatch(numberId, textMessage('lost in the wire'));
    await bridge.take('send');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await ring(numberId);
    await until(() => bridge.closed !== null);
    expect(bridge.closed?.code).toBe(linkCloseCodes.replaced);
    const next = await FakeBridge.link(numberId, 2, newUuid());
    next.say({ type: 'link.ready' });
    expect((await next.take('send')).messages).toMatchObject([{ handOver: 2 }]);
  });
});

describe('what a number tells its account', () => {
  test('is said again until there is an answer, also over an eviction', async () => {
    const { numberId, bridge } = await connectedNumber();
    heard.isAway = true;
    await bridge.tell(fact(inbound('IN1', 'stop')));
    await evictDurableObject(phoneNumber(numberId));
    heard.isAway = false;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    await until(async () => {
      await ring(numberId);
      return heard.inboundAt(numberId).length === 1;
    });
    expect(heard.inboundAt(numberId)).toMatchObject([{ from: '628555555555', text: 'STOP' }]);
  });

  test('goes under new numbers when the account knows higher ones', async () => {
    const { bridge } = await connectedNumber();
    const seqs: number[][] = [];
    const hear = vi.spyOn(heard, 'answer');
    hear.mockImplementation((news) => {
      seqs.push(news.notes.map(({ seq }) => seq));
      return Math.max(1_000, news.notes.at(-1)?.seq ?? 0);
    });
    await bridge.tell(fact(inbound('IN1')));
    await until(() => seqs.some((notes) => notes.some((seq) => seq > 1_000)));
    hear.mockRestore();
    await bridge.tell(fact(inbound('IN2')));
    await until(() => (heard.news.at(-1)?.notes.at(-1)?.seq ?? 0) > 1_001);
  });
});

describe('the fleet', () => {
  test('is told again that a number needs a bridge, or none any more, when a call of it broke off', async () => {
    const [accountId, numberId] = [newUuid(), newUuid()];
    await phoneNumber(numberId).provision({ accountId, numberId });
    const acquire = vi.spyOn(BridgeFleet.prototype, 'acquire').mockImplementation(() => {
      throw new Error('the fleet is away');
    });
    expect(await phoneNumber(numberId).pair({ method: 'qr' })).toEqual({ ok: true });
    expect(acquire).toHaveBeenCalledTimes(1);
    acquire.mockReset();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000 });
    await until(async () => {
      await ring(numberId);
      return acquire.mock.calls.length > 0;
    });
    expect(acquire).toHaveBeenCalledWith(numberId, accountId, null);
    acquire.mockRestore();
  });
});
