import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { doorWith } from '../configured-door.ts';
import { openAccount, type TestAccount } from '../front-door.ts';

const plans = {
  free: { numbers: 2, webhooks: 2, keys: 3, members: 2, pairings: 1 },
  own: 'unlimited',
};
const door = doorWith({ PLANS: JSON.stringify(plans) });

const post = ({ owner: headers }: TestAccount, path: string, json: object) =>
  door('POST', path, { headers, json });
const makes = {
  numbers: (account: TestAccount) => post(account, '/v1/numbers', { label: 'Sales' }),
  webhooks: (account: TestAccount) =>
    post(account, '/v1/webhooks', { url: 'https://example.com/hook', numberIds: 'all', events: 'all' }),
  keys: (account: TestAccount) => post(account, '/v1/auth/api-keys', { name: 'Till' }),
  members: (account: TestAccount) =>
    post(account, '/v1/auth/invitations', { email: `${crypto.randomUUID()}@example.com`, role: 'agent' }),
};

describe('an account has as much as its plan allows, and the refusal names the cap', () => {
  // Its owner is a member, and it has one key.
  test.for([
    ['numbers', 2],
    ['webhooks', 2],
    ['keys', 2],
    ['members', 1],
  ] as const)('%s', async ([cap, room]) => {
    const account = await openAccount();
    const make = () => makes[cap](account);
    const made = [];
    for (let one = 0; one < room; one += 1) made.push(await make());
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: room }, () => 201));
    const refused = await make();
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^The plan free allows \d /),
      details: [{ cap, limit: plans.free[cap] }],
    });
    // What another account has does not count, and what is deleted makes room again.
    expect(await makes[cap](await openAccount())).toMatchObject({ status: 201 });
    const paths = {
      numbers: '/v1/numbers/',
      webhooks: '/v1/webhooks/',
      keys: '/v1/auth/api-keys/',
      members: '/v1/auth/invitations/',
    };
    const id = made[0]?.body.numberId ?? made[0]?.body.id;
    const deleted = await door('DELETE', `${paths[cap]}${id}`, { headers: account.owner });
    expect(deleted.status).toBe(204);
    expect(await make()).toMatchObject({ status: 201 });
  });
});

test('a key that has ended, and an invitation that nobody took in time, make room for another', async () => {
  const account = await openAccount();
  for (const [cap, table] of [
    ['keys', 'api_keys'],
    ['members', 'invitations'],
  ] as const) {
    const make = async () => (await makes[cap](account)).status;
    while ((await make()) === 201);
    expect(await make()).toBe(409);
    await env.DB.prepare(`update ${table} set expires_at = 1 where account_id = ?`)
      .bind(account.accountId)
      .run();
    expect(await make()).toBe(201);
  }
});

test('of many who ask at the same moment exactly as many get one as there is room for', async () => {
  const account = await openAccount();
  for (const cap of ['numbers', 'webhooks', 'keys'] as const) {
    const answers = await Promise.all(Array.from({ length: 12 }, () => makes[cap](account)));
    const statuses = answers.map(({ status }) => status);
    expect(
      statuses.filter((status) => status === 201),
      cap,
    ).toHaveLength(2);
    expect(
      statuses.filter((status) => status === 409),
      cap,
    ).toHaveLength(10);
  }
  const audit = await door('GET', '/v1/audit-log?limit=200', { headers: account.owner });
  const created = audit.body.data.filter(({ action }: { action: string }) => action === 'number.created');
  expect(created).toHaveLength(2);
});

test('only so many pairings of an account are under way at once', async () => {
  const account = await openAccount();
  const [first, second] = [await makes.numbers(account), await makes.numbers(account)];
  const pair = (numberId: string) => post(account, `/v1/numbers/${numberId}/pair`, { method: 'qr' });
  expect(await pair(first.body.numberId)).toMatchObject({ status: 202 });
  const refused = await pair(second.body.numberId);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { details: [{ cap: 'pairings', limit: 1 }] } },
  });
  // The one that has its place may begin anew.
  expect((await pair(first.body.numberId)).body.error?.details?.[0]?.cap).toBeUndefined();
  const deleted = await door('DELETE', `/v1/numbers/${first.body.numberId}`, { headers: account.owner });
  expect(deleted.status).toBe(204);
});

test('a pairing that its number refuses is none that is under way', async () => {
  const account = await openAccount();
  const [first, second] = [await makes.numbers(account), await makes.numbers(account)];
  const pair = (numberId: string) => post(account, `/v1/numbers/${numberId}/pair`, { method: 'qr' });
  const refusing = vi
    .spyOn(PhoneNumber.prototype, 'pair')
    .mockReturnValueOnce(refuse('CONFLICT', 'Not now.') as never);
  onTestFinished(() => refusing.mockRestore());
  expect(await pair(first.body.numberId)).toMatchObject({ status: 409 });
  expect(await pair(second.body.numberId)).toMatchObject({ status: 202 });
});

test('a plan may cap nothing', async () => {
  const account = await openAccount();
  const plan = await door('PUT', `/v1/operator/accounts/${account.accountId}/plan`, {
    headers: { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` },
    json: { plan: 'own' },
  });
  const nothing = { numbers: null, webhooks: null, keys: null, members: null, pairings: null };
  expect(plan).toMatchObject({ status: 200, body: { plan: 'own', messagesAMonth: null, caps: nothing } });
  for (let one = 0; one < 4; one += 1) expect(await makes.keys(account)).toMatchObject({ status: 201 });
});
