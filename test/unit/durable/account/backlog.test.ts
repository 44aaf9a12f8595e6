import { expect, test } from 'vitest';
import { laneOf, type MessageOrigin, sendLanes } from '../../../../src/contract/messages/message.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import { newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const id = '01934567-89ab-7def-8123-456789abcdef';
const origins: (MessageOrigin | undefined)[] = [
  undefined,
  { kind: 'person', userId: id },
  { kind: 'campaign', campaignId: id },
  { kind: 'automation', automationId: id, eventId: `evt_${id}`, depth: 1 },
];

const to = '628111222333';

/** A number with a message of each origin for somebody, in a chat that goes on. */
function waitingForThem() {
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  const backlog = new Backlog(sql);
  const sender = newSender('number');
  for (const [index, origin] of origins.entries()) {
    const message: AcceptedMessage = {
      messageId: `msg_${index}`,
      to,
      chatType: 'personal',
      senderSource: 'pool',
      content: { type: 'text', text: 'hello' },
      isNewChat: false,
      mayMove: true,
      queuedAt: now,
      expiresAt: now + 86_400_000,
      ...(origin && { origin }),
    };
    backlog.add(sender, message, null, now);
  }
  const answers = () =>
    sendLanes.flatMap((lane) =>
      backlog.first('number', 'answer', lane, 10).map(({ messageId }) => messageId),
    );
  return { backlog, answers };
}

test('what waits for somebody who writes is the answer to them, whoever made it', () => {
  const { backlog, answers } = waitingForThem();
  expect(answers()).toEqual([]);
  backlog.noteWritten('number', to, now, now);
  expect(answers().toSorted()).toEqual(['msg_0', 'msg_1', 'msg_2', 'msg_3']);
  expect(new Set(origins.map(laneOf))).toEqual(new Set(sendLanes));
});

test('what waits answers nobody who wrote more than a day ago, though it is heard only now', () => {
  const { backlog, answers } = waitingForThem();
  backlog.noteWritten('number', to, now - 86_400_001, now);
  expect(answers()).toEqual([]);
});

test('before a message leaves what waits in the lanes before its own, and the older ones of its own', () => {
  const { backlog } = waitingForThem();
  // One of a server, a person, a campaign and a machine, in this order.
  const ahead = sendLanes.map((lane) => [
    lane,
    backlog.ahead('number', lane, 'msg_0'),
    backlog.ahead('number', lane, 'msg_9'),
  ]);
  expect(ahead).toEqual([
    ['person', 0, 1],
    ['server', 1, 2],
    ['machine', 2, 3],
    ['campaign', 3, 4],
  ]);
  expect(backlog.ahead('another', 'campaign', 'msg_9')).toBe(0);
});

test('whether a deletion of a message waits is found by an index, however much else is to be done to messages', () => {
  const { sql } = sqliteStorage();
  for (const step of accountMigrations) sql.exec(step.sql);
  const queries: string[] = [];
  const exec = sql.exec.bind(sql);
  const backlog = new Backlog({
    exec: (query: string, ...values: unknown[]) => {
      queries.push(query);
      return exec(query, ...values);
    },
  } as unknown as SqlStorage);
  const sender = newSender('number');
  const act = (index: number, content: AcceptedMessage['content']) =>
    backlog.add(
      sender,
      {
        ...{ messageId: `msg_${index}`, to, chatType: 'personal', senderSource: 'pinned', content },
        ...{ isNewChat: false, mayMove: false, queuedAt: now, expiresAt: now + 86_400_000, isQuiet: true },
      },
      null,
      now,
    );
  const target = { providerMessageId: '3EB0AA', isOwn: true };
  act(0, { type: 'delete', targetId: 'msg_a', target });
  act(1, { type: 'edit', targetId: 'msg_b', target, text: 'better' });
  act(2, { type: 'reaction', targetId: 'msg_b', target, emoji: '👍' });
  expect(backlog.deletionsCome).toBe(1);
  expect(['msg_a', 'msg_b', 'msg_0'].map((id) => backlog.hasDeletionOf(id))).toEqual([true, false, false]);
  const plan = exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${queries.at(-1)}`, 'msg_a').toArray();
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH accepted USING INDEX accepted_deletions (<expr>=?)',
  ]);
  backlog.remove(sender, ['msg_0']);
  expect(backlog.hasDeletionOf('msg_a')).toBe(false);
});
