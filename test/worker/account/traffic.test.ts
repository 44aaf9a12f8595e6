import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { queued, received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';

const trafficOf = async (headers: Record<string, string>, query = '') =>
  ask('GET', `/v1/traffic${query}`, { headers });

async function withTraffic(account: TestAccount) {
  const [busy, quiet] = [newUuid(), newUuid()];
  const messages = [busy, busy, quiet].map((numberId) => record({ numberId }));
  await logOf(env, account.accountId).take(messages.flatMap((message) => [queued(message), sent(message)]));
  return { busy, quiet };
}

test('the traffic of 30 days has a figure a day, and that of a day one an hour, the one under way last', async () => {
  const account = await openAccount();
  await withTraffic(account);
  const days = await trafficOf(account.server);
  expect(days.body).toMatchObject({ interval: 'day', until: expect.stringMatching(/T00:00:00\.000Z$/) });
  expect(days.body.data).toHaveLength(30);
  expect(days.body.data.at(-1)).toEqual({
    at: new Date(Date.parse(days.body.until) - 24 * 3_600_000).toISOString(),
    queued: 3,
    sent: 3,
    delivered: 0,
    read: 0,
    failed: 0,
    received: 0,
  });
  expect(days.body.data[0]).toMatchObject({ queued: 0 });
  const hours = await trafficOf(account.owner, '?interval=hour');
  expect(hours.body.data).toHaveLength(24);
  // An hour may begin meanwhile.
  expect(
    hours.body.data.slice(-2).reduce((sum: number, { queued: n }: { queued: number }) => sum + n, 0),
  ).toBe(3);
});

test('each number can be told by itself, the busiest first', async () => {
  const account = await openAccount();
  const { busy, quiet } = await withTraffic(account);
  const listening = newUuid();
  await logOf(env, account.accountId).take(Array.from({ length: 3 }, () => received({}, listening)));
  const { body } = await trafficOf(account.server, '?groupBy=number');
  expect(
    body.byNumber.map(({ numberId, total }: { numberId: string; total: { sent: number } }) => [
      numberId,
      total.sent,
    ]),
  ).toEqual([
    [listening, 0],
    [busy, 2],
    [quiet, 1],
  ]);
  expect(body.byNumber[0].data).toHaveLength(30);
  const one = await trafficOf(account.server, `?numberId=${quiet}`);
  expect(one.body.data.at(-1)).toMatchObject({ queued: 1 });
  expect(one.body.byNumber).toBeUndefined();
});

test('a strictly pinned key sees its own number alone', async () => {
  const account = await openAccount();
  const own = await addConnectedNumber(account);
  const { busy } = await withTraffic(account);
  await logOf(env, account.accountId).take([queued(record({ numberId: own }))]);
  const json = { name: 'till', pinnedNumberId: own, onPinFailure: 'strict' };
  const key = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  const pinned = { 'X-API-Key': key.body.key };
  const all = await trafficOf(pinned, '?groupBy=number');
  expect(all.body.byNumber).toMatchObject([{ numberId: own, total: { queued: 1 } }]);
  expect((await trafficOf(pinned, `?numberId=${busy}`)).body.data.at(-1)).toMatchObject({ queued: 0 });
});

test.each([
  ['?interval=week', 'interval'],
  ['?since=yesterday', 'since'],
  ['?since=2026-01-01T00:00:00Z&until=2026-03-01T00:00:00Z', 'since'],
  ['?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'since'],
  ['?groupBy=day', 'groupBy'],
])('%s is refused by name', async (query, path) => {
  const { status, body } = await trafficOf((await openAccount()).server, query);
  expect(status).toBe(400);
  expect(body.error.details).toMatchObject([{ path }]);
});
