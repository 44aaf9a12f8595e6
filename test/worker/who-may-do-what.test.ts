import { env } from 'cloudflare:workers';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { app } from '../../src/worker/app.ts';
import { hashPassword } from '../../src/worker/auth/password.ts';
import { issueToken } from '../../src/worker/auth/tokens/dashboard-token.ts';
import { type Ask, addConnectedNumber, ask, openAccount, writeToNumber } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const account = await openAccount();
const other = await openAccount();
const { password, accountId, owner } = account;
const numberId = await addConnectedNumber(account);

/** Somebody new in the account, with this role. */
async function addMember(role: 'admin' | 'agent') {
  const [userId, email] = [crypto.randomUUID(), `${crypto.randomUUID()}@example.com`];
  await env.DB.batch([
    env.DB.prepare(
      'insert into users (id, email, name, password_hash, created_at) values (?, ?, ?, ?, 0)',
    ).bind(userId, email, 'Bob', await hashPassword(password)),
    env.DB.prepare('insert into memberships values (?, ?, ?)').bind(userId, accountId, role),
  ]);
  return { userId, email };
}

async function tokenOf(email: string): Promise<string> {
  return (await ask('POST', '/v1/auth/login', { json: { email, password } })).body.token;
}

async function newKey(): Promise<{ id: string; key: string }> {
  return (await ask('POST', '/v1/auth/api-keys', { headers: owner, json: { name: 'made for a row' } })).body;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const ownClaims = decodeJwt<{ sid: string }>(owner.Authorization.slice('Bearer '.length));
const claims = { userId: ownClaims.sub ?? '', accountId, role: 'owner' as const, sessionId: ownClaims.sid };
const foreignKey = await exportJWK((await generateKeyPair('EdDSA', { extractable: true })).privateKey);
const revoked = await newKey();
await ask('DELETE', `/v1/auth/api-keys/${revoked.id}`, { headers: owner });

/** In the order of the table's columns. */
const credentials = {
  none: {},
  key: account.server,
  revoked: { 'X-API-Key': revoked.key },
  owner,
  admin: bearer(await tokenOf((await addMember('admin')).email)),
  agent: bearer(await tokenOf((await addMember('agent')).email)),
  expired: bearer((await issueToken(env.JWT_PRIVATE_KEY, claims, Date.now() - 16 * 60_000)).token),
  forged: bearer((await issueToken(JSON.stringify(foreignKey), claims, Date.now())).token),
  // The owner of another account, who knows every id of this one.
  other: other.owner,
};

type Statuses = [number, number, number, number, number, number, number, number, number];
interface Row {
  statuses: Statuses;
  /** What is asked for, made anew once it was granted to somebody; without it, the path as it stands and no body. */
  call?: () => Promise<Ask & { path?: string }> | (Ask & { path?: string });
}

const row = (statuses: Statuses, call?: Row['call']): Row => ({ statuses, ...(call && { call }) });
const all = (status: number): Statuses => Array(9).fill(status) as Statuses;
const json = (body: object) => () => ({ json: body });

const newWebhook = async () => {
  const hook = { url: 'https://example.com/hook', numberIds: 'all', events: ['message.read'] };
  return (await ask('POST', '/v1/webhooks', { headers: owner, json: hook })).body;
};
const onWebhook =
  (rest = '', body?: object) =>
  async () => {
    const { id } = await newWebhook();
    return { path: `/v1/webhooks/${id}${rest}`, json: body };
  };
const onTestedWebhook = (rest: string) => () => {
  receiver('https://example.com/hook');
  return onWebhook(rest)();
};
/** A delivery that is over, of a webhook that is off, so that nothing leaves while the table is gone through. */
const onDelivery = async () => {
  const { path } = await onTestedWebhook('')();
  const { body } = await ask('POST', `${path}/test`, { headers: owner });
  await ask('PATCH', path, { headers: owner, json: { enabled: false } });
  return { path: `${path}/deliveries/${body.deliveryId}/redeliver` };
};
const newNumber = async () =>
  (await ask('POST', '/v1/numbers', { headers: owner, json: { label: 'made for a row' } })).body.numberId;
const onNumber =
  (rest = '', body?: object) =>
  async () => ({
    path: `/v1/numbers/${await newNumber()}${rest}`,
    json: body,
  });
const onMember = (body?: object) => async () => ({
  path: `/v1/auth/members/${(await addMember('agent')).userId}`,
  json: body,
});
const onKey = (body?: object) => async () => ({
  path: `/v1/auth/api-keys/${(await newKey()).id}`,
  json: body,
});
const onInvitation = async () => {
  const invitation = { email: `${crypto.randomUUID()}@example.com`, role: 'agent' };
  const { body } = await ask('POST', '/v1/auth/invitations', { headers: owner, json: invitation });
  return { path: `/v1/auth/invitations/${body.id}` };
};
const onMessage = async () => {
  const { body } = await ask('POST', '/v1/messages/send', {
    headers: account.server,
    json: { to: '628123456789', text: 'hello' },
  });
  return { path: `/v1/messages/${body.messageId}` };
};
let optedOut = 0;
/** Somebody new who has written STOP. */
const onOptOut = async () => {
  optedOut += 1;
  const from = `62812345600${String(optedOut).padStart(2, '0')}`;
  await writeToNumber(account, numberId, from, 'STOP');
  return { path: `/v1/opt-outs/${from}` };
};
const onSession = async () => {
  const sid = decodeJwt<{ sid: string }>(await tokenOf(account.email)).sid;
  return { path: `/v1/auth/sessions/${sid}` };
};

const table: Record<string, Row> = {
  //                                       none key  revoked owner admin agent expired forged other
  'POST /v1/messages/send': row(
    [401, 202, 401, 401, 401, 401, 401, 401, 401],
    json({ to: '628123456789', text: 'hello' }),
  ),
  'POST /v1/messages/send-batch': row(
    [401, 202, 401, 401, 401, 401, 401, 401, 401],
    json({ messages: [{ to: '628123456789', text: 'hello' }] }),
  ),
  'GET /v1/messages': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/messages/:messageId': row([401, 200, 401, 200, 200, 403, 401, 401, 404], onMessage),
  'GET /v1/usage': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/events': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/events/live': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),

  'GET /v1/settings': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'PATCH /v1/settings': row([401, 401, 401, 200, 200, 403, 401, 401, 200], json({ stickyHours: 12 })),
  'GET /v1/opt-outs': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'DELETE /v1/opt-outs/:phoneNumber': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onOptOut),

  'GET /v1/numbers': row([401, 200, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/numbers/:id': row([401, 200, 401, 200, 200, 403, 401, 401, 404], () => ({
    path: `/v1/numbers/${numberId}`,
  })),
  'GET /v1/numbers/:id/health': row([401, 200, 401, 200, 200, 403, 401, 401, 404], () => ({
    path: `/v1/numbers/${numberId}/health`,
  })),
  'POST /v1/numbers': row([401, 401, 401, 201, 201, 403, 401, 401, 201], json({ label: 'x' })),
  'PATCH /v1/numbers/:id': row([401, 401, 401, 200, 200, 403, 401, 401, 404], onNumber('', { label: 'y' })),
  'DELETE /v1/numbers/:id': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onNumber()),
  'POST /v1/numbers/:id/pair': row(
    [401, 401, 401, 202, 202, 403, 401, 401, 404],
    onNumber('/pair', { method: 'qr' }),
  ),
  'GET /v1/numbers/:id/pairing': row([401, 401, 401, 404, 404, 403, 401, 401, 404], onNumber('/pairing')),
  'POST /v1/numbers/:id/connect': row([401, 401, 401, 409, 409, 403, 401, 401, 404], onNumber('/connect')),
  'POST /v1/numbers/:id/disconnect': row(
    [401, 401, 401, 409, 409, 403, 401, 401, 404],
    onNumber('/disconnect'),
  ),
  'POST /v1/numbers/:id/logout': row([401, 401, 401, 409, 409, 403, 401, 401, 404], onNumber('/logout')),

  'POST /v1/webhooks': row(
    [401, 401, 401, 201, 201, 403, 401, 401, 201],
    json({ url: 'https://example.com/hook', numberIds: 'all', events: 'all' }),
  ),
  'GET /v1/webhooks': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/webhooks/:id': row([401, 401, 401, 200, 200, 403, 401, 401, 404], onWebhook()),
  'PATCH /v1/webhooks/:id': row(
    [401, 401, 401, 200, 200, 403, 401, 401, 404],
    onWebhook('', { description: 'y' }),
  ),
  'DELETE /v1/webhooks/:id': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onWebhook()),
  'POST /v1/webhooks/:id/rotate-secret': row(
    [401, 401, 401, 200, 200, 403, 401, 401, 404],
    onWebhook('/rotate-secret'),
  ),
  'GET /v1/webhooks/:id/deliveries': row(
    [401, 401, 401, 200, 200, 403, 401, 401, 404],
    onWebhook('/deliveries'),
  ),
  'POST /v1/webhooks/:id/test': row([401, 401, 401, 200, 200, 403, 401, 401, 404], onTestedWebhook('/test')),
  'POST /v1/webhooks/:id/redeliver': row(
    [401, 401, 401, 202, 202, 403, 401, 401, 404],
    onWebhook('/redeliver', { since: '2026-01-31T09:30:00Z' }),
  ),
  'POST /v1/webhooks/:id/replay': row(
    [401, 401, 401, 202, 202, 403, 401, 401, 404],
    onWebhook('/replay', { since: '2026-01-31T09:30:00Z' }),
  ),
  'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver': row(
    [401, 401, 401, 202, 202, 403, 401, 401, 404],
    onDelivery,
  ),
  'GET /v1/alerts': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),

  'POST /v1/auth/api-keys': row([401, 401, 401, 201, 201, 403, 401, 401, 201], json({ name: 'x' })),
  'GET /v1/auth/api-keys': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),
  'PATCH /v1/auth/api-keys/:id': row([401, 401, 401, 200, 200, 403, 401, 401, 404], onKey({ name: 'y' })),
  'DELETE /v1/auth/api-keys/:id': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onKey()),
  'GET /v1/audit-log': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),
  'GET /v1/audit-log/verify': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),

  'GET /v1/auth/members': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),
  'PATCH /v1/auth/members/:userId': row(
    [401, 401, 401, 200, 200, 403, 401, 401, 404],
    onMember({ role: 'admin' }),
  ),
  'DELETE /v1/auth/members/:userId': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onMember()),
  'POST /v1/auth/invitations': row([401, 401, 401, 201, 201, 403, 401, 401, 201], () => ({
    json: { email: `${crypto.randomUUID()}@example.com`, role: 'agent' },
  })),
  'GET /v1/auth/invitations': row([401, 401, 401, 200, 200, 403, 401, 401, 200]),
  'DELETE /v1/auth/invitations/:id': row([401, 401, 401, 204, 204, 403, 401, 401, 404], onInvitation),
  'POST /v1/auth/invitations/accept': row(all(401), json({ token: 'made-up' })),

  'GET /v1/auth/me': row([401, 401, 401, 200, 200, 200, 401, 401, 200]),
  'GET /v1/auth/accounts': row([401, 401, 401, 200, 200, 200, 401, 401, 200]),
  'POST /v1/auth/switch-account': row([401, 401, 401, 200, 200, 200, 401, 401, 404], json({ accountId })),
  'GET /v1/auth/sessions': row([401, 401, 401, 200, 200, 200, 401, 401, 200]),
  'DELETE /v1/auth/sessions/:id': row([401, 401, 401, 204, 404, 404, 401, 401, 404], onSession),
  'POST /v1/auth/password/change': row(
    [401, 401, 401, 204, 204, 204, 401, 401, 204],
    json({ currentPassword: password, newPassword: password }),
  ),
  'GET /v1/auth/two-factor': row([401, 401, 401, 200, 200, 200, 401, 401, 200]),
  'POST /v1/auth/two-factor/enable': row([401, 401, 401, 200, 200, 200, 401, 401, 200], json({ password })),
  'POST /v1/auth/two-factor/verify': row(
    [401, 401, 401, 403, 403, 403, 401, 401, 403],
    json({ code: 'abcdef' }),
  ),
  'POST /v1/auth/two-factor/recovery-codes': row(
    [401, 401, 401, 409, 409, 409, 401, 401, 409],
    json({ password }),
  ),
  'POST /v1/auth/two-factor/disable': row([401, 401, 401, 409, 409, 409, 401, 401, 409], json({ password })),

  // Open to all, whatever else they bring: these ask for a password, a cookie or a mailed token.
  'POST /v1/auth/login': row(all(200), () => ({ json: { email: account.email, password } })),
  'POST /v1/auth/refresh': row(all(401)),
  'POST /v1/auth/logout': row(all(204)),
  'POST /v1/auth/password/forgot': row(all(202), json({ email: 'nobody@example.com' })),
  'POST /v1/auth/password/reset': row(
    all(401),
    json({ token: 'made-up', newPassword: 'a long enough password' }),
  ),
  'POST /v1/auth/sign-up/verify': row(all(401), json({ token: 'made-up' })),
  'GET /v1/auth/jwks': row(all(200)),
  'GET /healthz': row(all(200)),
  'GET /readyz': row(all(503)),
  'GET /openapi.json': row(all(200)),
  'GET /docs': row(all(200)),
  'GET /docs/:file': row(all(404), () => ({ path: '/docs/nothing.js' })),

  // For the operator, and for bridges: no credential of an account opens these.
  'POST /v1/auth/sign-up': row(
    all(401),
    json({ email: 'new@example.com', password, name: 'x', accountName: 'x' }),
  ),
  'PUT /v1/operator/accounts/:id/plan': row(all(401), () => ({
    path: `/v1/operator/accounts/${accountId}/plan`,
    json: { plan: 'free' },
  })),
  'GET /bridge/control': row(all(401)),
  'GET /bridge/numbers/:numberId': row(all(401), () => ({ path: `/bridge/numbers/${numberId}?epoch=1` })),
};

test('every route of the Worker has its row in the table, and every row its route', () => {
  const handlers = app.routes.filter(({ method }) => method !== 'ALL');
  const routes = new Set(handlers.map(({ method, path }) => `${method} ${path.replace(/(?<=.)\/$/, '')}`));
  expect([...routes].toSorted()).toEqual(Object.keys(table).toSorted());
});

/** Who presents a key is told of the key; everybody else to sign in. */
const unauthorized = (route: string, credential: string): string[] =>
  route.startsWith('POST /v1/messages')
    ? ['INVALID_API_KEY']
    : credential === 'revoked' || credential === 'key'
      ? ['INVALID_API_KEY', 'UNAUTHENTICATED']
      : ['UNAUTHENTICATED'];
const codesOf: Record<number, string[]> = { 403: ['FORBIDDEN'], 404: ['NOT_FOUND'], 409: ['CONFLICT'] };

test.each(Object.entries(table))('%s', async (route, { statuses, call }) => {
  const [method = '', pattern = ''] = route.split(' ');
  const seen: Record<string, number> = {};
  let asked: (Ask & { path?: string }) | null = null;
  for (const [credential, headers] of Object.entries(credentials)) {
    asked ??= (await call?.()) ?? {};
    const { path = pattern, ...options } = asked;
    const answer = await ask(method, path, { ...options, headers: headers as Record<string, string> });
    if (answer.status < 300) asked = null;
    seen[credential] = answer.status;
    const codes = answer.status === 401 ? unauthorized(route, credential) : codesOf[answer.status];
    if (codes) expect(codes, `${route} as ${credential}`).toContain(answer.body.error?.code);
  }
  expect(seen).toEqual(
    Object.fromEntries(Object.keys(credentials).map((credential, index) => [credential, statuses[index]])),
  );
});

test('after all that the account has what it had: nobody else has taken or changed anything of it', async () => {
  const { body } = await ask('GET', `/v1/numbers/${numberId}`, { headers: owner });
  expect(body).toMatchObject({ numberId, label: 'Sales' });
  expect(await ask('GET', '/v1/audit-log/verify', { headers: owner })).toMatchObject({
    body: { valid: true },
  });
  const log = await ask('GET', '/v1/audit-log?limit=200', { headers: owner });
  const { user } = (await ask('GET', '/v1/auth/me', { headers: other.owner })).body;
  expect(log.text).not.toContain(user.id);
});
