import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ArchiveCalls } from '../../../../src/durable/event-log/archive/archive-calls.ts';
import { archiveLimits } from '../../../../src/durable/event-log/archive/archive-sweep.ts';
import { ArchivedEvents } from '../../../../src/durable/event-log/archive/archived-rows.ts';
import { sizeLimits } from '../../../../src/durable/event-log/archive/fullness.ts';
import { RetentionSetting } from '../../../../src/durable/event-log/archive/retention.ts';
import { EventOutcomes } from '../../../../src/durable/event-log/deliveries/attempts/event-outcomes.ts';
import type { EventDraft } from '../../../../src/durable/event-log/events/event-draft.ts';
import { EventRows } from '../../../../src/durable/event-log/events/event-rows.ts';
import { LogState } from '../../../../src/durable/event-log/log-state.ts';
import type { LoggedMessage } from '../../../../src/durable/event-log/messages/logged-message.ts';
import { until } from '../../until.ts';
import { countOf, eventsOf, type LogStub, queued, receipt, received, sent } from '../event-log-fixture.ts';
import {
  type ArchivingLog,
  ageEvents,
  allMessages,
  archiveSlice,
  dayMs,
  longAgo,
  messageAt,
  newArchivingLog,
  resetLimits,
  rowACommit,
  segmentsOf,
  sendMessages,
  storedKeys,
} from './archive-fixture.ts';

beforeAll(rowACommit);
afterEach(resetLimits);

const everything = { events: null, numberId: null };
const idsOf = (messages: readonly { messageId: string }[]) => messages.map(({ messageId }) => messageId);
const newestFirst = (messages: readonly { messageId: string }[]) => idsOf(messages).reverse();

/** Writes as the entrypoint does, without compressing. */
const writing = (stored: (key: string, lines: string) => unknown): ArchiveCalls => {
  const put = async (key: string, lines: string) => {
    await stored(key, lines);
    return lines.length;
  };
  const none = async () => null;
  const addPasts = async () => undefined;
  return { put, addMessages: put, addPasts, events: none, messages: none, past: none };
};

/** All events that the stream answers with, from the oldest on. */
async function follow(log: LogStub, after: string | null = null): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = after; ; ) {
    const page = await log.readEvents({ after: cursor, limit: 3, filter: everything });
    if (!page.ok) throw new Error(page.code);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    if (!page.hasMore) return ids;
  }
}

const archivedAll = (log: LogStub, table: string, left = 0) =>
  until(async () => (await countOf(log, table)) === left);

describe('what is too old', () => {
  test('messages are moved to the archive, and are listed and found there as before', async () => {
    const { accountId, log } = newArchivingLog();
    const old = await sendMessages(log, 5, longAgo, { to: '4915112345678' });
    const young = await sendMessages(log, 4, Date.now() - dayMs);
    await archivedAll(log, 'messages', 4);
    expect(await storedKeys(accountId, 'messages')).toEqual([
      expect.stringMatching(new RegExp(`^${accountId}/messages/\\d{16}-\\d{16}\\.ndjson\\.gz$`)),
    ]);
    const all = [...old, ...young];
    expect(idsOf(await allMessages(log, 3))).toEqual(newestFirst(all));
    expect(idsOf(await allMessages(log, 50))).toEqual(newestFirst(all));
    expect(await log.message(old[1]?.messageId ?? '')).toMatchObject({
      messageId: old[1]?.messageId,
      status: 'sent',
      content: { type: 'text', text: 'hello' },
    });
    expect(await log.message(`msg_${crypto.randomUUID()}`)).toBeNull();
  });

  test('an archived message is found by an id that was made some seconds before or after it was accepted', async () => {
    const { log } = newArchivingLog();
    const messages = [-4_000, 4_000].map((ms) => messageAt(longAgo + ms, { queuedAt: longAgo }));
    await log.take(messages.map((message) => sent(message)));
    await archivedAll(log, 'messages');
    for (const { messageId } of messages) expect(await log.message(messageId)).toMatchObject({ messageId });
  });

  test('who of a group has a message goes to the archive with it', async () => {
    const { log } = newArchivingLog();
    const to = '120363041234567890@g.us';
    const message = { ...messageAt(longAgo), chatType: 'group' as const, to };
    const confirmed = { recipient: '628111', recipientLid: '4411' };
    await log.take([sent(message), receipt(message, 'read', confirmed)]);
    const before = await log.message(message.messageId);
    await archivedAll(log, 'messages');
    expect(await countOf(log, 'member_receipts')).toBe(0);
    expect(before).toMatchObject({ receipts: [{ phoneNumber: '628111', lid: '4411' }] });
    expect(await log.message(message.messageId)).toEqual(before);
  });

  test('messages that many members of a group have go to the archive in smaller slices', async () => {
    const { log } = newArchivingLog();
    const group = { chatType: 'group' as const, to: '120363041234567890@g.us' };
    const messages = [0, 1, 2].map((minute) => messageAt(longAgo + minute * 60_000, group));
    const confirmed = ['628111', '628222', '628333'].map((recipient) => ({ recipient, recipientLid: null }));
    archiveLimits.charactersMax = 1_500;
    await log.take(
      messages.flatMap((message) => [
        sent(message),
        ...confirmed.map((member) => receipt(message, 'read', member)),
      ]),
    );
    await archivedAll(log, 'messages');
    expect(await segmentsOf(log, 'messages')).toMatchObject([{ rows: 1 }, { rows: 1 }, { rows: 1 }]);
  });

  test('an archived message is found by the filters that found it before', async () => {
    const { log } = newArchivingLog();
    const numberId = crypto.randomUUID();
    const [wanted] = await sendMessages(log, 1, longAgo, {
      to: '4915112345678',
      numberId,
      content: { type: 'text', text: 'Grüße, Déjà-vu!' },
    });
    await sendMessages(log, 3, longAgo + dayMs);
    await log.take([received({ at: new Date(longAgo + 2 * dayMs).toISOString(), from: '4915112345678' })]);
    await archivedAll(log, 'messages');
    const found = async (filter: Parameters<typeof allMessages>[2]) =>
      idsOf(await allMessages(log, 2, filter));
    const only = [wanted?.messageId];
    expect(await found({ to: '4915112345678' })).toEqual(only);
    expect(await found({ numberId })).toEqual(only);
    expect(await found({ q: 'gruße deja-vu' })).toEqual(only);
    expect(await found({ q: 'gruß' })).toEqual([]);
    expect(await found({ until: longAgo + 1 })).toEqual(only);
    expect(await found({ since: longAgo + 1, status: 'sent' })).toHaveLength(3);
    expect(await found({ direction: 'inbound', from: '4915112345678' })).toHaveLength(1);
    expect(await found({ status: 'failed' })).toEqual([]);
  });

  test('events are moved, and then the stream begins behind them', async () => {
    const { accountId, log } = newArchivingLog();
    for (let commit = 0; commit < 5; commit += 1) await sendMessages(log, 1, Date.now());
    const events = await eventsOf(log);
    const first = await log.readEvents({ after: null, limit: 1, filter: everything });
    await ageEvents(log, 4, 32 * dayMs);
    await archivedAll(log, 'events', 1);
    const [key] = await storedKeys(accountId, 'events');
    expect(key).toMatch(/\/events\/[0-9a-f]{8}\/0000000000000001-0000000000000008\.ndjson\.gz$/);
    expect(await follow(log)).toEqual(events.slice(8).map(({ envelope }) => envelope.id));
    const cursor = first.ok ? first.nextCursor : '';
    const refused = await log.readEvents({ after: cursor, limit: 1, filter: everything });
    expect(refused).toMatchObject({ ok: false, code: 'CURSOR_EXPIRED' });
  });

  test('what became of an event at a webhook goes with it', () =>
    runInDurableObject(newArchivingLog().log, (_, { storage }) => {
      const events = new EventRows(storage.sql);
      const outcome = { webhookId: 'webhook', at: 1, statusCode: 200, durationMs: 5, responseSnippet: null };
      storage.transactionSync(() => {
        for (const id of ['evt_1', 'evt_2']) {
          const draft = { id, event: 'device.connected', data: {} } as unknown as EventDraft;
          events.append([draft], Date.now());
        }
        const taken = events.read(0, 2).map((event) => ({ event, outcome: { ...outcome, seq: event.seq } }));
        new EventOutcomes(storage.sql).add(taken);
      });
      const archived = new ArchivedEvents(storage.sql, events, new LogState(storage.sql), 'account');
      const lines = archived.lines({ kind: 'events', first: 1, last: 2, lastAt: 0, key: '' });
      expect(lines.map((line) => JSON.parse(line))).toMatchObject(
        [1, 2].map((seq) => ({ firstSeq: seq, bodies: [{ id: `evt_${seq}` }], outcomes: [{ seq }] })),
      );
    }));

  test('it is the account that says how long', async () => {
    const { accountId, log } = newArchivingLog();
    const insert =
      'INSERT INTO accounts (id, name, plan, created_at, settings, revision) VALUES (?, ?, ?, ?, ?, 1)';
    const settings = JSON.stringify({ retention: { messagesMonths: 1, eventsDays: 1 } });
    await env.DB.prepare(insert).bind(accountId, 'Account', 'free', 0, settings).run();
    await sendMessages(log, 2, Date.now() - 40 * dayMs);
    await ageEvents(log, 1, 3 * dayMs);
    expect(await countOf(log, 'messages')).toBe(2);
    await log.refresh();
    await archivedAll(log, 'messages');
    await archivedAll(log, 'events');
  });

  test('what the account has said last holds, also where the database answers with something older, or with nothing', async () => {
    const { accountId, log } = newArchivingLog();
    const write = (revision: number, messagesMonths: number) =>
      env.DB.prepare(
        `INSERT INTO accounts (id, name, plan, created_at, settings, revision) VALUES (?1, 'Account', 'free', 0, ?2, ?3)
         ON CONFLICT DO UPDATE SET settings = ?2, revision = ?3`,
      )
        .bind(accountId, JSON.stringify({ retention: { messagesMonths, eventsDays: 9 } }), revision)
        .run();
    const months = () =>
      runInDurableObject(log, async (_, { storage }) => {
        const setting = new RetentionSetting(new LogState(storage.sql), env.DB, accountId);
        await setting.refresh();
        return setting.value.messagesMonths;
      });
    await write(5, 3);
    expect(await months()).toBe(3);
    await write(4, 1);
    expect(await months()).toBe(3);
    await env.DB.prepare('DELETE FROM accounts WHERE id = ?').bind(accountId).run();
    expect(await months()).toBe(3);
    await write(6, 2);
    expect(await months()).toBe(2);
  });

  test('messages that waited on both sides of an archived one are listed around it', async () => {
    const { log } = newArchivingLog();
    const all = [0, 1, 2].map((minute) => messageAt(longAgo + minute * 60_000));
    const [before, archived, behind] = all;
    if (!before || !archived || !behind) throw new Error('three messages');
    await log.take([queued(before), sent(archived), queued(behind)]);
    await archivedAll(log, 'messages', 2);
    await log.take([sent(before), sent(behind)]);
    await evictDurableObject(log);
    await archivedAll(log, 'messages');
    expect(idsOf(await allMessages(log, 1))).toEqual(newestFirst(all));
  });

  test('a message that still waits stays, and what is told of it later is taken', async () => {
    const { log } = newArchivingLog();
    const before = messageAt(longAgo);
    const waiting = messageAt(longAgo + 60_000);
    const behind = messageAt(longAgo + 120_000);
    await log.take([queued(before), sent(before), queued(waiting), queued(behind), sent(behind)]);
    await archivedAll(log, 'messages', 1);
    const order = newestFirst([before, waiting, behind]);
    expect(idsOf(await allMessages(log, 1))).toEqual(order);
    await log.take([sent(waiting)]);
    expect(await log.message(waiting.messageId)).toMatchObject({ status: 'sent' });
    await evictDurableObject(log);
    await archivedAll(log, 'messages');
    expect(await segmentsOf(log, 'messages')).toMatchObject([{ rows: 3 }]);
    const all = await allMessages(log, 2);
    expect(idsOf(all)).toEqual(order);
    expect(all.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
  });
});

describe('a log that is too large', () => {
  test('gives away its oldest events first, and a cursor among them still works', async () => {
    const { log } = newArchivingLog();
    for (let commit = 0; commit < 10; commit += 1) await sendMessages(log, 1, Date.now());
    const events = await eventsOf(log);
    await ageEvents(log, 7, 2 * dayMs);
    archiveLimits.rowsMax = 3;
    sizeLimits.bytesMax = 1;
    await log.refresh();
    await archivedAll(log, 'events', 3);
    expect(await segmentsOf(log, 'events')).toMatchObject([
      { first: 1, last: 6, rows: 3 },
      { first: 7, last: 12, rows: 3 },
      { first: 13, last: 14, rows: 1 },
    ]);
    const ids = events.map(({ envelope }) => envelope.id);
    expect(await follow(log)).toEqual(ids);
    const page = await log.readEvents({ after: null, limit: 9, filter: everything });
    expect(await follow(log, page.ok ? page.nextCursor : '')).toEqual(ids.slice(9));
    // What is younger than an hour stays: facts about it may be told again.
    expect(await countOf(log, 'messages')).toBe(10);
  });

  test('does not keep its events for a test of a webhook that is to be sent once more', () =>
    runInDurableObject(newArchivingLog().log, (_, { storage }) => {
      const events = new EventRows(storage.sql);
      const draft = { id: 'evt_1', event: 'device.connected', data: {} } as unknown as EventDraft;
      storage.transactionSync(() => events.append([draft], Date.now() - 2 * dayMs));
      storage.sql.exec(
        `INSERT INTO deliveries (webhook_id, seq, n, delivery_id, event_id, event, status, attempts, next_attempt_at)
         VALUES ('webhook', 0, 1, 'delivery', 'event', 'webhook.test', 'pending', '[]', 1)`,
      );
      const archived = new ArchivedEvents(storage.sql, events, new LogState(storage.sql), 'account');
      const due = { kind: 'events', before: Date.now() - dayMs, keepsUndelivered: true } as const;
      expect(archived.next(due, archiveLimits)).toMatchObject({ range: { first: 1, last: 1 } });
    }));

  test('gives away no more than is too much', async () => {
    const { log } = newArchivingLog();
    for (let commit = 0; commit < 40; commit += 1)
      await log.take([received({ content: { type: 'text', text: 'word '.repeat(800) } })]);
    await ageEvents(log, 40, 2 * dayMs);
    // A search brings in the words that wait, and then nothing else grows.
    await log.messages({ q: 'word' }, 1, null);
    const size = () => runInDurableObject(log, (_, { storage }) => storage.sql.databaseSize);
    archiveLimits.rowsMax = 5;
    sizeLimits.bytesMax = (await size()) - 60_000;
    await log.refresh();
    await until(async () => (await size()) <= sizeLimits.bytesMax);
    expect(await countOf(log, 'events')).toBeGreaterThanOrEqual(20);
    expect(await countOf(log, 'messages')).toBe(40);
  });

  test.each([
    ['has not read', "INSERT INTO webhook_reads VALUES ('read', 'webhook', 'first', 0, 4, NULL)"],
    [
      'is to get once more',
      `INSERT INTO deliveries (webhook_id, seq, n, delivery_id, event_id, event, status, attempts, next_attempt_at)
       VALUES ('webhook', 6, 1, 'delivery', 'event', 'message.sent', 'pending', '[]', 1)`,
    ],
  ])('keeps what a webhook %s', async (_, pending) => {
    const archiving = newArchivingLog();
    const { log } = archiving;
    for (const age of [5, 4, 3, 2]) await sendMessages(log, 1, Date.now() - age * dayMs);
    await ageEvents(log, 4, 2 * dayMs);
    const written: string[] = [];
    /** Too large while the slice is made, and not before: its own alarm would give away something else. */
    const whileFull = () => {
      sizeLimits.bytesMax = 1;
      return writing((key) => written.push(key.split('/').slice(1).join('/')));
    };
    const change = (query: string) =>
      runInDurableObject(log, (_, { storage }) => void storage.sql.exec(query));
    await change(pending);
    for (let slice = 0; slice < 4; slice += 1) {
      await archiveSlice(archiving, whileFull);
      resetLimits();
    }
    await change('DELETE FROM webhook_reads; DELETE FROM deliveries');
    expect(written).toEqual([
      expect.stringMatching(/^events.*0001-0+4\./),
      expect.stringMatching(/^messages/),
    ]);
  });

  test('then its oldest messages', async () => {
    const { log } = newArchivingLog();
    const old = await sendMessages(log, 9, Date.now() - 5 * dayMs);
    const young = await sendMessages(log, 2, Date.now() - 1000);
    archiveLimits.rowsMax = 2;
    sizeLimits.bytesMax = 1;
    await log.refresh();
    await archivedAll(log, 'messages', 2);
    expect(await segmentsOf(log, 'messages')).toHaveLength(5);
    // A page reads four segments at most, so it may be short.
    const page = await log.messages({ numberId: old[0]?.numberId }, 50, null);
    expect(page).toMatchObject({ messages: [], nextBefore: expect.any(Number) });
    expect(idsOf(await allMessages(log, 50, { numberId: old[0]?.numberId }))).toEqual([old[0]?.messageId]);
    expect(idsOf(await allMessages(log, 4))).toEqual(newestFirst([...old, ...young]));
  });
});

describe('what goes wrong in between', () => {
  const lostAnswer = () =>
    writing(async (key, lines) => {
      const compressed = new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip'));
      await env.ARCHIVE.put(key, await new Response(compressed).arrayBuffer());
      throw new Error('the answer is lost');
    });

  /** Old messages, in a log that does not archive by itself until it is told to. */
  async function logWithOldMessages(count: number): Promise<ArchivingLog & { ids: string[] }> {
    const archiving = newArchivingLog();
    // Old by their setting only, which this log reads when it is told to.
    const at = Date.now() - 100 * dayMs;
    const messages = await sendMessages(archiving.log, count, at);
    await runInDurableObject(archiving.log, (_, { storage }) => {
      const known = { revision: 1, retention: { messagesMonths: 1, eventsDays: 365 } };
      storage.sql.exec("INSERT INTO log_state VALUES ('retention', ?)", JSON.stringify(known));
    });
    return { ...archiving, ids: newestFirst(messages) };
  }

  test('a crash between writing and deleting neither loses nor doubles a message', async () => {
    const archiving = await logWithOldMessages(5);
    const { accountId, log, ids } = archiving;
    archiveLimits.rowsMax = 3;
    await archiveSlice(archiving, lostAnswer);
    const written = await storedKeys(accountId, 'messages');
    expect(written).toHaveLength(1);
    expect(await countOf(log, 'messages')).toBe(5);
    expect(idsOf(await allMessages(log, 2))).toEqual(ids);
    // Planned anew it would be another slice, under another name.
    archiveLimits.rowsMax = 5;
    await evictDurableObject(log);
    await archivedAll(log, 'messages');
    expect(await storedKeys(accountId, 'messages')).toEqual([...written, expect.any(String)]);
    expect(await segmentsOf(log, 'messages')).toMatchObject([{ rows: 3 }, { rows: 2 }]);
    expect(idsOf(await allMessages(log, 2))).toEqual(ids);
  });

  test('where R2 fails, nothing is deleted', async () => {
    const archiving = await logWithOldMessages(3);
    const { accountId, log, ids } = archiving;
    const failing = writing(() => Promise.reject(new Error('R2 is away')));
    await archiveSlice(archiving, () => failing);
    expect(await countOf(log, 'messages')).toBe(3);
    expect(await storedKeys(accountId, 'messages')).toEqual([]);
    expect(await segmentsOf(log, 'messages')).toEqual([]);
    expect(idsOf(await allMessages(log, 2))).toEqual(ids);
  });

  test('a receipt that comes while its message is written is not lost', async () => {
    const archiving = await logWithOldMessages(2);
    const { log, ids } = archiving;
    const [newest] = await allMessages(log, 1);
    const told = { ...messageAt(0), numberId: newest?.numberId ?? '', messageId: ids[0] ?? '' };
    await archiveSlice(archiving, (object) => writing(() => object.take([receipt(told, 'delivered')])));
    expect(await countOf(log, 'messages')).toBe(2);
    await evictDurableObject(log);
    await archivedAll(log, 'messages');
    const statuses = (await allMessages(log, 5)).map(({ status }: LoggedMessage) => status);
    expect(statuses).toEqual(['delivered', 'sent']);
  });
});
