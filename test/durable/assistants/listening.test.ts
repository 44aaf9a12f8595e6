import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { AccountAssistants } from '../../../src/durable/event-log/assistants/known-assistants.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog, queued, received, record, sent } from '../event-log/event-log-fixture.ts';

const customer = '628123456789';

/** A log whose assistant answers everybody, a minute after they wrote. */
async function logWithAssistant() {
  const log = newLog();
  const assistant = {
    ...{ id: newUuid(), enabled: true, numberIds: null, hours: 'always', debounceSeconds: 60 },
    ...{ dailyTokenBudget: 1_000, conversationTokenBudget: 1_000 },
    handOff: { labels: [], teamId: null, message: null },
  };
  const optOut = { stopWords: [], startWords: [] };
  await runInDurableObject(log, (_, { storage }) =>
    new LogState(storage.sql).put('assistants', {
      ...{ revision: 1, assistants: [assistant], optOut },
    } as AccountAssistants),
  );
  await evictDurableObject(log);
  const numberId = newUuid();
  return {
    log,
    numberId,
    writes: (ageMs: number) =>
      log.take([received({ from: customer, at: new Date(Date.now() - ageMs).toISOString() }, numberId)]),
    turns: () =>
      runInDurableObject(log, (_, { storage }) =>
        storage.sql
          .exec<{ state: string }>('SELECT state FROM assistant_turns ORDER BY id')
          .toArray()
          .map(({ state }) => state),
      ),
  };
}

test('what was written more than an hour ago, while the number was away, is answered by no assistant', async () => {
  const { writes, turns } = await logWithAssistant();
  await writes(61 * 60_000);
  expect(await turns()).toEqual([]);
  await writes(50 * 60_000);
  expect(await turns()).toEqual(['waiting']);
});

test('a message that a person has planned silences the assistant when it leaves, and one for now at once', async () => {
  const origin = { kind: 'person' as const, userId: newUuid() };
  const planned = await logWithAssistant();
  const queuedAt = Date.now();
  const of = (numberId: string) => ({ numberId, to: customer, origin, queuedAt });
  const later = record({ ...of(planned.numberId), sendAt: queuedAt + 60_000 });
  await planned.writes(0);
  await planned.log.take([queued(later)]);
  expect(await planned.turns()).toEqual(['waiting']);
  await planned.log.take([sent(later, queuedAt + 60_000)]);
  expect(await planned.turns()).toEqual(['dropped']);
  const atOnce = await logWithAssistant();
  await atOnce.writes(0);
  await atOnce.log.take([queued(record(of(atOnce.numberId)))]);
  expect(await atOnce.turns()).toEqual(['dropped']);
});
