import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { Memories, type Memory } from '../../../src/durable/event-log/assistants/turns/context-messages.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog } from '../event-log/event-log-fixture.ts';

/** A conversation that an assistant takes part in from the message 100 on, and summaries of it that come in. */
async function talk(more: Partial<Memory> = {}) {
  const log = newLog();
  const [conversationId, assistantId] = [newUuid(), newUuid()];
  const inMemory = <Result>(work: (memories: Memories) => Result) =>
    runInDurableObject(log, (_, { storage }) => work(new Memories(storage.sql)));
  const fresh = { tokens: 0, isIntroduced: true, summary: null, summarisedTo: null };
  await inMemory((memories) => memories.put({ conversationId, assistantId, since: 100, ...fresh, ...more }));
  return {
    summarised: async (summary: string, summarisedTo: number, by = assistantId) => {
      const about = { conversationId, assistantId: by, tokens: { input: 8, output: 2 }, cost: 0.5 };
      await log.noteSummary({ ...about, summary, summarisedTo });
      return inMemory((memories) => memories.find(conversationId));
    },
    resolve: () => inMemory((memories) => memories.forget(conversationId)),
    spent: async () =>
      (await log.assistantDays(assistantId, '2026-01-01')).reduce((sum, { cost }) => sum + cost, 0),
  };
}

test('a summary that comes late takes the place of no newer one, and is paid for', async () => {
  const { summarised, spent } = await talk();
  expect(await summarised('up to 120', 120)).toMatchObject({ summary: 'up to 120', tokens: 10 });
  expect(await summarised('up to 110', 110)).toMatchObject({ summary: 'up to 120', summarisedTo: 120 });
  expect(await summarised('up to 120 again', 120)).toMatchObject({ summary: 'up to 120' });
  expect(await summarised('up to 121', 121)).toMatchObject({ summary: 'up to 121', summarisedTo: 121 });
  expect(await spent()).toBe(2);
});

test('what was said before the assistant came in, or to another one, is in no summary that comes late', async () => {
  const { summarised, resolve } = await talk();
  expect(await summarised('up to 99', 99)).toMatchObject({ summary: null, summarisedTo: null });
  expect(await summarised('up to 100', 100)).toMatchObject({ summary: 'up to 100' });
  expect(await summarised('up to 120', 120, newUuid())).toMatchObject({ summary: 'up to 100' });
  await resolve();
  expect(await summarised('up to 130', 130)).toBeNull();
});
