import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import {
  type Conversation,
  newConversation,
} from '../../../src/durable/event-log/conversations/conversation.ts';
import type {
  ConversationQuery,
  Place,
} from '../../../src/durable/event-log/conversations/reading/conversation-list.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import { GroupWords } from '../../../src/durable/event-log/conversations/rows/group-words.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { eventLogMigrations } from '../../../src/durable/event-log/migrations.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { migrateObject } from '../../../src/durable/storage/object-migrations.ts';
import { Sqlite } from '../../in-node/sqlite.ts';
import { type LogStub, newLog, received, start } from '../event-log/event-log-fixture.ts';

const numberId = newUuid();
const groupOf = (index: number) => `12036304${String(index).padStart(10, '0')}@g.us`;

const group = (index: number, subject: string): Conversation => ({
  ...newConversation({
    conversationId: newUuid(),
    numberId,
    phoneNumber: null,
    lid: null,
    groupId: groupOf(index),
    createdAt: start,
  }),
  subject,
  lastMessage: index,
});

const put = (log: LogStub, conversations: readonly Conversation[]) =>
  runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    for (const conversation of conversations) rows.put(conversation, null);
  });

async function found(log: LogStub, q: string, more: Partial<ConversationQuery> = {}): Promise<string[]> {
  const all: string[] = [];
  for (let after: Place | null = null; ; ) {
    const page = await log.conversationPage({
      ...{ q, sort: 'newest', limit: 50, hiddenNumberIds: [] },
      ...{ after, ...more },
    });
    all.push(...page.conversations.map(({ subject, phoneNumber }) => subject ?? phoneNumber ?? ''));
    after = page.next;
    if (after === null) return all;
  }
}

test('a group is found by the beginnings of the words of its name, however many groups there are, page by page', async () => {
  const log = newLog();
  const named = Array.from({ length: 1_200 }, (_, index) => group(index, `Branch ${index} of Örebro`));
  await put(log, [...named, group(1_200, '客户服务')]);
  expect(await found(log, 'orebro branch 7')).toEqual(
    [
      ...Array.from({ length: 100 }, (_, index) => 799 - index),
      ...Array.from({ length: 10 }, (_, index) => 79 - index),
      7,
    ].map((index) => `Branch ${index} of Örebro`),
  );
  expect(await found(log, '服务')).toEqual(['客户服务']);
  expect(await found(log, 'branch', { numberId: newUuid() })).toEqual([]);
  expect(await found(log, 'no such')).toEqual([]);
});

test('a group is found by the name that it has, and by an older one no more', async () => {
  const log = newLog();
  const groupId = groupOf(1);
  await log.take([received({ chatType: 'group', groupId }, numberId)]);
  const renamed = (revision: number, subject: string): Fact => ({
    ...{ kind: 'group.changed', numberId, revision, at: start, groupId, subject, news: [] },
  });
  await log.take([renamed(1, 'Night shift')]);
  expect(await found(log, 'night')).toEqual(['Night shift']);
  await log.take([renamed(2, 'Day shift')]);
  expect(await found(log, 'night')).toEqual([]);
  expect(await found(log, 'shift')).toEqual(['Day shift']);
});

test('groups and conversations from before the index are found by it', () => {
  const sqlite = new Sqlite();
  const storage = { sql: sqlite, transactionSync: sqlite.transactionSync } as unknown as DurableObjectStorage;
  migrateObject(storage, eventLogMigrations, '31-dialled-numbers');
  const insert = `INSERT INTO conversations (conversation_id, number_id, phone, group_id, subject, status, priority, labels,
    unread, last_message, sla, bot_state, created_at, opened_at)
    VALUES (?, ?, ?, ?, ?, 'open', 'none', '[]', 0, 1, 'none', 'none', 1, 1)`;
  storage.sql.exec(insert, 'a', numberId, null, groupOf(1), 'Night shift');
  storage.sql.exec(insert, 'b', numberId, '628123456789', null, null);
  migrateObject(storage, eventLogMigrations);
  expect(new GroupWords(storage.sql).find('shi', 10)).toEqual(['a']);
  const asked = { phones: ['628123456789'], lids: [] };
  expect(new ConversationRows(storage.sql).idsWith(asked, { hiddenNumberIds: [] }, 10)).toEqual(['b']);
});
