import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import { fits, type RequestWithBodies } from '../../src/durable/request-log/request-entry.ts';
import { RequestRows, requestsKeptMs } from '../../src/durable/request-log/request-rows.ts';

const requestAt = (at: number): RequestWithBodies => {
  const hex = at.toString(16).padStart(12, '0');
  return {
    requestId: `req_${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`,
    keyId: 'key',
    at,
    method: 'GET',
    route: '/v1/messages',
    status: 200,
    durationMs: 5,
    code: null,
    messageId: null,
    bodies: null,
  };
};

test('a request is found for seven days, and then no more, though its row is still there', async () => {
  await runInDurableObject(env.REQUEST_LOG.getByName(newUuid()), (_, { storage }) => {
    const rows = new RequestRows(storage.sql);
    const at = Date.now();
    const { requestId } = requestAt(at);
    rows.insert([requestAt(at)], at);
    expect(rows.find(requestId, at + requestsKeptMs)?.requestId).toBe(requestId);
    expect(rows.find(requestId, at + requestsKeptMs + 1)).toBeNull();
  });
});

test('a time of a filter begins with its first millisecond, and ends before its last', () => {
  const request = requestAt(1_000);
  expect(fits({ since: 1_000 }, request)).toBe(true);
  expect(fits({ since: 1_001 }, request)).toBe(false);
  expect(fits({ until: 1_001 }, request)).toBe(true);
  expect(fits({ until: 1_000 }, request)).toBe(false);
});
