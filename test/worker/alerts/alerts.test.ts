import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { deviceChanged } from '../../durable/event-log/event-log-fixture.ts';
import { follow, stopFollowing } from '../events/live-follower.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

afterEach(() => stopFollowing());

const alertsOf = async ({ owner }: TestAccount, query = '') =>
  (await ask('GET', `/v1/alerts${query}`, { headers: owner })).body.data;

test('whoever says first that they know of an alert stands on it, and the trouble lasts', async () => {
  const account = await openAccount();
  const numberId = newUuid();
  await logOf(env, account.accountId).take([deviceChanged({ numberId, state: 'banned' })]);
  const [alert] = await alertsOf(account, '?open=true');
  expect(alert).toMatchObject({
    kind: 'device.banned',
    subject: `number:${numberId}`,
    endedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
  });
  const acknowledge = ({ owner }: TestAccount) =>
    ask('POST', `/v1/alerts/${alert.id}/acknowledge`, { headers: owner });
  const first = await acknowledge(account);
  expect(first).toMatchObject({
    status: 200,
    body: { ...alert, acknowledgedAt: expect.any(String), acknowledgedBy: account.email },
  });
  expect((await acknowledge(account)).body).toEqual(first.body);
  expect(await alertsOf(account, '?open=true')).toEqual([first.body]);
  expect(await alertsOf(account, '?open=false')).toEqual([]);
  expect((await acknowledge(await openAccount())).status).toBe(404);
});

test('whoever follows events hears that alerts begin, are acknowledged and end, also after an eviction', async () => {
  const account = await openAccount();
  const log = () => logOf(env, account.accountId);
  const numberId = newUuid();
  const next = await follow({ headers: account.owner }, '/v1/events/live?after=now&alerts=true');
  const told = () => next((_, event) => event === 'alerts');
  await log().take([deviceChanged({ numberId, revision: 1, state: 'banned' })]);
  expect(await told()).toEqual({});
  await evictDurableObject(log());
  const [alert] = await alertsOf(account, '?open=true');
  await ask('POST', `/v1/alerts/${alert.id}/acknowledge`, { headers: account.owner });
  await told();
  await log().take([deviceChanged({ numberId, revision: 2, state: 'connected' })]);
  await told();
  expect(await alertsOf(account, '?open=true')).toEqual([]);
});

test('a key hears of no alerts', async () => {
  const { server } = await openAccount();
  const answer = await ask('GET', '/v1/events/live?after=now&alerts=true', { headers: server });
  expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: 'alerts' }] } } });
});

test('a number that is deleted troubles nobody any more', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Desk' } });
  await logOf(env, account.accountId).take([
    deviceChanged({ numberId: body.numberId, revision: 100, state: 'banned' }),
  ]);
  expect(await alertsOf(account, '?open=true')).toHaveLength(1);
  await ask('DELETE', `/v1/numbers/${body.numberId}`, { headers: account.owner });
  expect(await alertsOf(account)).toMatchObject([{ kind: 'device.banned', endedAt: expect.any(String) }]);
});

test('what was muted until a time that is over is muted no more, and makes room for another', async () => {
  const { owner: headers, accountId, email } = await openAccount();
  const db = env.DB;
  await db.batch(
    Array.from({ length: 100 }, () =>
      db
        .prepare('insert into alert_mutes values (?, ?, null, null, 1, ?, 0)')
        .bind(newUuid(), accountId, email),
    ),
  );
  const muted = async () => (await ask('GET', '/v1/alert-mutes', { headers })).body.data;
  expect(await muted()).toEqual([]);
  const made = await ask('POST', '/v1/alert-mutes', { headers, json: { minutes: 5 } });
  expect(made.status).toBe(201);
  expect(await muted()).toEqual([made.body]);
});

test('a mute is of a number of the account', async () => {
  const [account, stranger] = [await openAccount(), await openAccount()];
  const mute = async (numberId: string) =>
    ask('POST', '/v1/alert-mutes', { headers: account.owner, json: { numberId, minutes: 5 } });
  expect(await mute(await addConnectedNumber(stranger))).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'numberId' }] } },
  });
  expect(await mute(await addConnectedNumber(account))).toMatchObject({ status: 201 });
});

test('the owner is warned when 80 % of the quota are used, once', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const day = `${new Date().toISOString().slice(0, 10)}`;
  await runInDurableObject(env.ACCOUNT.getByName(account.accountId), (_, { storage }) =>
    storage.sql.exec('INSERT INTO sends (day, number_id, used) VALUES (?, ?, 798)', day, numberId),
  );
  const send = () =>
    ask('POST', '/v1/messages/send', { headers: account.server, json: { to: '628123456789', text: 'hi' } });
  for (let index = 0; index < 4; index += 1) expect((await send()).status).toBe(202);
  const alerts = await eventually(async () => {
    const alerts = await alertsOf(account);
    return alerts.length > 0 && alerts;
  });
  expect(alerts).toMatchObject([
    { kind: 'quota.warning', detail: { used: 800, limit: 1000 }, endedAt: null },
  ]);
});
