import { expect, test } from 'vitest';
import type { KnownAssistants } from '../../../../src/durable/event-log/assistants/known-assistants.ts';
import { DayCounts } from '../../../../src/durable/event-log/assistants/reports/day-counts.ts';
import { InstructionVersions } from '../../../../src/durable/event-log/assistants/reports/instruction-versions.ts';
import { Memories } from '../../../../src/durable/event-log/assistants/turns/context-messages.ts';
import type { AssistantConversations } from '../../../../src/durable/event-log/assistants/turns/log-conversations.ts';
import type { Thought } from '../../../../src/durable/event-log/assistants/turns/turn-orders.ts';
import { TurnRows } from '../../../../src/durable/event-log/assistants/turns/turn-rows.ts';
import { Turns } from '../../../../src/durable/event-log/assistants/turns/turns.ts';
import { eventLogMigrations } from '../../../../src/durable/event-log/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const conversationId = '01934567-89ab-7def-8123-456789abcdef';

test('of somebody who is erased while an assistant thinks about what they wrote, nothing of that stays in its turn', () => {
  const { sql } = sqliteStorage();
  for (const step of eventLogMigrations) sql.exec(step.sql);
  let isErased = false;
  const conversations = {
    find: () => (isErased ? null : { conversationId, botState: 'active', address: '628123456789' }),
    contextOf: () => ({
      messages: [{ id: 1, from: 'contact', text: 'My name is Budi.', at: now }],
      unsummarised: [],
    }),
  } as unknown as AssistantConversations;
  const known = {
    find: () => ({ id: 'assistant', enabled: true, dailyTokenBudget: 1_000, conversationTokenBudget: 1_000 }),
  } as unknown as KnownAssistants;
  const rows = new TurnRows(sql, 60_000);
  const parts = { rows, known, conversations, memories: new Memories(sql), days: new DayCounts(sql) };
  const turns = new Turns({
    ...{ ...parts, versions: new InstructionVersions(sql), leaseMs: 60_000, sendingMs: 30_000 },
  });
  const begun = rows.insert({
    ...{ conversationId, assistantId: 'assistant', firstMessage: 1, question: 'My name is Budi.' },
    ...{ begunAt: now, dueAt: now },
  });
  const claimed = turns.claim(begun.turnId, now);
  if (claimed.todo !== 'answer') throw new Error('there is nothing to answer');
  isErased = true;
  const detail = { model: 'm', durationMs: 1, sources: [], toolCalls: [], error: 'Budi cannot be found.' };
  const thought = {
    ...{ outcome: 'answer', text: 'Hello Budi.', tokens: { input: 1, output: 1 }, cost: null, labels: [] },
    detail,
  } as Thought;
  expect(turns.decide(begun.turnId, claimed.lease, thought, now)).toEqual({ order: null });
  const nothing = { state: 'dropped', endedAt: now, question: '', reply: null, detail: null };
  expect(rows.find(begun.turnId)).toMatchObject(nothing);
  // A thought that comes when it is over.
  turns.decide(begun.turnId, claimed.lease, thought, now + 1);
  expect(rows.find(begun.turnId)).toMatchObject(nothing);
});
