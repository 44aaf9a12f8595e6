import { expect, test } from 'vitest';
import { doorWith, mailVariables, nextMail, refreshCookieOf } from '../configured-door.ts';
import { type Answer, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';
import { atOnce, countOf, listed } from './at-once.ts';

const tokenOf = async (email: string, password: string): Promise<{ Authorization: string }> => ({
  Authorization: `Bearer ${(await ask('POST', '/v1/auth/login', { json: { email, password } })).body.token}`,
});

/** Every act of this kind stands in the audit log once, and nobody has broken its chain. */
async function expectAudited({ owner: headers }: TestAccount, action: string, targets: string[]) {
  const seen = await eventually(async () => {
    const entries = (await listed('/v1/audit-log', headers)).filter((it) => it.action === action);
    return entries.length >= targets.length ? entries : null;
  });
  expect(seen.map(({ target }) => target).sort()).toEqual(targets.toSorted());
  const verified = await ask('GET', '/v1/audit-log/verify', { headers });
  expect(verified.body, verified.text).toMatchObject({ valid: true });
}

test('150 keys made at once are made, as many as the account may have, and each stands in the audit log', async () => {
  const account = await openAccount();
  const admin = await addMember(account, 'admin', account.password);
  const people = [account.owner, await tokenOf(admin.email, account.password)];
  const made = await atOnce(150, (index) =>
    ask('POST', '/v1/auth/api-keys', {
      headers: people[index % 2] ?? {},
      json: { name: `key ${index}` },
    }),
  );
  const created = made.filter(({ status }) => status === 201);
  const refused = made.filter(({ status }) => status !== 201);
  expect(created.length, JSON.stringify(countOf(made))).toBeGreaterThan(10);
  for (const { status, text } of refused) expect([402, 403, 409, 429], text).toContain(status);
  const ids = created.map(({ body }) => body.id);
  const keys = await listed('/v1/auth/api-keys', account.owner);
  expect(keys.map(({ id }) => id).sort()).toEqual([...ids, account.apiKeyId].sort());
  await expectAudited(
    account,
    'api_key.created',
    [...ids, account.apiKeyId].map((id) => `api_key:${id}`),
  );
});

test('60 sessions that are logged out at once are all over', async () => {
  const account = await openAccount();
  const { email, password } = account;
  const sessions: Answer[] = [];
  // In groups that stay below the limit of attempts.
  for (let group = 0; group < 4; group += 1) {
    sessions.push(...(await atOnce(15, () => ask('POST', '/v1/auth/login', { json: { email, password } }))));
  }
  const cookies = sessions.map((session) => refreshCookieOf(session).header);
  const ended = await atOnce(cookies.length, (index) =>
    ask('POST', '/v1/auth/logout', { headers: cookies[index] ?? {} }),
  );
  expect(countOf(ended)).toEqual({ 204: 60 });
  const refreshed = await atOnce(10, (index) =>
    ask('POST', '/v1/auth/refresh', { headers: cookies[index * 6] ?? {} }),
  );
  expect(countOf(refreshed)).toEqual({ 401: 10 });
});

test('an invitation that is accepted several times at once makes one member', async () => {
  const account = await openAccount();
  const door = doorWith({ ...mailVariables(), SIGNUP: 'invite' });
  const email = `${crypto.randomUUID()}@example.com`;
  await door('POST', '/v1/auth/invitations', { headers: account.owner, json: { email, role: 'agent' } });
  const { token } = await nextMail(email, /./);
  const answers = await atOnce(5, (index) =>
    door('POST', '/v1/auth/invitations/accept', {
      json: { token, name: `Eve ${index}`, password: 'correct horse battery' },
    }),
  );
  const { 200: accepted = 0, 201: created = 0, ...refused } = countOf(answers);
  expect(accepted + created, JSON.stringify(refused)).toBe(1);
  for (const status of Object.keys(refused)) expect(['401', '409']).toContain(status);
  const members = await listed('/v1/auth/members', account.owner);
  expect(members.filter((member) => JSON.stringify(member).includes(email))).toHaveLength(1);
});
