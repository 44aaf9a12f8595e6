import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import { eventLogMigrations } from '../../../src/durable/event-log/migrations.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { migrateObject } from '../../../src/durable/storage/object-migrations.ts';
import { Sqlite } from '../../in-node/sqlite.ts';
import { newLog, queued, received, record } from '../event-log/event-log-fixture.ts';
import { iso, phoneNumber, supportDesk } from './support-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = Date.parse('2037-01-30T09:30:00Z');
/** When the conversation is open again: the hours are over since its last message. */
const reopenedAt = start + 28 * hourMs;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A desk that resolves after a day, where somebody was answered. */
async function answeredDesk() {
  const desk = await supportDesk({ support: { autoResolveHours: 24 } });
  vi.setSystemTime(start + minuteMs);
  await desk.log.take([desk.wrote(start), desk.answered(start + minuteMs)]);
  const at = async (time: number) => {
    vi.setSystemTime(time);
    await desk.ring();
    return (await desk.conversation()).status;
  };
  /** Another conversation has its last message in between, and is resolved. */
  async function resolveAnother() {
    const [numberId, from, later] = [desk.numberId, '628999888777', start + 2 * hourMs];
    vi.setSystemTime(later);
    const origin = { kind: 'person', userId: desk.userId } as const;
    await desk.log.take([
      received({ at: iso(later - minuteMs), from }, numberId),
      queued(record({ numberId, queuedAt: later, to: from, origin })),
    ]);
    await at(start + 27 * hourMs);
    expect(await desk.log.conversationOf({ numberId, phoneNumber: from })).toMatchObject({
      status: 'resolved',
    });
  }
  return { ...desk, at, resolveAnother };
}

type Desk = Awaited<ReturnType<typeof answeredDesk>>;

const ways: { way: string; away: Parameters<Desk['change']>[0]; open: (desk: Desk) => Promise<unknown> }[] = [
  {
    way: 'that was opened again by hand',
    away: { status: 'resolved' },
    open: (desk) => desk.change({ status: 'open' }),
  },
  {
    way: 'that has woken from a snooze',
    away: { snoozedUntil: reopenedAt },
    open: (desk) => desk.ring(),
  },
  {
    way: 'that was pending',
    away: { status: 'pending' },
    open: (desk) => desk.change({ status: 'open' }),
  },
];

describe.each(ways)('a conversation $way, and in which nobody writes', ({ away, open }) => {
  test.for([
    ['as long as the log is awake', false],
    ['also where the log has slept', true],
  ] as const)('is resolved after the hours that were set, counting from then, %s', async ([, isEvicted]) => {
    const desk = await answeredDesk();
    await desk.change(away);
    await desk.resolveAnother();
    vi.setSystemTime(reopenedAt);
    await open(desk);
    if (isEvicted) await evictDurableObject(desk.log);
    expect(await desk.at(reopenedAt + minuteMs)).toBe('open');
    expect(await desk.at(reopenedAt + 24 * hourMs - 1)).toBe('open');
    expect(await desk.at(reopenedAt + 24 * hourMs)).toBe('resolved');
  });

  test('is resolved later when somebody writes after all, counting from that message', async () => {
    const desk = await answeredDesk();
    await desk.change(away);
    await desk.resolveAnother();
    vi.setSystemTime(reopenedAt);
    await open(desk);
    const written = reopenedAt + 2 * hourMs;
    vi.setSystemTime(written);
    await desk.log.take([desk.answered(written)]);
    expect(await desk.at(reopenedAt + 24 * hourMs + minuteMs)).toBe('open');
    expect(await desk.at(written + 24 * hourMs + minuteMs)).toBe('resolved');
  });
});

test('a conversation of which it was told late that somebody was answered is resolved by itself, as the others are', async () => {
  const desk = await supportDesk({ support: { autoResolveHours: 24 } });
  await desk.log.take([desk.wrote(start)]);
  vi.setSystemTime(start + 30 * hourMs);
  await desk.ring();
  expect(await desk.conversation()).toMatchObject({ status: 'open', waitingSince: start });
  await desk.log.take([desk.answered(start - 1_000)]);
  await desk.ring();
  expect((await desk.conversation()).status).toBe('resolved');
});

test('two conversations that become one are silent since the later of the times at which they were opened again', async () => {
  const log = newLog();
  const [numberId, lid] = [newUuid(), '100000000000017'];
  await runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    for (const [address, wokenAt] of [
      [{ phoneNumber, lid: null }, null],
      [{ phoneNumber: null, lid }, reopenedAt],
    ] as const) {
      const made = { conversationId: newUuid(), numberId, ...address, groupId: null, createdAt: start };
      rows.put({ ...newConversation(made), wokenAt }, null);
    }
  });
  await log.take([
    { kind: 'contacts.listed', numberId, at: start, contacts: [{ phoneNumber, lid, name: 'Budi' }] },
  ]);
  expect(await log.conversationOf({ numberId, phoneNumber })).toMatchObject({ lid, wokenAt: reopenedAt });
});

test('a conversation that was opened again before the upgrade is silent since then', () => {
  const sqlite = new Sqlite();
  const storage = { sql: sqlite, transactionSync: sqlite.transactionSync } as unknown as DurableObjectStorage;
  migrateObject(storage, eventLogMigrations, '42-conversations-to-give-out');
  const insert = `INSERT INTO conversations (conversation_id, number_id, status, priority, labels, unread, last_message, sla,
    bot_state, created_at, opened_at) VALUES (?, ?, 'open', 'normal', '[]', 0, ?, 'none', 'off', 1, ?)`;
  storage.sql.exec(insert, 'written', 'a', start * 1000, start);
  storage.sql.exec(insert, 'reopened', 'b', start * 1000, reopenedAt);
  migrateObject(storage, eventLogMigrations);
  const rows = new ConversationRows(storage.sql);
  expect(rows.find('written')?.wokenAt).toBe(null);
  expect(rows.find('reopened')?.wokenAt).toBe(reopenedAt);
});
