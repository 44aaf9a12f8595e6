import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashPassword } from '../../../src/worker/auth/password.ts';
import { openDatabase } from '../../../src/worker/db/database.ts';
import { forgetExpired, replaceHash } from '../../../src/worker/features/people/rows/mailed-tokens.ts';
import { insertPendingSecret } from '../../../src/worker/features/people/rows/two-factors.ts';
import {
  deviceCookieOf,
  doorWith,
  mailTo,
  mailVariables,
  nextMail,
  refreshCookieOf,
} from '../configured-door.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const refused = { status: 401, body: { error: { code: 'UNAUTHENTICATED' } } };

async function login({ email, password }: Pick<TestAccount, 'email' | 'password'>, more: object = {}) {
  const answer = await ask('POST', '/v1/auth/login', { json: { email, password, ...more } });
  return { ...answer, cookie: refreshCookieOf(answer) };
}

const refresh = async (headers: Record<string, string>) => {
  const answer = await ask('POST', '/v1/auth/refresh', { headers });
  return { ...answer, cookie: refreshCookieOf(answer) };
};

test('whoever has failed to sign in on a device of theirs can still confirm by the password there, and the other way round', async () => {
  for (const kind of ['sign-in', 'confirmation'] as const) {
    const account = await openAccount();
    const { header: device, attributes } = deviceCookieOf(await login(account));
    // For a year.
    expect(attributes).toContain('Max-Age=31536000');
    const attempts = {
      'sign-in': (password: string) =>
        ask('POST', '/v1/auth/login', { headers: device, json: { email: account.email, password } }),
      confirmation: (password: string) =>
        ask('POST', '/v1/auth/two-factor/enable', {
          headers: { ...account.owner, ...device },
          json: { password },
        }),
    };
    let guesses = 0;
    let answer = await attempts[kind]('a wrong guess');
    for (; answer.status !== 429 && guesses < 200; guesses += 1)
      answer = await attempts[kind]('a wrong guess');
    // It is the guesses that are too many, not the requests of the person.
    expect(answer).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringMatching(/^Too many failed attempts/) } },
    });
    const other = kind === 'sign-in' ? 'confirmation' : 'sign-in';
    expect((await attempts[other](account.password)).status).toBe(200);
    expect((await attempts[kind](account.password)).status).toBe(429);
  }
});

test("guesses at somebody else's password count as those of a stranger, whoever has signed in on the device", async () => {
  const [own, other] = [await openAccount(), await openAccount()];
  const device = deviceCookieOf(await login(own)).header;
  const guess = async (more: Record<string, string>) => {
    const headers = { 'CF-Connecting-IP': '203.0.113.81', ...more };
    const json = { email: other.email, password: 'a wrong guess' };
    return (await ask('POST', '/v1/auth/login', { headers, json })).status;
  };
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 200) statuses.push(await guess(device));
  expect(statuses.at(-1)).toBe(429);
  expect(await guess({})).toBe(429);
});

test('guesses from everywhere hold up who signs in from a new device, and not who is signed in and confirms', async () => {
  const account = await openAccount();
  const door = doorWith({ SIGN_IN_BURST: '2' });
  const from = (index: number) => ({ 'CF-Connecting-IP': `198.18.7.${index}` });
  const json = { email: account.email, password: 'a wrong guess' };
  const guess = (index: number) => door('POST', '/v1/auth/login', { headers: from(index), json });
  let [guesses, status] = [0, 0];
  for (; status !== 429 && guesses < 200; guesses += 1) ({ status } = await guess(guesses));
  expect(status).toBe(429);
  const confirmed = await door('POST', '/v1/auth/step-up', {
    headers: { ...account.owner, ...from(250) },
    json: { password: account.password },
  });
  expect(confirmed.status).toBe(200);
});

test('whoever knocks on after too many guesses from one place keeps the owner out nowhere else', async () => {
  const account = await openAccount();
  const from = (address: string, password: string) => {
    const headers = { 'CF-Connecting-IP': address };
    return ask('POST', '/v1/auth/login', { headers, json: { email: account.email, password } });
  };
  for (let knocks = 0; knocks < 150; knocks += 1) await from('203.0.113.83', 'a wrong guess');
  expect((await from('203.0.113.83', account.password)).status).toBe(429);
  expect((await from('203.0.113.84', account.password)).status).toBe(200);
});

describe('the refresh cookie', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is out of reach of scripts, other sites, other hosts of the domain and plain http', async () => {
    const { cookie } = await login(await openAccount());
    expect(cookie.header.Cookie).toMatch(/^__Host-heliograph_refresh=/);
    expect(new Set(cookie.attributes)).toEqual(
      new Set(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']),
    );
  });

  test('is Secure on every host but this machine, where a browser would not take it by http', async () => {
    const { email, password } = await openAccount();
    const cookieAt = async (origin: string) => {
      const answer = await doorWith({}, origin)('POST', '/v1/auth/login', { json: { email, password } });
      return refreshCookieOf(answer);
    };
    const local = await cookieAt('http://127.0.0.1:8787');
    expect(local.attributes).not.toContain('Secure');
    expect(local.header.Cookie).toMatch(/^heliograph_refresh=/);
    expect((await cookieAt('http://localhost:8787')).attributes).toContain('HttpOnly');
    for (const origin of ['https://127.0.0.1:8787', 'http://gateway.example.com']) {
      expect((await cookieAt(origin)).attributes).toContain('Secure');
    }
    const door = doorWith({}, 'http://127.0.0.1:8787');
    expect(await door('POST', '/v1/auth/refresh', { headers: local.header })).toMatchObject({ status: 200 });
  });

  test('is as PUBLIC_URL says, whatever stands in front speaks to us, and its pages are our own', async () => {
    const { email, password } = await openAccount();
    const behindTls = { PUBLIC_URL: 'https://gateway.example.com/', PUBLIC_HOSTS: 'also.example.com:444' };
    for (const origin of ['http://127.0.0.1:8787', 'http://gateway.example.com']) {
      const door = doorWith(behindTls, origin);
      let { header, attributes } = refreshCookieOf(
        await door('POST', '/v1/auth/login', { json: { email, password } }),
      );
      expect(attributes).toContain('Secure');
      expect(header.Cookie).toMatch(/^__Host-heliograph_refresh=/);
      for (const Origin of ['https://gateway.example.com', 'https://also.example.com:444']) {
        const again = await door('POST', '/v1/auth/refresh', { headers: { ...header, Origin } });
        expect(again.status, Origin).toBe(200);
        ({ header, attributes } = refreshCookieOf(again));
      }
      for (const Origin of [
        'http://gateway.example.com',
        'https://evil.example',
        'https://also.example.com',
      ]) {
        const foreign = await door('POST', '/v1/auth/refresh', { headers: { ...header, Origin } });
        expect(foreign.status, Origin).toBe(403);
      }
      const Origin = 'https://gateway.example.com';
      expect(await door('POST', '/v1/auth/logout', { headers: { ...header, Origin } })).toMatchObject({
        status: 204,
      });
    }
    const plain = doorWith({ PUBLIC_URL: 'http://192.168.1.10:8787' }, 'http://192.168.1.10:8787');
    const { header, attributes } = refreshCookieOf(
      await plain('POST', '/v1/auth/login', { json: { email, password } }),
    );
    expect(attributes).not.toContain('Secure');
    const Origin = 'http://192.168.1.10:8787';
    expect(await plain('POST', '/v1/auth/refresh', { headers: { ...header, Origin } })).toMatchObject({
      status: 200,
    });
  });

  test('brings a new token and a new cookie each time', async () => {
    const first = await login(await openAccount());
    const second = await refresh(first.cookie.header);
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      token: expect.any(String),
      expiresAt: expect.any(String),
      user: first.body.user,
      account: first.body.account,
    });
    expect(second.cookie.header).not.toEqual(first.cookie.header);
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(second.body.token) })).toMatchObject({
      status: 200,
    });
    expect((await refresh(second.cookie.header)).status).toBe(200);
  });

  test('that was used longer ago ends the session, for whoever holds the newer one too', async () => {
    const account = await openAccount();
    const first = await login(account);
    const second = await refresh(first.cookie.header);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 });
    expect(await refresh(first.cookie.header)).toMatchObject(refused);
    expect(await refresh(second.cookie.header)).toMatchObject(refused);
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(second.body.token) })).toMatchObject(refused);
    const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
    expect(audit.body.data[0]).toMatchObject({ action: 'session.ended_by_reuse', actorName: account.email });
  });

  test('from before the last refresh ends the session at once', async () => {
    const first = await login(await openAccount());
    const second = await refresh(first.cookie.header);
    const third = await refresh(second.cookie.header);
    expect(await refresh(first.cookie.header)).toMatchObject(refused);
    expect(await refresh(third.cookie.header)).toMatchObject(refused);
  });

  test('presented by two quick reloads signs both in, and leaves one cookie that goes on', async () => {
    const { cookie } = await login(await openAccount());
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(cookie.header)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { body } of answers) {
      expect(await ask('GET', '/v1/auth/me', { headers: bearer(body.token) })).toMatchObject({ status: 200 });
    }
    const next = await refresh(answers[0]?.cookie.header ?? {});
    expect(next.status).toBe(200);
    // Not one refresh for each of the five.
    expect(await refresh(answers[4]?.cookie.header ?? {})).toMatchObject({ status: 200 });
  });

  test('that is missing, made up, or a dashboard token, gives nothing', async () => {
    const { body } = await login(await openAccount());
    const cookies: Record<string, string>[] = [
      {},
      { Cookie: '__Host-heliograph_refresh=nonsense' },
      { Cookie: `__Host-heliograph_refresh=${body.token}` },
    ];
    for (const headers of cookies) expect(await refresh(headers)).toMatchObject(refused);
  });

  test('is no dashboard token', async () => {
    const { cookie } = await login(await openAccount());
    const value = cookie.header.Cookie.slice('__Host-heliograph_refresh='.length);
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(value) })).toMatchObject(refused);
  });

  test('is of no use to a page of another origin', async () => {
    const { cookie } = await login(await openAccount());
    const from = (Origin: string) => ({ ...cookie.header, Origin });
    for (const path of ['/v1/auth/refresh', '/v1/auth/logout']) {
      expect(await ask('POST', path, { headers: from('https://evil.example.com') })).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN' } },
      });
    }
    expect(await refresh(from('https://gateway.test'))).toMatchObject({ status: 200 });
  });

  test('is of use to pages of the origins that CORS_ORIGINS names, and of no others', async () => {
    const { cookie } = await login(await openAccount());
    const door = doorWith({ CORS_ORIGINS: 'https://app.example.com' });
    const refreshFrom = async (Origin: string) =>
      (await door('POST', '/v1/auth/refresh', { headers: { ...cookie.header, Origin } })).status;
    expect(await refreshFrom('https://evil.example.com')).toBe(403);
    expect(await refreshFrom('https://app.example.com.evil.example')).toBe(403);
    expect(await refreshFrom('https://app.example.com')).toBe(200);
  });

  test('is over after 30 days, however often it was used', async () => {
    const { cookie, body } = await login(await openAccount());
    const kept = async () => {
      await forgetExpired(openDatabase(env.DB), Date.now());
      const rows = await env.DB.prepare('select id from sessions where user_id = ?').bind(body.user.id).all();
      return rows.results.length > 0;
    };
    const startedAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startedAt + 29 * 24 * 3600_000 });
    try {
      const late = await refresh(cookie.header);
      expect(late.status).toBe(200);
      expect(await kept()).toBe(true);
      expect(late.cookie.attributes).toContain(
        late.cookie.attributes.find((it) => /^Max-Age=(8[56]\d{3})$/.test(it)),
      );
      vi.setSystemTime(startedAt + 30 * 24 * 3600_000 + 60_000);
      expect(await refresh(late.cookie.header)).toMatchObject(refused);
      expect(await kept()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a session', () => {
  test('ends with the log-out: its token, its cookie; and a second log-out is no error', async () => {
    const account = await openAccount();
    const first = await login(account);
    const { body, cookie } = await refresh(first.cookie.header);
    const logout = () => ask('POST', '/v1/auth/logout', { headers: cookie.header });
    const answer = await logout();
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-heliograph_refresh=; Max-Age=0/);
    // Nor is the one before it good for a moment more.
    for (const { header } of [first.cookie, cookie]) expect(await refresh(header)).toMatchObject(refused);
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(body.token) })).toMatchObject(refused);
    expect(await logout()).toMatchObject({ status: 204 });
    expect(await ask('POST', '/v1/auth/logout')).toMatchObject({ status: 204 });
    expect(await ask('GET', '/v1/auth/me', { headers: account.owner })).toMatchObject({ status: 200 });
  });

  test('stands in the list with where it is, and is ended from another one', async () => {
    const account = await openAccount();
    const phone = await ask('POST', '/v1/auth/login', {
      json: { email: account.email, password: account.password },
      headers: { 'User-Agent': 'Phone', 'CF-Connecting-IP': '203.0.113.7' },
    });
    const list = () => ask('GET', '/v1/auth/sessions', { headers: account.owner });
    const [other, own] = (await list()).body.data;
    expect(other).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      address: '203.0.113.7',
      userAgent: 'Phone',
      current: false,
    });
    expect(own).toMatchObject({ current: true });
    const end = () => ask('DELETE', `/v1/auth/sessions/${other.id}`, { headers: account.owner });
    expect(await end()).toMatchObject({ status: 204 });
    expect(await end()).toMatchObject({ status: 404 });
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(phone.body.token) })).toMatchObject(refused);
    expect(await refresh(refreshCookieOf(phone).header)).toMatchObject(refused);
    expect((await list()).body.data).toHaveLength(1);
  });

  test('shows when it was refreshed last, and is over at its end for every token that it has given out', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { body, cookie } = await login(await openAccount());
    const begunAt = new Date().toISOString();
    vi.setSystemTime(Date.now() + 60_000);
    await refresh(cookie.header);
    const [session] = (await ask('GET', '/v1/auth/sessions', { headers: bearer(body.token) })).body.data;
    expect(session).toMatchObject({ createdAt: begunAt, lastUsedAt: new Date().toISOString() });
    const end = env.DB.prepare('update sessions set expires_at = ? where id = ?');
    await end.bind(Date.now(), session.id).run();
    expect(await ask('GET', '/v1/auth/me', { headers: bearer(body.token) })).toMatchObject(refused);
  });

  test('of somebody else can neither be seen nor ended', async () => {
    const [mine, theirs] = [await openAccount(), await openAccount()];
    const [session] = (await ask('GET', '/v1/auth/sessions', { headers: theirs.owner })).body.data;
    expect(await ask('DELETE', `/v1/auth/sessions/${session.id}`, { headers: mine.owner })).toMatchObject({
      status: 404,
    });
    expect(await ask('GET', '/v1/auth/me', { headers: theirs.owner })).toMatchObject({ status: 200 });
  });
});

describe('a changed password', () => {
  test('is the only one from then on, and ends every other session', async () => {
    const account = await openAccount();
    const other = await login(account);
    const change = (currentPassword: string) =>
      ask('POST', '/v1/auth/password/change', {
        headers: account.owner,
        json: { currentPassword, newPassword: 'another long password' },
      });
    expect(await change('a wrong guess')).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: [{ path: 'currentPassword' }] } },
    });
    expect(await change(account.password)).toMatchObject({ status: 204 });
    expect(await login(account)).toMatchObject(refused);
    expect((await login({ ...account, password: 'another long password' })).status).toBe(200);
    expect(await refresh(other.cookie.header)).toMatchObject(refused);
    expect(await ask('GET', '/v1/auth/me', { headers: account.owner })).toMatchObject({ status: 200 });
  });
});

describe('a password', () => {
  test('that everybody tries first is refused wherever one is chosen', async () => {
    const account = await openAccount();
    const change = await ask('POST', '/v1/auth/password/change', {
      headers: account.owner,
      json: { currentPassword: account.password, newPassword: 'QwertyUiop' },
    });
    const signUp = await ask('POST', '/v1/auth/sign-up', {
      headers: bearer(env.BOOTSTRAP_TOKEN),
      json: {
        email: `${crypto.randomUUID()}@example.com`,
        password: '12345678',
        name: 'a',
        accountName: 'a',
      },
    });
    for (const [answer, path] of [
      [change, 'newPassword'],
      [signUp, 'password'],
    ] as const) {
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path }] } } });
    }
    expect((await login(account)).status).toBe(200);
  });

  test('is hashed anew at the cost of today when its owner signs in', async () => {
    const account = await openAccount();
    const hashOf = () =>
      env.DB.prepare('select password_hash from users where email = ?')
        .bind(account.email)
        .first<string>('password_hash');
    const cheap = await hashPassword(account.password, { N: 512, r: 8, p: 1 });
    await env.DB.prepare('update users set password_hash = ? where email = ?')
      .bind(cheap, account.email)
      .run();
    expect((await login({ ...account, password: 'a wrong guess' })).status).toBe(401);
    expect(await hashOf()).toBe(cheap);
    expect((await login(account)).status).toBe(200);
    await eventually(async () => (await hashOf()) !== cheap);
    expect(await hashOf()).toMatch(/^scrypt\$1024\$/);
    // Unless they have chosen another one meanwhile.
    const { id } = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user;
    await replaceHash(openDatabase(env.DB), id, cheap, cheap);
    expect(await hashOf()).not.toBe(cheap);
    expect((await login(account)).status).toBe(200);
  });
});

describe('a second factor', () => {
  // In the middle of a time step, so that no code ends while it is on its way.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 + 15_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The code that the person's app shows so many steps from now. */
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

  async function withTwoFactor() {
    const account = await openAccount();
    const call = (step: string, json: object) =>
      ask('POST', `/v1/auth/two-factor/${step}`, { headers: account.owner, json });
    const enabled = await call('enable', { password: account.password });
    expect(enabled.status).toBe(200);
    const { secret, otpauthUrl } = enabled.body;
    expect(otpauthUrl).toContain(`secret=${secret}`);
    expect((await login(account)).status).toBe(200);
    // As an app shows it.
    const code = codeOf(secret, -1).replace(/^\d{3}/, '$& ');
    const verified = await call('verify', { code });
    expect(verified.status).toBe(200);
    return { account, secret, call, recoveryCodes: verified.body.recoveryCodes as string[] };
  }

  const state = (account: TestAccount) => ask('GET', '/v1/auth/two-factor', { headers: account.owner });

  test('is asked for once it is verified; each code is good once, and a recovery code stands in for the app', async () => {
    const { account, secret, recoveryCodes } = await withTwoFactor();
    expect((await state(account)).body).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    const needed = {
      ...refused,
      body: {
        error: { code: 'UNAUTHENTICATED', details: [{ path: 'code', code: 'SECOND_FACTOR_WRONG' }] },
      },
    };
    expect(await login(account)).toMatchObject({
      status: 401,
      body: {
        error: { code: 'UNAUTHENTICATED', details: [{ path: 'code', code: 'SECOND_FACTOR_REQUIRED' }] },
      },
    });
    expect(await login(account, { code: '000000' })).toMatchObject(needed);
    const code = codeOf(secret);
    // In groups, as apps show it.
    expect((await login(account, { code: code.replace(/^.../, '$& ') })).status).toBe(200);
    expect(await login(account, { code })).toMatchObject(needed);
    const [recovery = ''] = recoveryCodes;
    expect((await login(account, { code: recovery.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
    expect(await login(account, { code: recovery })).toMatchObject(needed);
    expect((await state(account)).body).toEqual({ enabled: true, recoveryCodesLeft: 9 });
  });

  test('that is on is not overwritten by one that was asked for before, nor verified once more for other recovery codes', async () => {
    const { account, secret, call, recoveryCodes } = await withTwoFactor();
    expect(await call('verify', { code: codeOf(secret, 1) })).toMatchObject({ status: 409 });
    expect((await login(account, { code: recoveryCodes[0] })).status).toBe(200);
    const { id } = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user;
    await insertPendingSecret(openDatabase(env.DB), id, 'the secret of another app');
    expect((await login(account, { code: codeOf(secret) })).status).toBe(200);
  });

  test('says nothing before the password is right', async () => {
    const { account } = await withTwoFactor();
    const wrong = await login({ ...account, password: 'a wrong guess' });
    const nobody = await login({ email: `${crypto.randomUUID()}@example.com`, password: 'a wrong guess' });
    expect(wrong.body.error.message).toBe(nobody.body.error.message);
    expect(wrong.body.error.details).toBeUndefined();
  });

  test('can be taken off with the password and a code, and gets new recovery codes with the password', async () => {
    const { account, secret, call, recoveryCodes } = await withTwoFactor();
    expect(await call('enable', { password: account.password })).toMatchObject({ status: 409 });
    expect(await call('recovery-codes', { password: 'a wrong guess' })).toMatchObject({ status: 403 });
    const renewed = await call('recovery-codes', { password: account.password });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await login(account, { code: recoveryCodes[1] })).status).toBe(401);
    const disable = (password: string, code: string) => call('disable', { password, code });
    expect(await call('disable', { password: account.password })).toMatchObject({ status: 400 });
    expect(await disable('a wrong guess', codeOf(secret))).toMatchObject({ status: 403 });
    expect(await disable(account.password, '000000')).toMatchObject({
      status: 403,
      body: { error: { details: [{ path: 'code', code: 'SECOND_FACTOR_WRONG' }] } },
    });
    expect(await disable(account.password, codeOf(secret))).toMatchObject({ status: 204 });
    expect((await login(account)).status).toBe(200);
    expect((await state(account)).body).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await disable(account.password, '123456')).toMatchObject({ status: 409 });
    expect(await call('verify', { code: '123456' })).toMatchObject({ status: 409 });
  });

  test('locks out whoever guesses codes, for longer and longer, and its owner is told', async () => {
    const { account, secret, recoveryCodes } = await withTwoFactor();
    const [email, started] = [account.email, Date.now()];
    const door = doorWith(mailVariables());
    const guess = (code: string, headers: Record<string, string> = {}) =>
      door('POST', '/v1/auth/login', { headers, json: { email, password: account.password, code } });
    const known = await login(account, { code: recoveryCodes[0] });
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await guess('000000')).status).toBe(401);
    const locked = await guess(codeOf(secret));
    expect(locked).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(locked.headers.get('Retry-After')).toBe('60');
    const mail = await nextMail(email, /Wrong codes at your Heliograph sign-in/);
    expect(mail.text).toContain('change your password');
    // Who has a recovery code, or has signed in on this device before, is not in the attacker's queue.
    expect((await guess(recoveryCodes[1] ?? '')).status).toBe(200);
    expect((await guess(codeOf(secret), deviceCookieOf(known).header)).status).toBe(200);
    vi.setSystemTime(started + 60_000);
    expect((await guess('000000')).status).toBe(401);
    expect((await guess('000000')).headers.get('Retry-After')).toBe('120');
    vi.setSystemTime(started + 180_000);
    expect((await guess(codeOf(secret))).status).toBe(200);
    expect((await guess('000000')).status).toBe(401);
    expect(await mailTo(email)).toHaveLength(1);
  });

  test('takes only so many guesses at a recovery code of whoever knows the password', async () => {
    const { account } = await withTwoFactor();
    const { email, password } = account;
    const headers = { 'CF-Connecting-IP': '203.0.113.82' };
    const guess = (code?: string) =>
      ask('POST', '/v1/auth/login', { headers, json: { email, password, code } });
    let [guesses, status] = [0, 0];
    // Whoever is only asked for the code has guessed nothing.
    for (let asked = 0; asked < 25; asked += 1) expect((await guess()).status).toBe(401);
    for (; status !== 429 && guesses < 200; guesses += 1) {
      ({ status } = await guess('aaaa-bbbb-cccc-dddd'));
    }
    expect(status).toBe(429);
    expect(guesses).toBeGreaterThan(3);
  });

  test('is stored sealed, and its recovery codes as hashes', async () => {
    const { account, secret, recoveryCodes } = await withTwoFactor();
    const rows = await env.DB.batch([
      env.DB.prepare('select * from two_factors'),
      env.DB.prepare('select * from recovery_codes'),
    ]);
    const stored = JSON.stringify(rows.map(({ results }) => results));
    for (const shown of [secret, ...recoveryCodes]) expect(stored).not.toContain(shown);
    expect(stored).toContain((await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user.id);
  });
});
