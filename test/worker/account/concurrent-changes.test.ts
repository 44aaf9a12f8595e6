import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { defaultPacing } from '../../../src/contract/numbers/sender-settings.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';

const rounds = 5;

const patchAll = (account: TestAccount, path: string, changes: readonly object[]) =>
  Promise.all(changes.map((json) => ask('PATCH', path, { headers: account.owner, json })));

test('six changes of the settings at the same time, each of another field, are all there afterwards', async () => {
  const account = await openAccount();
  for (let round = 1; round <= rounds; round += 1) {
    const answers = await patchAll(account, '/v1/settings', [
      { stickyHours: round },
      { rerouteAfterMs: 1000 * round },
      { networkChecksPerDay: round },
      { retention: { eventsDays: round } },
      { filters: { blockNumbers: [`62812345${1000 + round}`] } },
      { filters: { allowPrefixes: [`62${round}`] } },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await ask('GET', '/v1/settings', { headers: account.owner })).body).toMatchObject({
      stickyHours: round,
      rerouteAfterMs: 1000 * round,
      networkChecksPerDay: round,
      retention: { eventsDays: round },
      filters: { blockNumbers: [`62812345${1000 + round}`], allowPrefixes: [`62${round}`] },
    });
  }
});

test('six changes of a number at the same time, each of another field, are all there afterwards', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const path = `/v1/numbers/${body.numberId}`;
  for (let round = 1; round <= rounds; round += 1) {
    const answers = await patchAll(account, path, [
      { label: `Sales ${round}` },
      { inPool: round % 2 === 0 },
      { pacing: { dailyLimit: round } },
      { pacing: { recipientIntervalMs: round } },
      { filters: { blockPrefixes: [`1${round}`] } },
      { filters: { checkOnNetwork: round % 2 === 0 } },
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await ask('GET', path, { headers: account.owner })).body).toMatchObject({
      label: `Sales ${round}`,
      inPool: round % 2 === 0,
      pacing: { dailyLimit: round, recipientIntervalMs: round },
      filters: { blockPrefixes: [`1${round}`], checkOnNetwork: round % 2 === 0 },
    });
  }
});

test('changes of a webhook at the same time, each of another field, are all there afterwards', async () => {
  const account = await openAccount();
  const url = 'https://receiver.example.com/0';
  const { body } = await ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { url, numberIds: 'all', events: 'all' },
  });
  const path = `/v1/webhooks/${body.id}`;
  for (let round = 1; round <= 5; round += 1) {
    const fields = {
      url: `https://receiver.example.com/${round}`,
      description: `round ${round}`,
      events: round % 2 === 0 ? 'all' : ['message.sent'],
      enabled: round % 2 === 0,
    };
    const changes = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
    const answers = await patchAll(account, path, changes);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask('GET', path, { headers: account.owner })).body).toMatchObject(fields);
  }
});

test('a rule between two fields holds also when they are changed at the same time', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const path = `/v1/numbers/${body.numberId}`;
  await ask('PATCH', path, {
    headers: account.owner,
    json: { pacing: { minDelayMs: 1000, maxDelayMs: 2000 } },
  });
  const answers = await patchAll(account, path, [
    { pacing: { minDelayMs: 1900 } },
    { pacing: { maxDelayMs: 1500 } },
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('of two changes of its pacing a number keeps the later one, whichever reaches it first', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const number = env.PHONE_NUMBER.getByName(body.numberId);
  const revision = Date.now() + 60_000;
  await number.configure({ ...defaultPacing, quietHours: { start: '00:00', end: '23:59' } }, revision + 1);
  await number.configure(defaultPacing, revision);
  const leaving = await number.forecast({ recipient: '628123456789', isNewChat: false, ahead: 0 });
  await number.configure(defaultPacing, revision + 2);
  const later = await number.forecast({ recipient: '628123456789', isNewChat: false, ahead: 0 });
  expect(leaving).not.toEqual(later);
});

test.for([
  ['/v1/settings', { stickyHours: 5 }, { stickyHours: 6 }],
  ['/v1/numbers', { label: 'Support' }, { label: 'Orders' }],
  ['/v1/webhooks', { description: 'ours' }, { description: 'theirs' }],
] as const)('who edits the whole of %s sees when somebody else was quicker', async ([list, mine, theirs]) => {
  const account = await openAccount();
  const make = (path: string, json: object) => ask('POST', path, { headers: account.owner, json });
  const number = list === '/v1/settings' ? null : await make('/v1/numbers', { label: 'Sales' });
  const webhook = {
    url: 'https://receiver.example.com/',
    numberIds: [number?.body.numberId],
    events: ['message.sent'],
    headers: { 'X-Route': 'orders' },
  };
  const made = list === '/v1/webhooks' ? await make(list, webhook) : number;
  const path = made === null ? list : `${list}/${made.body.numberId ?? made.body.id}`;
  const tag = (await ask('GET', path, { headers: account.owner })).headers.get('ETag') ?? '';
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  const patch = (json: object, ifMatch: string) =>
    ask('PATCH', path, { headers: { ...account.owner, 'If-Match': ifMatch }, json });
  const first = await patch(theirs, tag);
  expect(first.status).toBe(200);
  expect(await patch(mine, tag)).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: expect.stringContaining('If-Match') } },
  });
  expect((await ask('GET', path, { headers: account.owner })).body).toMatchObject(theirs);
  const newTag = first.headers.get('ETag') ?? '';
  expect(newTag).not.toBe(tag);
  // A proxy that compresses answers makes their tags weak.
  expect(await patch(mine, `W/${tag}`)).toMatchObject({ status: 409 });
  expect(await patch(mine, `"another", W/${newTag}`)).toMatchObject({ status: 200, body: mine });
  expect(await patch(theirs, '*')).toMatchObject({ status: 200, body: theirs });
});

test.each([
  { markRead: 'always' },
  { presence: 'available' },
  { pacing: { dailyLimit: 7 } },
  { filters: { checkOnNetwork: true } },
  { inPool: false },
  { teamIds: 'a team' },
])('the tag of a number is another one after %j', async (change) => {
  const { owner } = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: owner, json: { label: 'Sales' } });
  const path = `/v1/numbers/${body.numberId}`;
  const tag = (await ask('GET', path, { headers: owner })).headers.get('ETag') ?? '';
  const patch = (json: object) => ask('PATCH', path, { headers: { ...owner, 'If-Match': tag }, json });
  const team = await ask('POST', '/v1/teams', { headers: owner, json: { name: 'Desk', memberIds: [] } });
  const changes = 'teamIds' in change ? { teamIds: [team.body.teamId] } : change;
  expect((await patch(changes)).status).toBe(200);
  expect(await patch({ label: 'Orders' })).toMatchObject({ status: 409 });
});

test.each([
  { url: 'https://receiver.example.com/other' },
  { events: ['message.read'] },
  { enabled: false },
  { headers: { 'X-Route': 'invoices' } },
])('the tag of a webhook is another one after %j', async (change) => {
  const { owner } = await openAccount();
  const json = { url: 'https://receiver.example.com/', numberIds: 'all', events: 'all' };
  const made = await ask('POST', '/v1/webhooks', { headers: owner, json });
  const path = `/v1/webhooks/${made.body.id}`;
  const tag = (await ask('GET', path, { headers: owner })).headers.get('ETag') ?? '';
  const patch = (changes: object) =>
    ask('PATCH', path, { headers: { ...owner, 'If-Match': tag }, json: changes });
  expect((await patch(change)).status).toBe(200);
  expect(await patch({ description: 'Orders' })).toMatchObject({ status: 409 });
});
