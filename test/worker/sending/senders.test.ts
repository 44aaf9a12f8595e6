import { expect, test } from 'vitest';
import { defaultPacing, openFilters } from '../../../src/contract/numbers/sender-settings.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount, writeToNumber } from '../front-door.ts';

const good = { to: '628123456789', text: 'hello' };
const send = (account: TestAccount, json: object = good, query = '') =>
  ask('POST', `/v1/messages/send${query}`, { headers: account.server, json });
const patch = (account: TestAccount, path: string, json: object) =>
  ask('PATCH', path, { headers: account.owner, json });
const usedBy = async (account: TestAccount) =>
  (await ask('GET', '/v1/usage', { headers: account.server })).body.used;

test('a new number pauses between messages as the default says; what is changed of it stays, field by field', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const path = `/v1/numbers/${numberId}`;
  const number = () => ask('GET', path, { headers: account.server });
  expect((await number()).body).toMatchObject({ pacing: defaultPacing, filters: openFilters });

  const changed = await patch(account, path, {
    pacing: { dailyLimit: 200, quietHours: { start: '22:00', end: '07:00' }, timeZone: 'Asia/Jakarta' },
    filters: { allowPrefixes: ['62'] },
  });
  const pacing = {
    ...defaultPacing,
    dailyLimit: 200,
    quietHours: { start: '22:00', end: '07:00' },
    timeZone: 'Asia/Jakarta',
  };
  expect(changed).toMatchObject({
    status: 200,
    body: { pacing, filters: { ...openFilters, allowPrefixes: ['62'] } },
  });
  await patch(account, path, { pacing: { minDelayMs: 0, maxDelayMs: 0 }, label: 'Desk' });
  const after = (await number()).body;
  expect(after).toMatchObject({
    label: 'Desk',
    pacing: { ...pacing, minDelayMs: 0, maxDelayMs: 0 },
    filters: { ...openFilters, allowPrefixes: ['62'] },
  });
  const listed = (await ask('GET', '/v1/numbers', { headers: account.server })).body.data[0];
  expect(listed).toMatchObject({ pacing: after.pacing, filters: after.filters });
});

test('the health of a number says how it is, why, and what it was before', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const health = await ask('GET', `/v1/numbers/${numberId}/health`, { headers: account.server });
  expect(health.status).toBe(200);
  expect(health.body).toMatchObject({ numberId, status: 'unavailable', until: null });
  expect(health.body.reason).toMatch(/\S/);
  expect(health.body.changes).toEqual(expect.any(Array));
  const number = await ask('GET', `/v1/numbers/${numberId}`, { headers: account.owner });
  expect(number.body).toMatchObject({ health: 'unavailable', healthUntil: null });
  const stranger = await openAccount();
  const theirs = await ask('GET', `/v1/numbers/${numberId}/health`, { headers: stranger.server });
  expect(theirs).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});

test('a filter of the account or of a number refuses a recipient by name, from the next send on, and counts nothing', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const refused = (filter: string, more: object = {}) => ({
    status: 422,
    body: {
      error: {
        code: 'RECIPIENT_FILTERED',
        details: [{ path: 'to', filter, message: expect.stringMatching(/\S/), ...more }],
      },
    },
  });
  const settings = await patch(account, '/v1/settings', { filters: { blockPrefixes: ['6281'] } });
  expect(settings).toMatchObject({ status: 200, body: { filters: { blockPrefixes: ['6281'] } } });
  expect(await send(account)).toMatchObject(refused('blockPrefixes'));
  await patch(account, '/v1/settings', { filters: { blockPrefixes: [], blockNumbers: [good.to] } });
  expect(await send(account)).toMatchObject(refused('blockNumbers'));
  await patch(account, '/v1/settings', { filters: { blockNumbers: [] } });
  await patch(account, `/v1/numbers/${numberId}`, { filters: { allowPrefixes: ['49'] } });
  expect(await send(account)).toMatchObject(refused('allowPrefixes', { numberId }));
  expect(await usedBy(account)).toBe(0);
  expect(await send(account, { ...good, to: '120363041234567890@g.us' })).toMatchObject({ status: 202 });
  await patch(account, `/v1/numbers/${numberId}`, { filters: { allowPrefixes: [] } });
  expect(await send(account)).toMatchObject({ status: 202 });
});

test('a privacy alias is no recipient', async () => {
  const account = await openAccount();
  expect(await send(account, { ...good, to: '12345678901234@lid' })).toMatchObject({
    status: 422,
    body: { error: { code: 'RECIPIENT_IS_LID' } },
  });
});

test('the settings of an account begin with the defaults, and are the account’s own', async () => {
  const account = await openAccount();
  const settings = (of: TestAccount) => ask('GET', '/v1/settings', { headers: of.server });
  expect((await settings(account)).body).toEqual({
    filters: openFilters,
    stickyHours: 24,
    rerouteAfterMs: 120_000,
    optOut: {
      stopWords: expect.arrayContaining(['STOP']),
      startWords: expect.arrayContaining(['START']),
      confirmation: null,
    },
    retention: { messagesMonths: 12, eventsDays: 30 },
    networkChecksPerDay: 200,
    support: { reports: false, autoResolveHours: null, survey: null },
  });
  const changed = await patch(account, '/v1/settings', {
    stickyHours: 0,
    retention: { eventsDays: 7 },
    optOut: { stopWords: [' no  more '] },
  });
  expect(changed.body).toMatchObject({
    stickyHours: 0,
    optOut: { stopWords: ['NO MORE'] },
    retention: { messagesMonths: 12, eventsDays: 7 },
  });
  expect((await settings(account)).body).toEqual(changed.body);
  expect((await settings(await openAccount())).body).toMatchObject({ stickyHours: 24 });
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.body.data[0]).toMatchObject({
    action: 'settings.updated',
    target: `account:${account.accountId}`,
  });
});

test('who writes STOP is on the opt-out list and is not written to, until they are taken off it', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const at = Date.parse('2026-11-20T10:00:00.000Z');
  await writeToNumber(account, numberId, good.to, 'Stop', at);
  await writeToNumber(account, numberId, '4915112345678', 'berhenti ', at + 1);
  expect(await send(account)).toMatchObject({
    status: 422,
    body: { error: { code: 'RECIPIENT_FILTERED', details: [{ path: 'to', filter: 'optOut' }] } },
  });
  const list = (query = '') => ask('GET', `/v1/opt-outs${query}`, { headers: account.server });
  const first = await list('?limit=1');
  expect(first.body).toEqual({
    data: [
      {
        phoneNumber: '4915112345678',
        contactId: null,
        name: null,
        optedOutAt: '2026-11-20T10:00:00.001Z',
        numberId,
        word: 'BERHENTI',
      },
    ],
    nextCursor: expect.any(String),
  });
  const second = await list(`?limit=1&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ data: [{ phoneNumber: good.to, word: 'STOP' }], nextCursor: null });
  const takeOff = () => ask('DELETE', '/v1/opt-outs/+628123456789', { headers: account.owner });
  expect(await takeOff()).toMatchObject({ status: 204, text: '' });
  expect(await takeOff()).toMatchObject({ status: 404 });
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(
    audit.body.data.filter(({ action }: { action: string }) => action === 'opt_out.removed'),
  ).toMatchObject([{ target: `opt_out:${good.to}` }]);
  expect(await send(account)).toMatchObject({ status: 202 });
  const stranger = await openAccount();
  expect((await ask('GET', '/v1/opt-outs', { headers: stranger.server })).body.data).toEqual([]);
});

test('a dry run says who would send it and when, counts nothing, and nothing is sent', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const dry = await send(account, good, '?dryRun=true');
  expect(dry.status).toBe(200);
  expect(dry.body).toEqual({
    dryRun: true,
    accepted: true,
    to: good.to,
    chatType: 'personal',
    messageType: 'text',
    sender: { numberId, phoneNumber: '15550000001', source: 'pool' },
    heldReason: 'not_connected',
    expectedAt: null,
    onNetwork: null,
    reasons: [],
    senders: [{ numberId, inPool: true, fitness: 'ready', reason: null }],
  });
  expect(await usedBy(account)).toBe(0);
  expect((await ask('GET', '/v1/messages', { headers: account.server })).body.data).toEqual([]);
  expect(await send(account, good, '?dryRun=false')).toMatchObject({ status: 202 });
});

test('a dry run names every reason against the send', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  await patch(account, `/v1/numbers/${numberId}`, { inPool: false });
  await patch(account, '/v1/settings', { filters: { blockPrefixes: ['62'] } });
  const dry = await send(account, good, '?dryRun=true');
  expect(dry.body).toMatchObject({ accepted: false, sender: null, expectedAt: null });
  expect(dry.body.reasons).toEqual([
    { code: 'RECIPIENT_FILTERED', message: expect.any(String), details: expect.any(Array) },
    { code: 'NO_HEALTHY_SENDER', message: expect.any(String) },
  ]);
  const nobody = { 'X-API-Key': 'sk_live_nonsense' };
  expect(await ask('POST', '/v1/messages/send?dryRun=true', { headers: nobody, json: good })).toMatchObject({
    status: 401,
    body: { error: { code: 'INVALID_API_KEY' } },
  });
});

test('usage tells what each number sent, and what was sent each day', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  for (let sends = 0; sends < 3; sends += 1) expect(await send(account)).toMatchObject({ status: 202 });
  const { body } = await ask('GET', '/v1/usage', { headers: account.owner });
  expect(body).toMatchObject({
    used: 3,
    byNumber: [{ numberId, used: 3 }],
    byDay: [{ day: new Date().toISOString().slice(0, 10), used: 3 }],
  });
});
