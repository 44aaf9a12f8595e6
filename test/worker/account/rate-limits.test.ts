import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { app } from '../../../src/worker/app.ts';
import { hashSecretToken } from '../../../src/worker/auth/tokens/secret-token.ts';
import { openDatabase } from '../../../src/worker/db/database.ts';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { insertMailedToken } from '../../../src/worker/features/people/rows/mailed-tokens.ts';
import { deviceCookieOf, doorWith, mailTo, mailVariables } from '../configured-door.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

/** Time stands still, so that no bucket fills up again while a test empties it. */
async function withFrozenClock<Result>(run: (now: number) => Promise<Result>): Promise<Result> {
  const now = Date.now() + 60_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return await run(now);
  } finally {
    vi.useRealTimers();
  }
}

const keyBurst = Number(env.KEY_RATE_BURST);
const keyPerSecond = Number(env.KEY_RATE_PER_SECOND);

describe('an API key', () => {
  test('that is over its rate is told when to come back, and may then; sends and reads count alike', async () => {
    const account = await openAccount();
    await addConnectedNumber(account);
    await withFrozenClock(async (now) => {
      const read = () => ask('GET', '/v1/usage', { headers: account.server });
      const send = () =>
        ask('POST', '/v1/messages/send', {
          headers: account.server,
          json: { to: '628123456789', text: 'hello' },
        });
      const first = await read();
      expect(first.status).toBe(200);
      const seconds = keyBurst / keyPerSecond;
      expect(first.headers.get('RateLimit')).toBe(
        `"key";r=${keyBurst - 1};t=1, "account";r=${4 * keyBurst - 1};t=1`,
      );
      expect(first.headers.get('RateLimit-Policy')).toBe(
        `"key";q=${keyBurst};w=${seconds}, "account";q=${4 * keyBurst};w=${seconds}`,
      );
      await Promise.all(Array.from({ length: keyBurst - 2 }, read));
      const last = await send();
      expect(last.status).toBe(202);
      expect(last.headers.get('RateLimit')).toMatch(/^"key";r=0;t=1, /);
      for (const refused of [await send(), await read()]) {
        expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
        expect(refused.headers.get('Retry-After')).toBe('1');
        expect(refused.headers.get('RateLimit')).toBe('"key";r=0;t=1');
        expect(refused.headers.get('RateLimit-Policy')).toBe(`"key";q=${keyBurst};w=${seconds}`);
      }
      vi.setSystemTime(now + 1000);
      expect(await send()).toMatchObject({ status: 202 });
    });
  });

  test('does not use up the rate of another; all of an account together have one too', async () => {
    const account = await openAccount();
    const keys = [account.server];
    for (const name of ['2', '3', '4', '5']) {
      const { body } = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json: { name } });
      keys.push({ 'X-API-Key': body.key });
    }
    await withFrozenClock(async (now) => {
      const read = (headers: TestAccount['server']) => ask('GET', '/v1/usage', { headers });
      for (const key of keys.slice(0, 4)) {
        const answers = await Promise.all(Array.from({ length: keyBurst }, () => read(key)));
        expect(answers.every(({ status }) => status === 200)).toBe(true);
      }
      const fifth = keys[4] as TestAccount['server'];
      const refused = await read(fifth);
      expect(refused).toMatchObject({ status: 429 });
      expect(refused.headers.get('RateLimit')).toContain('"account";r=0;t=1');
      vi.setSystemTime(now + 1000);
      expect(await read(fifth)).toMatchObject({ status: 200 });
    });
  });

  test('that does not exist is refused before any limit', async () => {
    const { accountId } = await openAccount();
    const headers = { 'X-API-Key': newApiKey(accountId, env.KEY_CHECKSUM_SECRET).key };
    const answers = await Promise.all(
      Array.from({ length: keyBurst + 1 }, () => ask('GET', '/v1/usage', { headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('signing in', () => {
  const burst = 20;
  const wrong = 'a wrong guess';
  const login = (email: string, password: string, address: string) =>
    ask('POST', '/v1/auth/login', {
      headers: { 'CF-Connecting-IP': address },
      json: { email, password },
    });
  const newAddress = () => `${crypto.randomUUID()}@example.com`;
  /** The guard alone, many times over: each of its attempts that is no sign-in is a failure. */
  async function failTwentyTimes(name: string) {
    const taken = [];
    for (let attempt = 0; attempt < burst; attempt += 1) {
      taken.push(await env.SIGN_IN_GUARD.getByName(name).take());
    }
    return taken;
  }

  test('is refused to an address that has failed too often, whoever it names, and let in again later', async () => {
    const account = await openAccount();
    const address = '198.51.100.7';
    await withFrozenClock(async (now) => {
      const first = await login(newAddress(), wrong, address);
      expect(first.status).toBe(401);
      expect(first.headers.get('RateLimit')).toMatch(/^"address";r=19;t=6, "email";r=99;t=6$/);
      expect(first.headers.get('RateLimit-Policy')).toMatch(/^"address";q=20;w=120, /);
      expect((await failTwentyTimes(`address:${address}`)).filter(({ ok }) => ok)).toHaveLength(burst - 1);
      const refused = await login(account.email, account.password, address);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
      expect(refused.headers.get('Retry-After')).toBe('6');
      expect(await login(account.email, account.password, '198.51.100.8')).toMatchObject({ status: 200 });
      vi.setSystemTime(now + 6000);
      expect(await login(account.email, account.password, address)).toMatchObject({ status: 200 });
    });
  });

  test('with one e-mail address fails only so often, from however many addresses, known or not', async () => {
    const account = await openAccount();
    await withFrozenClock(async () => {
      for (const email of [account.email, newAddress()]) {
        const name = `email:sign_in:${hashSecretToken(email)}`;
        const rate = { burst: 5 * burst, perSecond: 10 / 60 };
        for (let attempt = 1; attempt < 5 * burst; attempt += 1) {
          await env.SIGN_IN_GUARD.getByName(name).take(rate);
        }
        expect((await login(email, wrong, '192.0.2.1')).status).toBe(401);
        expect((await login(email, wrong, '192.0.2.2')).status).toBe(429);
      }
    });
  });

  test('with the right password works elsewhere while somebody guesses, and on a known device in any case', async () => {
    const account = await openAccount();
    const { email, password } = account;
    await withFrozenClock(async () => {
      const known = await login(email, password, '198.51.100.30');
      for (let attempt = 0; attempt <= burst; attempt += 1) await login(email, wrong, '198.51.100.31');
      expect((await login(email, password, '198.51.100.31')).status).toBe(429);
      expect((await login(email, password, '198.51.100.32')).status).toBe(200);
      const onKnown = (secret: string) =>
        ask('POST', '/v1/auth/login', {
          headers: { 'CF-Connecting-IP': '198.51.100.31', ...deviceCookieOf(known).header },
          json: { email, password: secret },
        });
      expect((await onKnown(password)).status).toBe(200);
      // The cookie is of no use for another e-mail address, also while it has attempts left.
      const other = await ask('POST', '/v1/auth/login', {
        headers: { 'CF-Connecting-IP': '198.51.100.31', ...deviceCookieOf(known).header },
        json: { email: newAddress(), password: wrong },
      });
      expect(other.status).toBe(429);
      // Guesses with it are counted too.
      for (let attempt = 0; attempt < burst; attempt += 1) expect((await onKnown(wrong)).status).toBe(401);
      expect((await onKnown(wrong)).status).toBe(429);
    });
  });

  test('with success uses nothing up, and to confirm by the password neither', async () => {
    const account = await openAccount();
    await withFrozenClock(async () => {
      for (let attempt = 0; attempt <= burst; attempt += 1) {
        expect(await login(account.email, account.password, '198.51.100.9')).toMatchObject({ status: 200 });
        const confirmed = await ask('POST', '/v1/auth/step-up', {
          headers: { ...account.owner, 'CF-Connecting-IP': '198.51.100.10' },
          json: { password: account.password },
        });
        expect(confirmed).toMatchObject({ status: 200 });
      }
    });
  });

  test('with a link that is good uses nothing up', async () => {
    const account = await openAccount();
    const { id: userId } = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user;
    const [resetToken, signUpToken] = ['a link to reset', 'a link to sign up'];
    const expiresAt = Date.now() + 3_600_000;
    const db = openDatabase(env.DB);
    await insertMailedToken(db, {
      ...{ purpose: 'password_reset', email: account.email, userId, expiresAt },
      tokenHash: hashSecretToken(resetToken),
    });
    await insertMailedToken(db, {
      ...{ purpose: 'sign_up', email: newAddress(), signUp: { name: 'Cy', accountName: 'Cy' }, expiresAt },
      tokenHash: hashSecretToken(signUpToken),
    });
    const invited = await ask('POST', '/v1/auth/invitations', {
      headers: account.owner,
      json: { email: newAddress(), role: 'agent' },
    });
    const [, invitation] = invited.body.link.split('token=');
    const password = 'a long enough password';
    const door = doorWith({ SIGNUP: 'invite' });
    for (const [path, token, more, address] of [
      ['password/reset', resetToken, { newPassword: password }, '198.51.100.61'],
      ['sign-up/verify', signUpToken, { password }, '198.51.100.62'],
      ['invitations/accept', invitation, { name: 'Bob', password }, '198.51.100.63'],
    ] as const) {
      const headers = { 'CF-Connecting-IP': address };
      const follow = (json: object) => door('POST', `/v1/auth/${path}`, { headers, json });
      expect((await follow({ token, ...more })).status, path).toBeLessThan(300);
      const next = await follow({ token: 'made-up', ...more });
      expect(next.headers.get('RateLimit'), path).toContain(`;r=${burst - 1};`);
    }
  });

  test('counts the whole /64 of an IPv6 address as one', async () => {
    await withFrozenClock(async () => {
      await failTwentyTimes('address:2001:db8:1:2::/64');
      expect(await login(newAddress(), wrong, '2001:db8:1:2:ffff::1')).toMatchObject({ status: 429 });
      expect(await login(newAddress(), wrong, '2001:db8:1:3::1')).toMatchObject({ status: 401 });
    });
  });

  test.each([
    ['/v1/auth/password/reset', { token: 'made-up', newPassword: 'a long enough password' }],
    ['/v1/auth/invitations/accept', { token: 'made-up' }],
    ['/v1/auth/sign-up/verify', { token: 'made-up', password: 'a long enough password' }],
  ])('shares its limit with %s', async (path, json) => {
    const address = `198.51.100.${100 + path.length}`;
    await withFrozenClock(async () => {
      await failTwentyTimes(`address:${address}`);
      const answer = await ask('POST', path, { headers: { 'CF-Connecting-IP': address }, json });
      expect(answer).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    });
  });

  test('never reaches the hash of a password when it is refused', async () => {
    const address = '198.51.100.99';
    await withFrozenClock(async () => {
      await failTwentyTimes(`address:${address}`);
      const noDatabase = { ...env, DB: undefined } as unknown as Env;
      const request = new Request('https://gateway.test/v1/auth/login', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
        body: JSON.stringify({ email: newAddress(), password: wrong }),
      });
      expect((await app.fetch(request, noDatabase)).status).toBe(429);
    });
  });
});

test('failures are forgotten when they would change nothing any more, and not before', () =>
  withFrozenClock(async (now) => {
    const guard = env.SIGN_IN_GUARD.getByName(`address:${crypto.randomUUID()}`);
    const forgottenAt = () => runInDurableObject(guard, (_, { storage }) => storage.getAlarm());
    // One in ten seconds is given back.
    const rate = { burst: 5, perSecond: 0.1 };
    await guard.take(rate);
    expect(await forgottenAt()).toBe(now + 11_000);
    await guard.take(rate);
    expect(await forgottenAt()).toBe(now + 21_000);
    await guard.giveBack(rate);
    expect(await forgottenAt()).toBe(now + 11_000);
    await runDurableObjectAlarm(guard);
    const left = await runInDurableObject(guard, (_, { storage }) => storage.kv.get('bucket'));
    expect(left).toBeUndefined();
  }));

test('of wrong codes the first that locks says so, and no later one', () =>
  withFrozenClock(async (now) => {
    const guard = env.SIGN_IN_GUARD.getByName(`codes:${crypto.randomUUID()}`);
    const tries: string[] = [];
    for (let wrong = 0; wrong < 8; wrong += 1) {
      if (wrong === 7) vi.setSystemTime(now + 60_000);
      const { ok, isFirstLock } = await guard.takeCode();
      tries.push(isFirstLock ? 'locks first' : ok ? 'tried' : 'locked');
    }
    expect(tries).toEqual([
      ...['tried', 'tried', 'tried', 'tried', 'locks first', 'locked', 'locked'],
      'tried',
    ]);
  }));

describe('e-mails that somebody else causes', () => {
  const forgot = (email: string, address: string) =>
    doorWith({ ...mailVariables(), SIGNUP: 'open' })('POST', '/v1/auth/password/forgot', {
      headers: { 'CF-Connecting-IP': address },
      json: { email },
    });

  test('are five at most for one person, whose sign-in they do not touch, and the last link stays good', async () => {
    const { email, password } = await openAccount();
    await withFrozenClock(async () => {
      for (let asked = 0; asked < 20; asked += 1) {
        expect(await forgot(email, `203.0.113.${asked}`)).toMatchObject({ status: 202 });
      }
      const signedIn = await ask('POST', '/v1/auth/login', {
        headers: { 'CF-Connecting-IP': '198.51.100.40' },
        json: { email, password },
      });
      expect(signedIn.status).toBe(200);
      await eventually(async () => (await mailTo(email)).length >= 5);
    });
    const mails = await mailTo(email);
    expect(mails).toHaveLength(5);
    const answers = [];
    for (const { text } of mails) {
      const token = /#token=([\w-]+)/.exec(text)?.[1];
      const json = { token, newPassword: 'a brand new password' };
      answers.push((await ask('POST', '/v1/auth/password/reset', { json })).status);
    }
    expect(answers.filter((status) => status === 204)).toHaveLength(1);
  });

  test('are refused to one network address that asks for many people', async () => {
    await withFrozenClock(async () => {
      const statuses = [];
      for (let asked = 0; asked <= 20; asked += 1) {
        statuses.push((await forgot(`${crypto.randomUUID()}@example.com`, '203.0.113.200')).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 202), 429]);
    });
  });

  test('are refused to an account that invites one person again and again', async () => {
    const account = await openAccount();
    await withFrozenClock(async () => {
      const invite = () =>
        doorWith(mailVariables())('POST', '/v1/auth/invitations', {
          headers: account.owner,
          json: { email: `nobody-${account.accountId}@example.com`, role: 'agent' },
        });
      for (let sent = 0; sent < 5; sent += 1) expect((await invite()).status).toBe(201);
      const refused = await invite();
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60);
    });
  });
});
