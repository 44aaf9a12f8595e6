import { afterEach, expect, test, vi } from 'vitest';
import { Heliograph } from '../../src/sdk/client/heliograph.ts';
import { AuthenticationError } from '../../src/sdk/client/http/errors.ts';
import { type Answer, faultyGateway, json, refusal } from './faulty-gateway.ts';

const person = { email: 'ada@example.com', password: 'correct horse battery' };
const lifetimeMs = 15 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A gateway whose tokens count up; each refresh takes the cookie of the answer before, once. */
async function signInGateway() {
  let generation = 0;
  let accepted = '';
  const cookie = () => `__Host-refresh=${generation}`;
  const renewed: Answer = (response, heard) => {
    generation += 1;
    accepted = `Bearer token-${generation}`;
    json(
      200,
      {
        token: `token-${generation}`,
        expiresAt: new Date(Date.now() + lifetimeMs).toISOString(),
        user: { id: 'u', email: person.email, name: 'Ada' },
        account: { id: 'a', name: 'Engines', role: 'owner' },
      },
      { 'Set-Cookie': `${cookie()}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000` },
    )(response, heard);
  };
  const answer: Answer = (response, heard) => {
    const isCurrent = heard.headers.cookie === cookie();
    if (heard.url === '/v1/auth/login') renewed(response, heard);
    else if (heard.url === '/v1/auth/refresh' && isCurrent) renewed(response, heard);
    else if (heard.url === '/v1/auth/logout' && isCurrent) {
      accepted = '';
      const gone = { 'Set-Cookie': '__Host-refresh=; Path=/; Max-Age=0' };
      response.writeHead(204, gone).end();
    } else if (heard.headers.authorization === accepted) json(200, { used: 7 })(response, heard);
    else refusal(401, 'UNAUTHENTICATED')(response, heard);
  };
  const gateway = await faultyGateway(answer);
  /** The gateway takes neither its token nor its cookie any more. */
  const endSession = () => {
    generation += 1;
    accepted = '';
  };
  const paths = () => gateway.heard.map(({ url }) => url);
  return { ...gateway, paths, endSession, revokeToken: () => (accepted = 'another') };
}

test('a person signs in, and the client makes their calls', async () => {
  const { baseUrl, heard } = await signInGateway();
  const client = await Heliograph.login({ baseUrl, ...person, code: '123456' });
  expect(heard[0]?.body).toEqual({ ...person, code: '123456' });
  expect(client.session.user.name).toBe('Ada');
  expect(client.session.account.role).toBe('owner');
  expect(await client.usage()).toEqual({ used: 7 });
  expect(heard[1]?.headers).toMatchObject({ authorization: 'Bearer token-1' });
  expect(heard[1]?.headers.cookie).toBeUndefined();
});

test('a wrong password is an error with its code', async () => {
  const { baseUrl } = await faultyGateway(
    refusal(401, 'UNAUTHENTICATED', {}, [{ path: 'code', message: 'x' }]),
  );
  const failure = await Heliograph.login({ baseUrl, ...person }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthenticationError);
  expect(failure).toMatchObject({
    code: 'UNAUTHENTICATED',
    requestId: 'req_1',
    details: [{ path: 'code', message: 'x' }],
  });
});

test('a token is renewed before its end, once for all calls of that moment', async () => {
  const { baseUrl, paths } = await signInGateway();
  const client = await Heliograph.login({ baseUrl, ...person });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + lifetimeMs - 30_000 });
  await Promise.all([client.usage(), client.usage(), client.usage()]);
  await client.usage();
  expect(paths().filter((path) => path === '/v1/auth/refresh')).toHaveLength(1);
  expect(paths().filter((path) => path === '/v1/usage')).toHaveLength(4);
});

test('a token that is refused is renewed, and the call is made again', async () => {
  const { baseUrl, paths, revokeToken } = await signInGateway();
  const client = await Heliograph.login({ baseUrl, ...person });
  revokeToken();
  expect(await client.usage()).toEqual({ used: 7 });
  expect(paths()).toEqual(['/v1/auth/login', '/v1/usage', '/v1/auth/refresh', '/v1/usage']);
});

test('a session that is over begins anew, unless that takes a second factor', async () => {
  const { baseUrl, endSession, paths } = await signInGateway();
  const alone = await Heliograph.login({ baseUrl, ...person });
  endSession();
  expect(await alone.usage()).toEqual({ used: 7 });
  expect(paths().slice(-3)).toEqual(['/v1/auth/refresh', '/v1/auth/login', '/v1/usage']);

  const withCode = await Heliograph.login({ baseUrl, ...person, code: '123456' });
  endSession();
  await expect(withCode.usage()).rejects.toBeInstanceOf(AuthenticationError);
});

test('who has signed out stays out', async () => {
  const { baseUrl, paths } = await signInGateway();
  const client = await Heliograph.login({ baseUrl, ...person });
  await client.session.logout();
  await expect(client.usage()).rejects.toBeInstanceOf(AuthenticationError);
  expect(paths().filter((path) => path === '/v1/auth/login')).toHaveLength(1);
});

test('an operation that has no method of its own is asked for by its path', async () => {
  const { baseUrl, heard } = await signInGateway();
  const client = await Heliograph.login({ baseUrl, ...person });
  expect(await client.request({ method: 'GET', path: '/v1/alerts', query: { limit: 5 } })).toEqual({
    used: 7,
  });
  expect(heard.at(-1)?.url).toBe('/v1/alerts?limit=5');
});
