import { env } from 'cloudflare:workers';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, inject, test, vi } from 'vitest';
import { hashSecretToken } from '../../../src/worker/auth/tokens/secret-token.ts';
import { openDatabase } from '../../../src/worker/db/database.ts';
import {
  acceptInvitation,
  findInvitation,
  listInvitations,
} from '../../../src/worker/features/people/rows/invitations.ts';
import { forgetExpired } from '../../../src/worker/features/people/rows/mailed-tokens.ts';
import { doorWith, mailTo, mailVariables, nextMail, refreshCookieOf } from '../configured-door.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';

const newAddress = () => `${crypto.randomUUID()}@example.com`;
const password = 'a long enough password';
const door = (variables: object = {}) => doorWith({ ...mailVariables(), SIGNUP: 'invite', ...variables });
const login = (email: string, secret = password) =>
  ask('POST', '/v1/auth/login', { json: { email, password: secret } });
const refreshed = (answer: Parameters<typeof refreshCookieOf>[0]) => ({
  headers: refreshCookieOf(answer).header,
});
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Somebody invited by e-mail who has accepted: their address, headers and user id. */
async function join(account: TestAccount, role: string, email = newAddress()) {
  const invited = await door()('POST', '/v1/auth/invitations', {
    headers: account.owner,
    json: { email, role },
  });
  expect(invited.status).toBe(201);
  const { token } = await nextMail(email, /^Join /);
  const accepted = await door()('POST', '/v1/auth/invitations/accept', {
    json: { token, name: 'Bob', password },
  });
  expect(accepted.status).toBe(200);
  const { body } = await login(email);
  return { email, headers: bearer(body.token), userId: body.user.id as string };
}

/** A list, read one by one; it is the same as all of it at once. */
async function readInPages(path: string, headers: Record<string, string>) {
  const found: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `${path}?limit=1${cursor}`, { headers });
    found.push(...body.data);
    // More than there are: a page that comes again.
    if (body.nextCursor === null || found.length > 20) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(found, path).toEqual((await ask('GET', path, { headers })).body.data);
  return found;
}

describe('an invitation', () => {
  test('brings a new person into the account, with the role that it names, once', async () => {
    const account = await openAccount('Example Ltd');
    const email = newAddress();
    const invited = await door()('POST', '/v1/auth/invitations', {
      headers: account.owner,
      json: { email: email.toUpperCase(), role: 'agent' },
    });
    expect(invited).toMatchObject({ status: 201, body: { id: expect.any(String), email, role: 'agent' } });
    const mail = await nextMail(email, /^Join Example Ltd on Heliograph$/);
    expect(mail).toMatchObject({
      from: 'gateway@example.com',
      text: expect.stringContaining('Ada invites you'),
    });
    expect(mail.text).toContain(`https://dashboard.example.com/invitation#token=${mail.token}`);
    expect(invited.body.mail).toBe('sent');
    expect(JSON.stringify(invited.body)).not.toContain(mail.token);

    const accept = (json: object) => door()('POST', '/v1/auth/invitations/accept', { json });
    const { token } = mail;
    expect(await accept({ token })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'name' }] } },
    });
    expect(await accept({ token: `${token}x`, name: 'Bob', password })).toMatchObject({ status: 401 });
    expect(await accept({ token, name: 'Bob', password })).toMatchObject({
      status: 200,
      body: {
        user: { email, name: 'Bob' },
        account: { id: account.accountId, name: 'Example Ltd', role: 'agent' },
      },
    });
    expect(await accept({ token, name: 'Bob', password })).toMatchObject({ status: 401 });
    expect(await login(email)).toMatchObject({ status: 200, body: { account: { role: 'agent' } } });
    const open = await ask('GET', '/v1/auth/invitations', { headers: account.owner });
    expect(open.body.data).toEqual([]);
    const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
    const actions = audit.body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['invitation.created', 'member.joined']));
  });

  test('brings somebody who has a user into a second account, and they go back and forth', async () => {
    const [first, second] = [await openAccount('First'), await openAccount('Second')];
    const person = await join(first, 'admin');
    await door()('POST', '/v1/auth/invitations', {
      headers: second.owner,
      json: { email: person.email, role: 'agent' },
    });
    const { token } = await nextMail(person.email, /Join Second/);
    expect(await door()('POST', '/v1/auth/invitations/accept', { json: { token } })).toMatchObject({
      status: 200,
      body: { account: { id: second.accountId, role: 'agent' } },
    });
    const accounts = await ask('GET', '/v1/auth/accounts', { headers: person.headers });
    expect(accounts.body.data).toEqual([
      { id: second.accountId, name: 'Second', role: 'agent', current: false },
      { id: first.accountId, name: 'First', role: 'admin', current: true },
    ]);
    const to = (accountId: string, headers: Record<string, string>) =>
      ask('POST', '/v1/auth/switch-account', { headers, json: { accountId } });
    const switched = await to(second.accountId, person.headers);
    expect(switched).toMatchObject({ status: 200, body: { account: { name: 'Second', role: 'agent' } } });
    const inSecond = bearer(switched.body.token);
    expect(await ask('GET', '/v1/webhooks', { headers: inSecond })).toMatchObject({ status: 403 });
    expect(await ask('GET', '/v1/webhooks', { headers: person.headers })).toMatchObject({ status: 200 });
    expect((await to(first.accountId, inSecond)).body.account).toMatchObject({ role: 'admin' });
    // Signing in leads to the account that was used last.
    const again = await login(person.email);
    expect(again.body.account.id).toBe(first.accountId);
    await to(second.accountId, bearer(again.body.token));
    expect((await login(person.email)).body.account.id).toBe(second.accountId);
    expect(await to(crypto.randomUUID(), person.headers)).toMatchObject({ status: 404 });
    expect(await to(second.accountId, first.owner)).toMatchObject({ status: 404 });
    expect(await readInPages('/v1/auth/accounts', person.headers)).toHaveLength(2);
    expect(await readInPages('/v1/auth/sessions', person.headers)).toHaveLength(3);
    // Removed there, their session goes on in the other account, whose log tells of its end.
    const { headers } = refreshed(await login(person.email));
    await ask('DELETE', `/v1/auth/members/${person.userId}`, { headers: second.owner });
    const goesOn = await ask('POST', '/v1/auth/refresh', { headers });
    expect(goesOn).toMatchObject({ status: 200, body: { account: { id: first.accountId } } });
    await ask('POST', '/v1/auth/logout', { headers: refreshed(goesOn).headers });
    const last = async (caller: Record<string, string>) =>
      (await ask('GET', '/v1/audit-log?limit=1', { headers: caller })).body.data[0];
    expect(await last(first.owner)).toMatchObject({ action: 'session.ended', actorName: person.email });
    expect(await last(second.owner)).toMatchObject({ action: 'member.removed' });
  });

  test('can be withdrawn, is replaced by the next one, and ends after seven days', async () => {
    const account = await openAccount();
    const email = newAddress();
    const invite = () =>
      door()('POST', '/v1/auth/invitations', { headers: account.owner, json: { email, role: 'admin' } });
    const accept = (token: string) =>
      door()('POST', '/v1/auth/invitations/accept', { json: { token, name: 'Bob', password } });
    await invite();
    const first = await nextMail(email, /Join/);
    const again = await invite();
    const second = await nextMail(email, /Join/, 1);
    expect(await accept(first.token)).toMatchObject({ status: 401 });
    const list = await ask('GET', '/v1/auth/invitations', { headers: account.owner });
    const { mail: _mail, openToNewUsers: _open, ...invitation } = again.body;
    expect(list.body.data).toEqual([invitation]);
    const kept = async (now: number) => {
      await forgetExpired(openDatabase(env.DB), now);
      const select = env.DB.prepare('select id from invitations where account_id = ?');
      return (await select.bind(account.accountId).all()).results.length;
    };
    const end = Date.parse(again.body.expiresAt);
    expect(await kept(end - 1)).toBe(1);
    const openAt = async (at: number) =>
      (await listInvitations(openDatabase(env.DB), account.accountId, 10, undefined, at)).length;
    expect([await openAt(end - 1), await openAt(end)]).toEqual([1, 0]);
    vi.useFakeTimers({ toFake: ['Date'], now: end });
    try {
      expect(await accept(second.token)).toMatchObject({ status: 401 });
    } finally {
      vi.useRealTimers();
    }
    const withdraw = () => ask('DELETE', `/v1/auth/invitations/${again.body.id}`, { headers: account.owner });
    expect(await withdraw()).toMatchObject({ status: 204 });
    expect(await withdraw()).toMatchObject({ status: 404 });
    expect(await accept(second.token)).toMatchObject({ status: 401 });
  });

  test('makes no new user of an address that runs the gateway: no mail may have proved whose it is', async () => {
    const { owner: headers } = await openAccount();
    const email = newAddress();
    const json = { email, role: 'agent' };
    await door()('POST', '/v1/auth/invitations', { headers, json });
    const { token } = await nextMail(email, /Join/);
    const accept = (OPERATOR_EMAILS: string) =>
      door({ OPERATOR_EMAILS })('POST', '/v1/auth/invitations/accept', {
        json: { token, name: 'Bob', password },
      });
    expect(await accept(email)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect((await accept(newAddress())).status).toBe(200);
  });

  test('stands beside one of another account to the same address, and one of its account to another address', async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    const [first, second] = [newAddress(), newAddress()].map((email) => ({ email, role: 'agent' }));
    for (const { owner: headers } of [one, other]) {
      for (const json of [first, second]) {
        expect((await door()('POST', '/v1/auth/invitations', { headers, json })).status).toBe(201);
      }
    }
    for (const { owner: headers } of [one, other]) {
      expect((await ask('GET', '/v1/auth/invitations', { headers })).body.data).toMatchObject([
        second,
        first,
      ]);
    }
  });

  test('stays good where somebody has made a user of its address in the same moment', async () => {
    const [account, known] = [await openAccount(), await openAccount()];
    await door()('POST', '/v1/auth/invitations', {
      headers: account.owner,
      json: { email: known.email, role: 'agent' },
    });
    const { token } = await nextMail(known.email, /^Join/);
    const [db, now] = [openDatabase(env.DB), Date.now()];
    const found = await findInvitation(db, hashSecretToken(token), now);
    if (found === null) throw new Error('the invitation is not there');
    const userId = crypto.randomUUID();
    const caller = { kind: 'user' as const, accountId: account.accountId, userId, email: known.email };
    const audit = { db, caller, requestId: 'req_1', address: null, accountsToTell: new Set<string>() };
    const newUser = { name: 'Bob', passwordHash: 'x' };
    expect(await acceptInvitation(found.invitation, { userId, newUser }, now, audit)).toBe(false);
    const again = await door()('POST', '/v1/auth/invitations/accept', { json: { token } });
    expect(again).toMatchObject({ status: 200, body: { user: { name: 'Ada' }, account: { role: 'agent' } } });
  });

  test('that is over is not there to be withdrawn', async () => {
    const { accountId, owner: headers } = await openAccount();
    const json = { email: newAddress(), role: 'agent' };
    const { body } = await door()('POST', '/v1/auth/invitations', { headers, json });
    await env.DB.prepare('update invitations set expires_at = ? where account_id = ?')
      .bind(Date.now() - 1, accountId)
      .run();
    expect(await ask('DELETE', `/v1/auth/invitations/${body.id}`, { headers })).toMatchObject({
      status: 404,
    });
    expect((await ask('GET', '/v1/auth/invitations', { headers })).body.data).toEqual([]);
  });

  test('tells whoever invites that only users can accept it where sign-up is closed, and nothing of the address', async () => {
    const [account, other] = [await openAccount(), await openAccount()];
    const invite = (email: string, variables: object) =>
      door(variables)('POST', '/v1/auth/invitations', {
        headers: account.owner,
        json: { email, role: 'agent' },
      });
    for (const [SIGNUP, openToNewUsers] of [
      [undefined, false],
      ['closed', false],
      ['invite', true],
      ['open', true],
    ] as const) {
      const answers = [await invite(other.email, { SIGNUP }), await invite(newAddress(), { SIGNUP })];
      for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: { openToNewUsers } });
      expect(Object.keys(answers[0]?.body)).toEqual(Object.keys(answers[1]?.body));
      const shown = await door({ SIGNUP })('GET', '/v1/account', { headers: account.owner });
      expect(shown.body).toMatchObject({ openToNewUsers });
    }
  });

  test('makes no new user where sign-up is closed', async () => {
    const account = await openAccount();
    const email = newAddress();
    await door()('POST', '/v1/auth/invitations', { headers: account.owner, json: { email, role: 'agent' } });
    const { token } = await nextMail(email, /Join/);
    const json = { token, name: 'Bob', password };
    const closed = await door({ SIGNUP: undefined })('POST', '/v1/auth/invitations/accept', { json });
    expect(closed).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await login(email)).toMatchObject({ status: 401 });
  });
});

describe('the roles of an account', () => {
  test('change with the next request, in both directions', async () => {
    const account = await openAccount();
    const person = await join(account, 'agent');
    const webhooks = () => ask('GET', '/v1/webhooks', { headers: person.headers });
    const become = (role: string, headers = account.owner) =>
      ask('PATCH', `/v1/auth/members/${person.userId}`, { headers, json: { role } });
    expect(await webhooks()).toMatchObject({ status: 403 });
    expect(await become('admin')).toMatchObject({
      status: 200,
      body: { userId: person.userId, role: 'admin' },
    });
    expect(await webhooks()).toMatchObject({ status: 200 });
    expect(await become('agent')).toMatchObject({ status: 200 });
    expect(await webhooks()).toMatchObject({ status: 403 });
    // The role that somebody has already is no change.
    expect(await become('agent')).toMatchObject({ status: 200, body: { role: 'agent' } });
    const log = await ask('GET', '/v1/audit-log', { headers: account.owner });
    const changes = log.body.data.filter((it: { action: string }) => it.action === 'member.role_changed');
    expect(changes).toHaveLength(2);
    const members = await ask('GET', '/v1/auth/members', { headers: account.owner });
    expect(members.body.data).toEqual([
      { userId: person.userId, email: person.email, name: 'Bob', role: 'agent' },
      { userId: expect.any(String), email: account.email, name: 'Ada', role: 'owner' },
    ]);
  });

  test('let only an owner make, change or remove an owner', async () => {
    const account = await openAccount();
    const admin = await join(account, 'admin');
    const agent = await join(account, 'agent');
    const forbidden = { status: 403, body: { error: { code: 'FORBIDDEN' } } };
    const ownerId = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user.id;
    const change = (userId: string, role: string) =>
      ask('PATCH', `/v1/auth/members/${userId}`, { headers: admin.headers, json: { role } });
    expect(await change(ownerId, 'agent')).toMatchObject(forbidden);
    expect(await change(admin.userId, 'owner')).toMatchObject(forbidden);
    expect(await change(agent.userId, 'admin')).toMatchObject({ status: 200 });
    const remove = (userId: string, headers: Record<string, string>) =>
      ask('DELETE', `/v1/auth/members/${userId}`, { headers });
    expect(await remove(ownerId, admin.headers)).toMatchObject(forbidden);
    const json = { email: newAddress(), role: 'owner' };
    expect(await door()('POST', '/v1/auth/invitations', { headers: admin.headers, json })).toMatchObject(
      forbidden,
    );
  });

  test('leave an account always with an owner, also when its two owners resign at once', async () => {
    const account = await openAccount();
    const ownerId = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user.id;
    const conflict = { status: 409, body: { error: { code: 'CONFLICT' } } };
    const resign = (userId: string, headers: Record<string, string>) =>
      ask('PATCH', `/v1/auth/members/${userId}`, { headers, json: { role: 'admin' } });
    const leave = (userId: string, headers: Record<string, string>) =>
      ask('DELETE', `/v1/auth/members/${userId}`, { headers });
    expect(await resign(ownerId, account.owner)).toMatchObject(conflict);
    expect(await leave(ownerId, account.owner)).toMatchObject(conflict);
    // What was refused has not been: the audit log tells nothing of it.
    const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
    const actions = audit.body.data.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action.startsWith('member.'))).toEqual([]);
    const second = await join(account, 'owner');
    const answers = await Promise.all([leave(ownerId, account.owner), resign(second.userId, second.headers)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => b - a)[0]).toBe(409);
    const owners = await env.DB.prepare("select * from memberships where account_id = ? and role = 'owner'")
      .bind(account.accountId)
      .all();
    expect(owners.results).toHaveLength(1);
  });

  test('end for who is removed with their next request, and anybody may leave', async () => {
    const account = await openAccount();
    const [removed, leaving] = [await join(account, 'admin'), await join(account, 'agent')];
    const remove = (userId: string, headers: Record<string, string>) =>
      ask('DELETE', `/v1/auth/members/${userId}`, { headers });
    expect(await readInPages('/v1/auth/members', account.owner)).toHaveLength(3);
    expect(await remove(removed.userId, leaving.headers)).toMatchObject({ status: 403 });
    const revision = () =>
      env.DB.prepare('select revision from accounts where id = ?')
        .bind(account.accountId)
        .first<number>('revision');
    const before = await revision();
    expect(await remove(removed.userId, account.owner)).toMatchObject({ status: 204 });
    // Objects that could not be told at once, and name them, are told later.
    expect(await revision()).toBeGreaterThan(before ?? Number.NaN);
    expect(await ask('GET', '/v1/auth/me', { headers: removed.headers })).toMatchObject({ status: 401 });
    expect(await login(removed.email)).toMatchObject({ status: 401 });
    expect(await remove(removed.userId, account.owner)).toMatchObject({ status: 404 });
    expect(await remove(leaving.userId, leaving.headers)).toMatchObject({ status: 204 });
    expect(await ask('GET', '/v1/auth/me', { headers: leaving.headers })).toMatchObject({ status: 401 });
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string, variables: object = {}) =>
    door(variables)('POST', '/v1/auth/password/forgot', { json: { email } });
  const reset = (token: string, newPassword = 'a brand new password') =>
    door()('POST', '/v1/auth/password/reset', { json: { token, newPassword } });

  test('is replaced through a link that is mailed, good once, and ends every session', async () => {
    const account = await openAccount();
    expect(await forgot(account.email)).toMatchObject({ status: 202, body: { status: 'sent_if_known' } });
    const mail = await nextMail(account.email, /Reset your Heliograph password/);
    expect(mail.text).toContain(`https://dashboard.example.com/password/reset#token=${mail.token}`);
    expect(await reset(mail.token, 'short')).toMatchObject({ status: 400 });
    // A link of another kind it is not, and is not used up by that.
    const json = { token: mail.token, password };
    expect(await door()('POST', '/v1/auth/sign-up/verify', { json })).toMatchObject({ status: 401 });
    expect(await reset(mail.token)).toMatchObject({ status: 204 });
    expect(await reset(mail.token)).toMatchObject({ status: 401 });
    expect(await ask('GET', '/v1/auth/me', { headers: account.owner })).toMatchObject({ status: 401 });
    expect(await login(account.email, account.password)).toMatchObject({ status: 401 });
    expect(await login(account.email, 'a brand new password')).toMatchObject({ status: 200 });
  });

  test('that was replaced stands in the audit log of each account that its owner is in', async () => {
    const [own, other] = [await openAccount(), await openAccount()];
    await env.DB.prepare(
      "insert into memberships (user_id, account_id, role) select id, ?, 'agent' from users where email = ?",
    )
      .bind(other.accountId, own.email)
      .run();
    await forgot(own.email);
    const { token } = await nextMail(own.email, /Reset/);
    expect(await reset(token)).toMatchObject({ status: 204 });
    const { body } = await login(own.email, 'a brand new password');
    const entry = { action: 'user.password_changed', actorName: own.email };
    for (const headers of [other.owner, { Authorization: `Bearer ${body.token}` }]) {
      const audit = await ask('GET', '/v1/audit-log', { headers });
      expect(audit.body.data).toContainEqual(expect.objectContaining(entry));
    }
  });

  test('of nobody gets the same answer, and no e-mail', async () => {
    const [known, unknown] = [await openAccount(), newAddress()];
    const answers = [await forgot(known.email), await forgot(unknown)];
    const shown = answers.map(({ status, body, headers }) => ({
      status,
      body,
      headers: [...headers.keys()],
    }));
    expect(shown[0]).toEqual(shown[1]);
    await nextMail(known.email, /Reset/);
    expect(await mailTo(unknown)).toEqual([]);
  });

  test('is answered without waiting for the mail server, which tells nobody who is known', async () => {
    const account = await openAccount();
    const { silentSmtpPort } = inject('identityServers');
    expect(await forgot(account.email, { SMTP_PORT: String(silentSmtpPort) })).toMatchObject({ status: 202 });
  });

  test('without a mail server gets the same answer, and the log says so without the link', async () => {
    const account = await openAccount();
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
    const answer = await forgot(account.email, { SMTP_HOST: undefined });
    expect(answer).toMatchObject({ status: 202, body: { status: 'sent_if_known' } });
    await expect.poll(() => lines.join('\n')).toContain('mail.not_configured');
    vi.restoreAllMocks();
    expect(lines.join('\n')).not.toContain(account.email);
    expect(lines.join('\n')).not.toMatch(/token/i);
  });

  test('whose e-mail the mail server refuses gets the same answer, and the log says so without the address', async () => {
    const [account, email] = [await openAccount(), `refused-${newAddress()}`];
    await env.DB.prepare('update users set email = ? where email = ?').bind(email, account.email).run();
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
    expect(await forgot(email)).toMatchObject({ status: 202 });
    await expect.poll(() => lines.join('\n')).toContain('mail.failed');
    vi.restoreAllMocks();
    expect(lines.join('\n')).toContain('No mailbox');
    expect(lines.join('\n')).not.toContain(email);
  });

  test('ends the link before it, and every link after an hour', async () => {
    const account = await openAccount();
    await forgot(account.email);
    const first = await nextMail(account.email, /Reset/);
    await forgot(account.email);
    const second = await nextMail(account.email, /Reset/, 1);
    expect(await reset(first.token)).toMatchObject({ status: 401 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600_000 + 5000 });
    try {
      expect(await reset(second.token)).toMatchObject({ status: 401 });
    } finally {
      vi.useRealTimers();
    }
  });

  test('that comes back to its owner meanwhile, and is changed, leaves no link that is good', async () => {
    const account = await openAccount();
    await forgot(account.email);
    const { token } = await nextMail(account.email, /Reset/);
    const json = { currentPassword: account.password, newPassword: 'another long password' };
    const changed = await ask('POST', '/v1/auth/password/change', { headers: account.owner, json });
    expect(changed.status).toBe(204);
    expect(await reset(token)).toMatchObject({ status: 401 });
  });
});

describe('signing up by oneself', () => {
  const person = (email: string) => ({ email, name: 'Cy', accountName: 'Cy Ltd' });
  const signUp = (email: string, SIGNUP?: string, more: object = {}) =>
    door({ SIGNUP })('POST', '/v1/auth/sign-up', { json: { ...person(email), ...more } });
  const verify = (token: string, secret = password) =>
    door()('POST', '/v1/auth/sign-up/verify', { json: { token, password: secret } });

  test('opens an account once the address has proved to be theirs, with the password that is chosen then', async () => {
    const email = newAddress();
    expect(await signUp(email, 'open')).toMatchObject({ status: 202, body: { status: 'verification_sent' } });
    const { token, text } = await nextMail(email, /Confirm your e-mail address/);
    expect(text).toContain(`https://dashboard.example.com/verify#token=${token}`);
    expect(await login(email)).toMatchObject({ status: 401 });
    expect(await verify(token)).toMatchObject({
      status: 201,
      body: { user: { email, name: 'Cy' }, account: { name: 'Cy Ltd', role: 'owner' } },
    });
    expect(await verify(token)).toMatchObject({ status: 401 });
    expect(await login(email)).toMatchObject({ status: 200, body: { account: { role: 'owner' } } });
  });

  test('takes no password before that: whoever asks first knows nothing of the account', async () => {
    const email = newAddress();
    expect(await signUp(email, 'open', { password })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'password' }] } },
    });
    expect(await mailTo(email)).toEqual([]);
  });

  test("is not for whoever brings a token that is not the operator's", async () => {
    const answer = await door({ SIGNUP: 'open' })('POST', '/v1/auth/sign-up', {
      headers: bearer('a-guess'),
      json: person(newAddress()),
    });
    expect(answer).toMatchObject({ status: 401 });
  });

  test('leaves one link good for an address: the last one', async () => {
    const email = newAddress();
    await signUp(email, 'open');
    const first = await nextMail(email, /Confirm/);
    await signUp(email, 'open');
    const second = await nextMail(email, /Confirm/, 1);
    expect(await verify(first.token)).toMatchObject({ status: 401 });
    expect(await verify(second.token)).toMatchObject({ status: 201 });
  });

  test('keeps the link good when the password is one that everybody tries', async () => {
    const email = newAddress();
    await signUp(email, 'open');
    const { token } = await nextMail(email, /Confirm/);
    expect(await verify(token, 'Password123')).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'password', message: expect.stringContaining('tried first') }] } },
    });
    expect(await verify(token)).toMatchObject({ status: 201 });
  });

  test('with the address of a user gets the same answer, and only its owner learns that it is taken', async () => {
    const account = await openAccount();
    const [taken, free] = [await signUp(account.email, 'open'), await signUp(newAddress(), 'open')];
    expect({ status: taken.status, body: taken.body }).toEqual({ status: free.status, body: free.body });
    const mail = await nextMail(account.email, /You have a Heliograph user already/);
    expect(mail.token).toBe('');
    expect(await login(account.email, account.password)).toMatchObject({ status: 200 });
  });

  test.each([undefined, 'closed', 'invite'])('is refused where SIGNUP is %s', async (SIGNUP) => {
    const email = newAddress();
    expect(await signUp(email, SIGNUP)).toMatchObject({ status: 401 });
    const json = { ...person(email), password };
    const operator = { headers: { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` }, json };
    expect(await door({ SIGNUP })('POST', '/v1/auth/sign-up', operator)).toMatchObject({ status: 201 });
  });
});

describe('a name that stands in e-mails', () => {
  test.each([
    'see https://evil.example',
    'www.evil',
    'Win at evil.com now',
    'evil。com',
    'evil．com',
    'e\u200bvil.\u200bcom',
    'mail me@evil',
    'http://1',
    '10.0.0.1',
    'Call +1 (555) 010-9999',
  ])('is not %j', async (name) => {
    const json = { email: newAddress(), accountName: name, name: 'Cy' };
    const refused = await door({ SIGNUP: 'open' })('POST', '/v1/auth/sign-up', { json });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'accountName' }] } } });
  });

  test.each([
    'St. John & Sons',
    'J. R. R. Tolkien',
    'Müller GmbH & Co. KG',
    'Studio 54',
    '株式会社 例',
    '24/7 Ltd',
  ])('may be %j', async (name) => {
    const json = { email: newAddress(), accountName: 'Cy Ltd', name };
    expect(await door({ SIGNUP: 'open' })('POST', '/v1/auth/sign-up', { json })).toMatchObject({
      status: 202,
    });
  });
});

describe('an invitation of somebody who may not invite any more', () => {
  const inviteBy = async (headers: Record<string, string>, role: string) => {
    const email = newAddress();
    const invited = await door()('POST', '/v1/auth/invitations', { headers, json: { email, role } });
    expect(invited.status).toBe(201);
    return (await nextMail(email, /^Join /)).token;
  };
  const accept = (token: string) =>
    door()('POST', '/v1/auth/invitations/accept', { json: { token, name: 'Eve', password } });
  const open = async (account: TestAccount) =>
    (await ask('GET', '/v1/auth/invitations', { headers: account.owner })).body.data;

  test('goes with them when they are removed, and makes nobody an admin', async () => {
    const account = await openAccount();
    const admin = await join(account, 'admin');
    const token = await inviteBy(admin.headers, 'admin');
    await ask('DELETE', `/v1/auth/members/${admin.userId}`, { headers: account.owner });
    expect(await open(account)).toEqual([]);
    expect(await accept(token)).toMatchObject({ status: 401 });
  });

  test('goes when their role no longer suffices, and only then', async () => {
    const account = await openAccount();
    const second = await join(account, 'owner');
    const [asOwner, asAdmin] = [
      await inviteBy(second.headers, 'owner'),
      await inviteBy(second.headers, 'admin'),
    ];
    const become = (role: string) =>
      ask('PATCH', `/v1/auth/members/${second.userId}`, { headers: account.owner, json: { role } });
    await become('admin');
    expect(await accept(asOwner)).toMatchObject({ status: 401 });
    expect(await open(account)).toMatchObject([{ role: 'admin' }]);
    await become('agent');
    expect(await open(account)).toEqual([]);
    expect(await accept(asAdmin)).toMatchObject({ status: 401 });
  });
});

describe('without a mail server', () => {
  const noMail = { SMTP_HOST: undefined, MAIL_FROM: undefined };
  const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
  const tokenIn = (link: string) => new URL(link).hash.slice('#token='.length);

  test('an owner hands the link of an invitation on; nobody else sees it', async () => {
    const account = await openAccount();
    const admin = await join(account, 'admin');
    const invite = (headers: Record<string, string>) =>
      door(noMail)('POST', '/v1/auth/invitations', {
        headers,
        json: { email: newAddress(), role: 'agent' },
      });
    const byOwner = await invite(account.owner);
    expect(byOwner).toMatchObject({ status: 201, body: { mail: 'not_configured' } });
    expect(byOwner.body.link).toMatch(/^https:\/\/dashboard\.example\.com\/invitation#token=[\w-]+$/);
    const json = { token: tokenIn(byOwner.body.link), name: 'Bob', password };
    expect(await door()('POST', '/v1/auth/invitations/accept', { json })).toMatchObject({ status: 200 });
    const byAdmin = await invite(admin.headers);
    expect(byAdmin).toMatchObject({ status: 201, body: { mail: 'not_configured' } });
    expect(byAdmin.body.link).toBeUndefined();
  });

  test('the operator hands the links of a reset and of a new account on', async () => {
    const account = await openAccount();
    const forgot = (headers: Record<string, string>, email: string) =>
      door(noMail)('POST', '/v1/auth/password/forgot', { headers, json: { email } });
    expect((await forgot({}, account.email)).body).toEqual({ status: 'sent_if_known' });
    expect((await forgot(operator, newAddress())).body).toEqual({ status: 'sent_if_known' });
    const { link } = (await forgot(operator, account.email)).body;
    const reset = { token: tokenIn(link), newPassword: 'a brand new password' };
    expect(await door()('POST', '/v1/auth/password/reset', { json: reset })).toMatchObject({ status: 204 });
    const email = newAddress();
    const newAccount = (of: string) =>
      door(noMail)('POST', '/v1/auth/sign-up', {
        headers: operator,
        json: { email: of, name: 'Cy', accountName: 'Cy Ltd' },
      });
    // Of somebody who is there already there is no link to hand on.
    expect(await newAccount(account.email)).toMatchObject({ status: 409 });
    const made = await newAccount(email);
    expect(made).toMatchObject({ status: 202, body: { status: 'verification_sent' } });
    const json = { token: tokenIn(made.body.link), password };
    expect(await door()('POST', '/v1/auth/sign-up/verify', { json })).toMatchObject({ status: 201 });
    // Where it is mailed, it is for its owner alone.
    const mailed = await door()('POST', '/v1/auth/sign-up', {
      headers: operator,
      json: { email: newAddress(), name: 'Cy', accountName: 'Cy Ltd' },
    });
    expect(mailed.body).toEqual({ status: 'verification_sent' });
  });

  test('the log has the link on a local gateway, and on no other', async () => {
    const account = await openAccount();
    const linesOf = async (variables: object) => {
      const lines: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
      const json = { email: newAddress(), role: 'agent' };
      await door({ ...noMail, ...variables })('POST', '/v1/auth/invitations', {
        headers: account.owner,
        json,
      });
      vi.restoreAllMocks();
      return lines.join('\n');
    };
    expect(await linesOf({ UNSENT_MAIL: 'log' })).toContain('/invitation#token=');
    expect(await linesOf({})).not.toContain('token');
  });

  test('an invitation says when the mail server has not taken it', async () => {
    const account = await openAccount();
    const json = { email: `refused-${newAddress()}`, role: 'agent' };
    const invited = await door()('POST', '/v1/auth/invitations', { headers: account.owner, json });
    expect(invited).toMatchObject({ status: 201, body: { mail: 'failed' } });
    expect(invited.body.link).toBeUndefined();
  });

  test('an invitation says the same of a mail server that hangs up within its greeting', async () => {
    const account = await openAccount();
    const server = createServer((socket) => socket.end('220-mail.example.com'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const invited = await door({ SMTP_PORT: String(port) })('POST', '/v1/auth/invitations', {
      headers: account.owner,
      json: { email: newAddress(), role: 'agent' },
    });
    server.close();
    expect(invited).toMatchObject({ status: 201, body: { mail: 'failed' } });
  });

  test('that speaks TLS, nothing is sent: not a password, not a link', async () => {
    const account = await openAccount();
    const email = newAddress();
    const invited = await door({ SMTP_TLS: 'starttls' })('POST', '/v1/auth/invitations', {
      headers: account.owner,
      json: { email, role: 'agent' },
    });
    expect(invited).toMatchObject({ status: 201, body: { mail: 'failed' } });
    expect(await mailTo(email)).toEqual([]);
  });
});
