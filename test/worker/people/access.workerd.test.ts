import { env, exports } from 'cloudflare:workers';
import { createRemoteJWKSet, customFetch, decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { bridgeProtocolVersion, linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { defaultKeyScopes } from '../../../src/contract/key-scopes.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { hashPassword, quickCost } from '../../../src/worker/auth/password.ts';
import { issueToken } from '../../../src/worker/auth/tokens/dashboard-token.ts';
import { bridgeToken } from '../../../src/worker/features/bridges/bridge-tokens.ts';
import { until } from '../../durable/until.ts';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

const login = (email: string, password: string) =>
  ask('POST', '/v1/auth/login', { json: { email, password } });

test('who signs in gets a token for 15 minutes, and is who they say', async () => {
  const { email, password, accountId } = await openAccount('Example Ltd');
  const answer = await login(email.toUpperCase(), password);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    token: expect.any(String),
    expiresAt: expect.any(String),
    user: { id: expect.any(String), email, name: 'Ada' },
    account: { id: accountId, name: 'Example Ltd', role: 'owner' },
  });
  const me = await ask('GET', '/v1/auth/me', { headers: { Authorization: `Bearer ${answer.body.token}` } });
  expect(me.body).toEqual({ user: answer.body.user, account: answer.body.account });
});

test('anybody can verify a token with the public keys, which hold nothing private', async () => {
  const { email, password, accountId } = await openAccount();
  const { body } = await login(email, password);
  const keys = createRemoteJWKSet(new URL('https://gateway.test/v1/auth/jwks'), {
    [customFetch]: (url, init) => exports.default.fetch(new Request(url, { headers: init.headers })),
  });
  const { payload } = await jwtVerify(body.token, keys, {
    issuer: 'heliograph',
    audience: 'heliograph-dashboard',
  });
  expect(payload).toMatchObject({ sub: body.user.id, accountId, role: 'owner' });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(15 * 60);
  const published = await ask('GET', '/v1/auth/jwks');
  expect(published.text).not.toContain('"d"');
  expect(published.headers.get('Cache-Control')).toBe('public, max-age=3600');
});

test('a token that is over, or that somebody else signed, opens nothing', async () => {
  const { email, password } = await openAccount();
  const { body } = await login(email, password);
  const { sub, accountId, sid } = decodeJwt<{ accountId: string; sid: string }>(body.token);
  const claims = { userId: sub ?? '', accountId, role: 'owner' as const, sessionId: sid };
  const other = await generateKeyPair('EdDSA', { extractable: true });
  const open = async (token: string, scheme = 'Bearer') =>
    ask('GET', '/v1/webhooks', { headers: { Authorization: `${scheme} ${token}` } });
  const tokens = [
    await issueToken(env.JWT_PRIVATE_KEY, claims, Date.now() - 16 * 60_000),
    await issueToken(JSON.stringify(await exportJWK(other.privateKey)), claims, Date.now()),
    await issueToken(env.JWT_PRIVATE_KEY, { ...claims, sessionId: crypto.randomUUID() }, Date.now()),
    await issueToken(env.JWT_PRIVATE_KEY, { ...claims, userId: crypto.randomUUID() }, Date.now()),
  ];
  for (const { token } of tokens) {
    expect(await open(token)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
  }
  const valid = await issueToken(env.JWT_PRIVATE_KEY, claims, Date.now());
  expect(await open(valid.token, 'bearer')).toMatchObject({ status: 200 });
});

test('an agent may see who they are, and administrates nothing', async () => {
  const { accountId } = await openAccount();
  const email = `${crypto.randomUUID()}@example.com`;
  const userId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare('insert into users values (?, ?, ?, ?, 0)').bind(
      userId,
      email,
      'Bob',
      await hashPassword('long enough', quickCost),
    ),
    env.DB.prepare("insert into memberships values (?, ?, 'agent')").bind(userId, accountId),
  ]);
  const { body } = await login(email, 'long enough');
  const agent = { Authorization: `Bearer ${body.token}` };
  expect(await ask('GET', '/v1/auth/me', { headers: agent })).toMatchObject({
    status: 200,
    body: { account: { role: 'agent' } },
  });
  const calls: [string, string, unknown?][] = [
    ['GET', '/v1/auth/api-keys'],
    ['POST', '/v1/auth/api-keys', { name: 'mine' }],
    ['POST', '/v1/numbers', { label: 'mine' }],
    ['GET', '/v1/numbers'],
    ['GET', '/v1/messages'],
    ['GET', '/v1/webhooks'],
    ['GET', '/v1/usage'],
    ['GET', '/v1/settings'],
    ['PATCH', '/v1/settings', { stickyHours: 0 }],
    ['GET', '/v1/opt-outs'],
    ['POST', '/v1/opt-outs', { phoneNumber: '628123456789' }],
    ['DELETE', '/v1/opt-outs/628123456789'],
    ['GET', '/v1/audit-log'],
  ];
  for (const [method, path, json] of calls) {
    const answer = await ask(method, path, { headers: agent, json });
    expect(answer, `${method} ${path}`).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
  }
});

test('a key is shown once, stands in the list without its secret, and ends with the next request after its revocation', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const created = await ask('POST', '/v1/auth/api-keys', {
    headers: account.owner,
    json: { name: 'Till 3', pinnedNumberId: numberId, onPinFailure: 'fallback' },
  });
  expect(created.status).toBe(201);
  const { key, ...shown } = created.body;
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Till 3',
    prefix: expect.any(String),
    mode: 'pinned',
    pinnedNumberId: numberId,
    onPinFailure: 'fallback',
    scopes: [...defaultKeyScopes],
    createdAt: expect.any(String),
    lastUsedAt: null,
  });
  expect(key.startsWith(shown.prefix)).toBe(true);
  const list = () => ask('GET', '/v1/auth/api-keys', { headers: account.owner });
  expect((await list()).body).toEqual({
    data: [shown, expect.objectContaining({ name: 'server', mode: 'pool' })],
    nextCursor: null,
  });
  expect((await list()).text).not.toContain(key);

  const server = { 'X-API-Key': key };
  const before = Date.now();
  expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject({ status: 200 });
  const used = Date.parse((await list()).body.data[0].lastUsedAt);
  expect(used).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);

  const revoke = () => ask('DELETE', `/v1/auth/api-keys/${shown.id}`, { headers: account.owner });
  expect(await revoke()).toMatchObject({ status: 204, text: '' });
  const refused = { status: 401, body: { error: { code: 'INVALID_API_KEY' } } };
  expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject(refused);
  const json = { to: '628123456789', text: 'hello' };
  expect(await ask('POST', '/v1/messages/send', { headers: server, json })).toMatchObject(refused);
  expect(await revoke()).toMatchObject({ status: 404 });
  expect((await list()).body.data).toHaveLength(1);

  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.body.data.slice(0, 2)).toMatchObject([
    {
      action: 'api_key.revoked',
      target: `api_key:${shown.id}`,
      targetName: 'Till 3',
      actor: expect.stringMatching(/^user:/),
    },
    { action: 'api_key.created', target: `api_key:${shown.id}`, targetName: 'Till 3' },
  ]);
});

test('only a bridge opens a bridge link, and it comes through the front door unharmed', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const dial = (path: string, headers: Record<string, string>) =>
    exports.default.fetch(new Request(`https://gateway.test${path}`, { headers }));
  const as = (id: string) => ({ Authorization: `Bearer ${bridgeToken(id, env.KEY_CHECKSUM_SECRET)}` });
  const upgrade = { Upgrade: 'websocket' };
  const [bridgeId, other] = [newUuid(), newUuid()];
  const bridge = as(bridgeId);
  const linkOf = (epoch: number) => `/bridge/numbers/${numberId}?epoch=${epoch}`;
  for (const path of ['/bridge/control', linkOf(1)]) {
    expect((await dial(path, upgrade)).status).toBe(401);
    expect((await dial(path, { ...upgrade, Authorization: 'Bearer nonsense' })).status).toBe(401);
    expect((await dial(path, { ...upgrade, ...account.owner })).status).toBe(401);
    expect((await dial(path, bridge)).status).toBe(404);
  }
  expect((await dial('/bridge/numbers/1?epoch=1', { ...upgrade, ...bridge })).status).toBe(404);

  const control = (await dial('/bridge/control', { ...upgrade, ...bridge })).webSocket;
  const granted: number[] = [];
  control?.accept();
  control?.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data));
    if (frame.type === 'lease.granted' && frame.numberId === numberId) granted.push(frame.epoch);
  });
  const version = bridgeProtocolVersion;
  const hello = { type: 'bridge.hello', version, bridgeId, capacity: 1_000_000, leases: [] };
  control?.send(JSON.stringify(hello));
  await env.BRIDGE_FLEET.getByName('fleet').acquire(numberId, account.accountId);
  await until(() => granted.length > 0);
  const epoch = granted[0] ?? 0;
  // Another bridge, an epoch that the fleet never gave, and none at all.
  expect((await dial(linkOf(epoch), { ...upgrade, ...as(other) })).status).toBe(409);
  // What it says of itself beside its token counts for nothing.
  const lie = `${linkOf(epoch)}&bridge=${bridgeId}`;
  expect((await dial(lie, { ...upgrade, ...as(other) })).status).toBe(409);
  expect((await dial(linkOf(9_007_199_254_740), { ...upgrade, ...bridge })).status).toBe(409);
  expect((await dial(`/bridge/numbers/${numberId}`, { ...upgrade, ...bridge })).status).toBe(400);
  const link = await dial(linkOf(epoch), { ...upgrade, ...bridge });
  expect(link.status).toBe(101);
  const closed: number[] = [];
  link.webSocket?.accept();
  link.webSocket?.addEventListener('close', ({ code }) => void closed.push(code));
  // Nor is a link the other bridge's when it says another name in it.
  link.webSocket?.send(JSON.stringify({ type: 'link.hello', version, bridgeId: newUuid(), epoch }));
  await until(() => closed.length > 0);
  expect(closed).toEqual([linkCloseCodes.protocolError]);
  await env.BRIDGE_FLEET.getByName('fleet').release(numberId);
  control?.close(1000);
});

test('readiness tells the operator which part is missing', async () => {
  expect(await ask('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
  expect(await ask('GET', '/readyz', { headers: operator })).toMatchObject({
    status: 503,
    body: { status: 'not ready', checks: { database: true, queue: true, bridges: false } },
  });
});

test('readiness tells strangers yes or no, and asks the parts only every few seconds', async () => {
  expect(await ask('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'not ready' } });
  let asked = 0;
  const getByName = (name: string) => {
    asked += 1;
    return env.BRIDGE_FLEET.getByName(name);
  };
  const door = doorWith({ BRIDGE_FLEET: { getByName } as unknown as Env['BRIDGE_FLEET'] });
  const answers = await Promise.all(Array.from({ length: 50 }, () => door('GET', '/readyz')));
  expect(asked).toBeLessThanOrEqual(1);
  for (const { status, body } of answers)
    expect({ status, body }).toEqual({ status: 503, body: { status: 'not ready' } });
});

test('a repeat with the same Idempotency-Key gets the first answer and says so; another body is a conflict', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const send = (json: unknown) =>
    ask('POST', '/v1/messages/send', { headers: { ...account.server, 'Idempotency-Key': 'order 17' }, json });
  const first = await send({ to: '+62 812 3456 789', text: 'hello' });
  expect(first.headers.get('Idempotent-Replayed')).toBeNull();
  const second = await send({ text: 'hello', type: 'text', to: '628123456789' });
  expect(second).toMatchObject({ status: 202, body: first.body });
  expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  const other = await send({ to: '628123456789', text: 'hello!' });
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
  expect((await ask('GET', '/v1/usage', { headers: account.owner })).body).toMatchObject({ used: 1 });
});
