import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newRequestId, newUuid } from '../../src/durable/new-ids.ts';
import type { FailureCount, RequestWithBodies } from '../../src/durable/request-log/request-entry.ts';

const entry = (more: Partial<RequestWithBodies> = {}): RequestWithBodies => ({
  requestId: newRequestId(),
  keyId: newUuid(),
  at: Date.now(),
  method: 'GET',
  route: '/v1/usage',
  status: 200,
  durationMs: 3,
  code: null,
  messageId: null,
  bodies: null,
  ...more,
});

test('of a flood a bounded part is kept, and every failure is counted', async () => {
  const log = env.REQUEST_LOG.getByName(newUuid());
  const failing = { status: 429, code: 'RATE_LIMITED', bodies: '{}' };
  const count = (lastRequestId: string): FailureCount => ({
    keyId: newUuid(),
    method: 'GET',
    route: '/v1/usage',
    code: 'RATE_LIMITED',
    status: 429,
    count: 1_000,
    lastAt: Date.now(),
    lastRequestId,
  });
  for (let round = 0; round < 20; round += 1) {
    const entries = Array.from({ length: 80 }, (_, index) => entry(index < 60 ? failing : {}));
    await log.take({ entries, failures: [count(entries[0]?.requestId ?? '')] });
  }
  const { bytes, kept } = await runInDurableObject(log, (_, { storage }) => {
    const rows = [0, 1, 2].flatMap((index) =>
      storage.sql
        .exec<{ entries: string; bodies: string | null }>(`SELECT * FROM requests_${index}`)
        .toArray(),
    );
    return {
      bytes: rows.reduce((sum, row) => sum + row.entries.length + (row.bodies?.length ?? 0), 0),
      kept: rows.flatMap((row) => JSON.parse(row.entries)).length,
    };
  });
  // Two minutes at most, should one end meanwhile.
  expect(kept).toBeLessThanOrEqual(2 * 600);
  expect(bytes).toBeLessThan(500_000);
  expect(await log.failures(null, 0, Date.now())).toMatchObject([{ count: 20_000 }]);
});

test('what is kept outlives the object in memory, is found by its id, and is gone after a week', async () => {
  const log = env.REQUEST_LOG.getByName(newUuid());
  const [old, fresh] = [entry(), entry({ status: 404, code: 'NOT_FOUND', bodies: '{"body":null}' })];
  await log.take({ entries: [old, fresh], failures: [] });
  await evictDurableObject(log);
  expect(await log.find(fresh.requestId)).toEqual(fresh);
  expect((await log.list({}, 10, null)).data.map(({ requestId }) => requestId)).toEqual([
    fresh.requestId,
    old.requestId,
  ]);
  const week = 7 * 24 * 3600 * 1000;
  await runInDurableObject(log, (_, { storage }) => {
    for (const index of [0, 1, 2])
      storage.sql.exec(`UPDATE requests_${index} SET id = id - ?`, (week + 60_000) * 10);
  });
  expect((await log.list({}, 10, null)).data).toEqual([]);
});
