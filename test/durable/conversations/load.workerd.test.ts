import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { ContactSearch } from '../../../src/durable/event-log/contacts/contact-search.ts';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationList } from '../../../src/durable/event-log/conversations/reading/conversation-list.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog, received, start } from '../event-log/event-log-fixture.ts';

const everything = { sort: 'newest', limit: 200, after: null, hiddenNumberIds: [] } as const;

test('of hundreds that write within two seconds nobody is missed, and the list is in order, evictions midway included', async () => {
  const log = newLog();
  const numberId = newUuid();
  const people = Array.from({ length: 100 }, (_, index) => `6285550${1_000 + index}`);
  const facts = Array.from({ length: 400 }, (_, index) =>
    received({ from: people[index % 100] ?? '', at: new Date(start + index * 5).toISOString() }, numberId),
  );
  for (let from = 0; from < facts.length; from += 50) {
    await log.take(facts.slice(from, from + 50));
    // What is told twice counts once.
    await log.take(facts.slice(from, from + 5));
    if (from % 100 === 0) await evictDurableObject(log);
  }
  const { conversations } = await log.conversationPage(everything);
  expect(conversations.map(({ phoneNumber }) => phoneNumber)).toEqual(people.toReversed());
  expect(new Set(conversations.map(({ unreadCount }) => unreadCount))).toEqual(new Set([4]));
  for (const [index, { waitingSince, phoneNumber }] of conversations.toReversed().entries()) {
    expect({ phoneNumber, waitingSince }).toEqual({
      phoneNumber: people[index],
      waitingSince: start + index * 5,
    });
  }
  const longest = await log.conversationPage({ ...everything, sort: 'waiting', limit: 3 });
  expect(longest.conversations.map(({ phoneNumber }) => phoneNumber)).toEqual(people.slice(0, 3));
});

test('a page of ten thousand conversations reads few rows, whichever of them are asked for', async () => {
  const log = newLog();
  const [numberId, assigneeId, teamId] = [newUuid(), newUuid(), newUuid()];
  await runInDurableObject(log, (_: EventLog, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    storage.transactionSync(() => {
      for (let index = 0; index < 10_000; index += 1) {
        const made = newConversation({
          conversationId: newUuid(),
          numberId,
          phoneNumber: `62855${5_000_000 + index}`,
          lid: null,
          groupId: null,
          createdAt: start + index,
        });
        const isRare = index % 1_000 === 0;
        rows.put(
          {
            ...made,
            status: index % 3 === 0 ? 'resolved' : 'open',
            waitingSince: index % 2 === 0 ? start + index : null,
            ...(isRare && { assigneeId, teamId, labels: ['rare'] }),
          },
          null,
        );
      }
    });
    let read = 0;
    const counted = new Proxy(storage.sql, {
      get: (sql, name) =>
        name === 'exec'
          ? (query: string, ...values: SqlStorageValue[]) => {
              const cursor = sql.exec(query, ...values);
              cursors.push(cursor);
              return cursor;
            }
          : Reflect.get(sql, name),
    });
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const list = new ConversationList(counted, rows, new ContactSearch(storage.sql));
    for (const filter of [
      {},
      { statuses: ['open'] as const },
      { assigneeId, statuses: ['open', 'resolved'] as const },
      { assigneeId: null },
      { teamId },
      { label: 'rare' },
      { sort: 'waiting' as const },
    ]) {
      cursors.length = 0;
      const page = list.page({ ...everything, limit: 50, ...filter });
      read = cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0);
      expect(page.conversations.length, JSON.stringify(filter)).toBeGreaterThan(3);
      expect(read, JSON.stringify(filter)).toBeLessThan(500);
    }
    // What no index leads to is looked for in pieces.
    cursors.length = 0;
    const none = list.page({ ...everything, numberId: newUuid() });
    expect(none.conversations).toEqual([]);
    expect(none.next).not.toBeNull();
    expect(cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0)).toBeLessThan(5_000);
  });
});
