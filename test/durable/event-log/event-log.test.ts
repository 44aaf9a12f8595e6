import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventDataSchemas } from '../../../src/contract/events.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { EventRows, openRowLimits } from '../../../src/durable/event-log/events/event-rows.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { OwnPhones } from '../../../src/durable/event-log/messages/own-phones.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  aboutMessages,
  countOf,
  deviceChanged,
  eventsOf,
  namesOf,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
} from './event-log-fixture.ts';

afterEach(() => {
  vi.useRealTimers();
});

const unknownFact = { kind: 'message.of_tomorrow' } as unknown as Fact;

test('sequences rise by one without gaps, across commits and evictions', async () => {
  const log = newLog();
  for (let round = 0; round < 4; round += 1) {
    const message = record();
    await log.take([queued(message), queued(record())]);
    await log.take([sent(message)]);
    await evictDurableObject(log);
    await log.take([receipt(message, 'read')]);
  }
  const events = await eventsOf(log);
  expect(events).toHaveLength(4 * 5);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ envelope }) => envelope.id)).size).toBe(events.length);
});

test('facts that were told before change nothing, and are taken', async () => {
  const log = newLog();
  const message = record();
  const facts = [
    queued(message),
    sent(message),
    receipt(message, 'delivered'),
    received(),
    deviceChanged(),
    { kind: 'quota.exceeded', at: start, used: 1000, limit: 1000, resetAt: new Date(start).toISOString() },
  ] satisfies Fact[];
  expect(await log.take(facts)).toEqual({ taken: 6 });
  const [events, stored] = [await eventsOf(log), await log.message(message.messageId)];
  await evictDurableObject(log);
  for (const fact of facts.toReversed()) expect(await log.take([fact])).toEqual({ taken: 1 });
  expect(await log.take(facts)).toEqual({ taken: 6 });
  expect(await eventsOf(log)).toEqual(events);
  expect(await log.message(message.messageId)).toEqual(stored);
  expect(await countOf(log, 'messages')).toBe(2);
});

test('a message that is told with its author’s alias and once without it is one message, whichever is first', async () => {
  const [phoneNumber, lid] = ['628123456789', '4455667788'];
  const numberId = newUuid();
  const told = (providerMessageId: string, isAliasKnown: boolean): Fact =>
    received(
      {
        providerMessageId,
        from: phoneNumber,
        at: new Date(start + (isAliasKnown ? 0 : 5000)).toISOString(),
        ...(isAliasKnown && { senderLid: lid }),
      },
      numberId,
    );
  const receivedOf = (names: string[]) => names.filter((name) => name === 'message.received');
  const log = newLog();
  await log.take([told('FIRST', true), told('FIRST', false)]);
  await evictDurableObject(log);
  await log.take([told('SECOND', false), told('SECOND', true)]);
  expect(receivedOf(await namesOf(log))).toEqual(['message.received', 'message.received']);
  expect(await countOf(log, 'messages')).toBe(2);
  // Before anything was known of the alias, too.
  const fresh = newLog();
  await fresh.take([told('FIRST', false)]);
  await fresh.take([told('FIRST', true), told('FIRST', false)]);
  expect(receivedOf(await namesOf(fresh))).toEqual(['message.received']);
});

test('each step of a message that belongs to a trace is a line of our log, also from its receipts, and a repeat is none', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const message = record({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  const { messageId, numberId } = message;
  const written = vi.spyOn(console, 'log');
  onTestFinished(() => written.mockRestore());
  const log = newLog();
  await log.take([queued(message), sent(message)]);
  await evictDurableObject(log);
  for (const kind of ['delivered', 'read', 'read'] as const) await log.take([receipt(message, kind)]);
  const lines = written.mock.calls.map(([line]) => JSON.parse(line) as Record<string, unknown>);
  const ofMessage = lines.filter(
    ({ event, ...line }) => event === 'message.step' && line.messageId === messageId,
  );
  expect(ofMessage).toMatchObject(
    ['queued', 'sent', 'delivered', 'read'].map((step) => ({ step, traceId, numberId })),
  );
  // No event has it: it is for our log alone.
  expect(JSON.stringify(await eventsOf(log))).not.toContain(traceId);
});

test('every event has exactly the fields of the contract', async () => {
  const log = newLog();
  const [read, failed] = [record(), record({ chatType: 'group', to: '120363041234567890@g.us' })];
  await log.take([
    sent(read),
    receipt(read, 'read', { recipientLid: '4455' }),
    { kind: 'message.failed', message: failed, at: start, errorMessage: 'No.' },
    received({ chatType: 'group', groupId: '120363041234567890@g.us', senderLid: '4455' }),
    deviceChanged(),
    deviceChanged({ state: 'disconnected', reason: 'bridge_lost' }),
    deviceChanged({ state: 'banned', reason: 'banned' }),
    { kind: 'quota.exceeded', at: start, used: 1000, limit: 1000, resetAt: new Date(start).toISOString() },
  ]);
  const events = await eventsOf(log);
  expect(events.map(({ envelope }) => envelope.event)).toEqual([
    'message.queued',
    'message.sent',
    'message.delivered',
    'message.read',
    'message.queued',
    'message.failed',
    'message.received',
    'conversation.created',
    'device.connected',
    'device.disconnected',
    'device.logged_out',
    'quota.exceeded',
  ]);
  for (const { envelope } of events) {
    expect(Object.keys(envelope)).toEqual(['id', 'event', 'timestamp', 'data']);
    eventDataSchemas[envelope.event].parse(envelope.data);
  }
});

test('a fact that cannot be stored is put aside, and does not hold up the others', async () => {
  const log = newLog();
  const poison = { kind: 'message.queued', message: { ...record(), content: null } } as unknown as Fact;
  const tooLarge = received({ content: { type: 'text', text: 'x'.repeat(2_100_000) } });
  const message = record();
  expect(
    await log.take([sent(message), poison, receipt(message, 'read'), tooLarge, queued(record())]),
  ).toEqual({ taken: 5 });
  const told = ['message.queued', 'message.sent', 'message.delivered', 'message.read', 'message.queued'];
  expect(await namesOf(log)).toEqual(told);
  expect(await log.message(message.messageId)).toMatchObject({ status: 'read', sentAt: start + 1000 });
  expect(await countOf(log, 'parked_facts')).toBe(2);
  expect(await log.take([sent(record())])).toEqual({ taken: 1 });
  expect((await eventsOf(log)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('a commit that fails leaves nothing behind: no gap in the sequence, and nothing in memory', async () => {
  const log = newLog();
  await log.take([queued(record())]);
  const facts = [queued(record()), received({}, newUuid(), '15550000007')];
  await runInDurableObject(log, (instance: EventLog, { storage }) => {
    storage.sql.exec('ALTER TABLE events RENAME TO away');
    expect(() => instance.take(facts)).toThrow('no such table');
    storage.sql.exec('ALTER TABLE away RENAME TO events');
  });
  expect([await countOf(log, 'messages'), await countOf(log, 'own_phones')]).toEqual([1, 1]);
  expect(await log.take(facts)).toEqual({ taken: 2 });
  expect((await eventsOf(log)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect((await log.messages({ to: '15550000007', q: 'hello' }, 10, null)).messages).toHaveLength(1);
});

test('no more than a thousand of the facts that cannot be stored are kept', async () => {
  const log = newLog();
  const poison = { kind: 'message.queued', message: null } as unknown as Fact;
  for (let round = 0; round < 11; round += 1) await log.take(Array.from({ length: 100 }, () => poison));
  expect(await countOf(log, 'parked_facts')).toBe(1000);
});

test('a kind that this version does not know is not taken, and nothing that stands behind it', async () => {
  const log = newLog();
  expect(await log.take([queued(record()), unknownFact, queued(record())])).toEqual({ taken: 1 });
  expect(await log.take([unknownFact])).toEqual({ taken: 0 });
  expect(await namesOf(log)).toEqual(['message.queued']);
});

test('what a device says is told once for each change that is news, in the words of its state', async () => {
  const log = newLog();
  const numberId = newUuid();
  const of = (revision: number, more: Parameters<typeof deviceChanged>[0] = {}, isNews = true) =>
    deviceChanged({ numberId, revision, ...more }, isNews);
  await log.take([of(1, { state: 'pairing', phoneNumber: null }), of(2), of(3, {}, false)]);
  await log.take([
    of(2),
    of(4, { state: 'disconnected', reason: 'connection_lost', lastSeenAt: start - 90_000 }),
  ]);
  await log.take([of(4, { state: 'logged_out' }), of(5, { state: 'logged_out', reason: 'banned' })]);
  expect((await eventsOf(log)).map(({ envelope }) => [envelope.event, envelope.data])).toEqual([
    [
      'device.connected',
      { numberId, phoneNumber: '15550000001', connectedAt: new Date(start).toISOString() },
    ],
    [
      'device.disconnected',
      {
        numberId,
        phoneNumber: '15550000001',
        reason: 'connection_lost',
        lastSeenAt: new Date(start - 90_000).toISOString(),
      },
    ],
    ['device.logged_out', { numberId, phoneNumber: '15550000001', reason: 'banned' }],
  ]);
});

test('the phone number of a device is one of the account as soon as the device has it, before any message', async () => {
  const log = newLog();
  const numberId = newUuid();
  await log.take([deviceChanged({ numberId, phoneNumber: '15550000009' })]);
  await runInDurableObject(log, (_, { storage }) => {
    expect(new OwnPhones(storage.sql).numbersOf('15550000009')).toEqual([numberId]);
  });
});

test('that the quota is used up is told once a minute', async () => {
  const log = newLog();
  const exceeded = (at: number): Fact => ({
    kind: 'quota.exceeded',
    at,
    used: 1000,
    limit: 1000,
    resetAt: '2026-02-01T00:00:00.000Z',
  });
  await log.take([exceeded(start), exceeded(start), exceeded(start + 59_999)]);
  await log.take([exceeded(start + 60_000), exceeded(start)]);
  expect(await namesOf(log)).toEqual(['quota.exceeded', 'quota.exceeded']);
});

test('an event may have any size that a bridge can tell, and many of them fit one call', async () => {
  const log = newLog();
  const texts = ['é'.repeat(500_000), '"'.repeat(500_000), 'short', 'x'.repeat(1_000_000)];
  await log.take(texts.map((text) => received({ content: { type: 'text', text } })));
  const events = await eventsOf(log);
  const told = events.filter(({ envelope }) => aboutMessages(envelope.event));
  expect(told.map(({ envelope }) => 'text' in envelope.data && envelope.data.text)).toEqual(texts);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('times of events never fall, also when the clock is put back', async () => {
  const log = newLog();
  const times = [start, start - 5000, start + 1, start];
  for (const now of times) {
    vi.useFakeTimers({ toFake: ['Date'], now });
    await log.take([queued(record())]);
  }
  vi.useRealTimers();
  expect((await eventsOf(log)).map(({ envelope }) => Date.parse(envelope.timestamp) - start)).toEqual([
    0, 0, 1, 1,
  ]);
});

const testEvent = () => ({ id: newUuid(), event: 'webhook.test' as const, data: { message: 'x' } });

// Row a commit, some commits a row, all of them in one.
test.each([0, 1_000, 100_000])(
  'the events since a time are found wherever it lies, in rows of up to %i characters',
  async (charactersMax) => {
    const log = newLog();
    const usual = openRowLimits.charactersMax;
    openRowLimits.charactersMax = charactersMax;
    onTestFinished(() => void Object.assign(openRowLimits, { charactersMax: usual }));
    await runInDurableObject(log, (_, { storage }) => {
      const rows = new EventRows(storage.sql);
      expect(rows.seqAt(start)).toBe(0);
      expect([rows.head, rows.oldest]).toEqual([0, 1]);
      // Three events at each of 40 times.
      for (let at = 0; at < 40; at += 1) {
        rows.append([testEvent(), testEvent(), testEvent()], start + 10 * at);
      }
      for (let at = 0; at < 40; at += 1) {
        expect(rows.seqAt(start + 10 * at)).toBe(3 * at);
        expect(rows.seqAt(start + 10 * at + 1)).toBe(3 * at + 3);
      }
      expect(rows.seqAt(0)).toBe(0);
      rows.deleteUpTo(31);
      // Rows go as a whole.
      const { oldest } = rows;
      if (charactersMax === 0) expect(oldest).toBe(31);
      else expect(oldest).toBeLessThanOrEqual(31);
      expect([rows.seqAt(0), rows.seqAt(start + 100)]).toEqual([oldest - 1, 30]);
      expect(rows.read(0, 2).map(({ seq }) => seq)).toEqual([oldest, oldest + 1]);
      expect(rows.read(34, 2).map(({ seq }) => seq)).toEqual([35, 36]);
      expect(rows.read(119, 5).map(({ seq }) => seq)).toEqual([120]);
      expect(rows.read(120, 5)).toEqual([]);
    });
  },
);

test('events of small commits share a row, also after an eviction, while it is small and no older than an hour', async () => {
  const log = newLog();
  const message = record();
  const facts = [queued(message), sent(message), receipt(message, 'delivered'), receipt(message, 'read')];
  for (const fact of facts) {
    await log.take([fact]);
    await evictDurableObject(log);
  }
  expect(await countOf(log, 'events')).toBe(1);
  expect((await eventsOf(log)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await log.take([queued(record())]);
  expect(await countOf(log, 'events')).toBe(2);
  await log.take(Array.from({ length: 80 }, () => queued(record())));
  expect(await countOf(log, 'events')).toBe(3);
  expect((await eventsOf(log)).map(({ seq }) => seq)).toEqual(Array.from({ length: 85 }, (_, i) => i + 1));
});

test('the sequence goes on when no event is kept any more', async () => {
  const log = newLog();
  await log.take([queued(record()), queued(record())]);
  await runInDurableObject(log, (_, { storage }) => {
    const rows = new EventRows(storage.sql);
    rows.deleteUpTo(rows.head);
    expect([rows.head, rows.oldest, rows.seqAt(0)]).toEqual([2, 3, 2]);
  });
  await evictDurableObject(log);
  await log.take([queued(record())]);
  expect((await eventsOf(log)).map(({ seq }) => seq)).toEqual([3]);
});
