import { env, exports } from 'cloudflare:workers';
import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  type ControlUpFrame,
  grantHeader,
  linkCloseCodes,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { BridgeFleet } from '../../../src/durable/bridge-fleet/bridge-fleet.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { bridgeToken, newEnrolmentToken } from '../../../src/worker/features/bridges/bridge-tokens.ts';
import { until } from '../../durable/until.ts';
import { doorWith } from '../configured-door.ts';
import { addConnectedNumber, ask, openAccount } from '../front-door.ts';

const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };

/** Somebody who runs the gateway, signed in: `OPERATOR_EMAILS` names their address. */
async function operatorsPerson() {
  const [email, password] = ['operator@gateway.test', 'correct horse battery'];
  const json = { email, password, name: 'Op', accountName: 'The gateway' };
  await ask('POST', '/v1/auth/sign-up', { headers: operator, json });
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  return { body, headers: { Authorization: `Bearer ${body.token}` } };
}

const enrolmentToken = async (body: object = {}) =>
  (await ask('POST', '/v1/operator/bridges', { headers: operator, json: body })).body;

const enrol = (token: string, bridgeId: string) =>
  ask('POST', '/bridge/enrol', { headers: { Authorization: `Bearer ${token}` }, json: { bridgeId } });

const dial = (token: string, path: string, grant?: string) =>
  exports.default.fetch(
    new Request(`https://gateway.test${path}`, {
      headers: {
        Upgrade: 'websocket',
        Authorization: `Bearer ${token}`,
        ...(grant !== undefined && { [grantHeader]: grant }),
      },
    }),
  );

const shown = async (bridgeId: string) => {
  const { data } = (await ask('GET', '/v1/operator/bridges', { headers: operator })).body;
  return (data as { bridgeId: string; state: string }[]).find((bridge) => bridge.bridgeId === bridgeId);
};

/** A bridge that has said hello. */
async function linkBridge(token: string, bridgeId: string) {
  const { webSocket } = await dial(token, '/bridge/control');
  if (!webSocket) throw new Error('the control link was refused');
  webSocket.accept();
  const granted: { numberId: string; epoch: number; grant: string }[] = [];
  const closed: number[] = [];
  webSocket.addEventListener('message', ({ data }) => {
    if (data === 'pong') return;
    const frame = JSON.parse(String(data));
    if (frame.type === 'lease.granted') granted.push(frame);
  });
  webSocket.addEventListener('close', ({ code }) => void closed.push(code));
  const hello = { type: 'bridge.hello', version: bridgeProtocolVersion, bridgeId, capacity: 5, leases: [] };
  webSocket.send(JSON.stringify(hello));
  // One that is silent for long has lost its leases.
  const pings = setInterval(() => webSocket.readyState === WebSocket.OPEN && webSocket.send('ping'), 200);
  onTestFinished(() => clearInterval(pings));
  await until(async () => (await shown(bridgeId)) !== undefined);
  const say = (frame: ControlUpFrame) => webSocket.send(JSON.stringify(frame));
  return { granted, closed, say, close: () => webSocket.close(1000) };
}

test('the operator lets one bridge in with one token, and a lost answer costs no other', async () => {
  const { token, name } = await enrolmentToken({ name: 'rack 4' });
  expect(name).toBe('rack 4');
  const [bridgeId, other] = [newUuid(), newUuid()];
  const first = await enrol(token, bridgeId);
  expect(first.status).toBe(200);
  expect((await enrol(token, bridgeId)).body).toEqual(first.body);
  expect(await enrol(token, other)).toMatchObject({
    status: 401,
    body: { error: { code: 'UNAUTHENTICATED' } },
  });
  const bridge = await linkBridge(first.body.token, bridgeId);
  expect(await shown(bridgeId)).toMatchObject({ name: 'rack 4', state: 'linked' });
  bridge.close();
});

test('a token lets in a new bridge, and yields nobody the credential of one that is there', async () => {
  const [bridgeId, other] = [newUuid(), newUuid()];
  const first = (await enrolmentToken({ name: 'rack 4' })).token;
  const { token } = (await enrol(first, bridgeId)).body;
  const second = (await enrolmentToken({ name: 'rack 5' })).token;
  const taken = { status: 403, body: { error: { code: 'FORBIDDEN' } } };
  expect(await enrol(second, bridgeId)).toMatchObject(taken);
  expect(await enrol(env.BRIDGE_ENROLMENT_TOKEN ?? '', bridgeId)).toMatchObject(taken);
  // It was not used up by that; what the first bridge has is good still, and nobody else makes it of the id.
  expect((await enrol(second, other)).status).toBe(200);
  (await linkBridge(token, bridgeId)).close();
  const drawn = /_([0-9a-f]{32})_/.exec(token)?.[1] ?? '';
  expect(drawn).not.toBe('');
  for (const generation of [null, '0'.repeat(32)]) {
    const guessed = bridgeToken(bridgeId, env.KEY_CHECKSUM_SECRET, null, generation);
    expect((await dial(guessed, '/bridge/control')).status, String(generation)).toBe(403);
  }
});

test('a bridge that an earlier release let in goes on with the token that it has', async () => {
  const bridgeId = newUuid();
  const former = createHmac('sha256', env.KEY_CHECKSUM_SECRET)
    .update(`bridge/${bridgeId}`)
    .digest('base64url');
  (await linkBridge(`hb_${bridgeId}_${former}`, bridgeId)).close();
});

test.each([
  ['is made up', async () => `hbe_${'a'.repeat(43)}_${'b'.repeat(43)}`],
  ['is ours but was never handed out', async () => newEnrolmentToken(env.KEY_CHECKSUM_SECRET).token],
  ["is a bridge's own", async () => bridgeToken(newUuid(), env.KEY_CHECKSUM_SECRET)],
  ['is empty', async () => ''],
])('a token that %s lets no bridge in', async (_, tokenOf) => {
  expect((await enrol(await tokenOf(), newUuid())).status).toBe(401);
});

test('what a bridge says of itself must be an id, and how long a token lasts must be a time', async () => {
  const { token } = await enrolmentToken();
  expect((await enrol(token, 'rack 4')).body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'bridgeId' }],
  });
  for (const expiresInSeconds of [59, 2_592_001, 1.5, '60']) {
    const body = await enrolmentToken({ expiresInSeconds });
    expect(body.error).toMatchObject({ details: [{ path: 'expiresInSeconds' }] });
  }
});

test('a bridge that is revoked speaks for no number any more, and others get its numbers', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const bridgeId = newUuid();
  const { token } = (await enrol((await enrolmentToken()).token, bridgeId)).body;
  const bridge = await linkBridge(token, bridgeId);
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  await fleet.acquire(numberId, account.accountId);
  const grant = await until(() => bridge.granted.find((it) => it.numberId === numberId));
  const path = `/bridge/numbers/${numberId}?epoch=${grant.epoch}`;
  const link = (await dial(token, path)).webSocket;
  const closed: number[] = [];
  link?.accept();
  link?.addEventListener('close', ({ code }) => void closed.push(code));

  const heir = newUuid();
  const heirToken = bridgeToken(heir, env.KEY_CHECKSUM_SECRET);
  const other = await linkBridge(heirToken, heir);
  expect((await ask('DELETE', `/v1/operator/bridges/${bridgeId}`, { headers: operator })).status).toBe(204);
  const next = await until(() => other.granted.find((it) => it.numberId === numberId));
  expect(next.epoch).toBe(grant.epoch + 1);
  await until(() => closed.length > 0 && bridge.closed.length > 0);
  expect([...closed, ...bridge.closed]).toEqual([linkCloseCodes.revoked, linkCloseCodes.revoked]);
  expect((await dial(token, path)).status).toBe(409);
  expect((await dial(token, '/bridge/control')).status).toBe(403);
  const again = (await enrolmentToken()).token;
  expect((await enrol(again, bridgeId)).status).toBe(403);
  expect(await shown(bridgeId)).toMatchObject({ state: 'revoked', numbers: 0 });
  expect((await ask('DELETE', `/v1/operator/bridges/${bridgeId}`, { headers: operator })).status).toBe(204);
  expect((await ask('DELETE', `/v1/operator/bridges/${newUuid()}`, { headers: operator })).status).toBe(404);
  await fleet.release(numberId);
  other.close();
});

test('a bridge that is revoked keeps no link to a number that it held before', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const bridgeId = newUuid();
  const { token } = (await enrol((await enrolmentToken()).token, bridgeId)).body;
  const bridge = await linkBridge(token, bridgeId);
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  await fleet.acquire(numberId, account.accountId);
  const { epoch } = await until(() => bridge.granted.find((it) => it.numberId === numberId));
  const closed: number[] = [];
  const open = async () => {
    const { webSocket } = await dial(token, `/bridge/numbers/${numberId}?epoch=${epoch}`);
    if (!webSocket) throw new Error('the link was refused');
    webSocket.accept();
    webSocket.addEventListener('close', ({ code }) => void closed.push(code));
    return webSocket;
  };
  // The one that it drove the number over, and one over which it reports what its journal still holds.
  await open();
  bridge.say({ type: 'bridge.draining' });
  bridge.say({ type: 'lease.released', numberId, epoch });
  await until(async () => (await fleet.standing(numberId, bridgeId, epoch)) === 'report');
  const report = await open();
  const heard: string[] = [];
  report.addEventListener('message', ({ data }) => void heard.push(String(data)));
  const hello = { type: 'link.hello', version: bridgeProtocolVersion, bridgeId, epoch };
  report.send(JSON.stringify(hello));
  await until(() => heard.length > 0);
  expect(closed).toEqual([]);
  expect((await ask('DELETE', `/v1/operator/bridges/${bridgeId}`, { headers: operator })).status).toBe(204);
  await until(() => closed.length === 2);
  expect(closed).toEqual([linkCloseCodes.revoked, linkCloseCodes.revoked]);
  expect((await dial(token, `/bridge/numbers/${numberId}?epoch=${epoch}`)).status).toBe(409);
  await fleet.release(numberId);
});

test('a bridge opens a number with the grant that the fleet has signed, and the fleet is not asked', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const [bridgeId, other] = [newUuid(), newUuid()];
  const token = bridgeToken(bridgeId, env.KEY_CHECKSUM_SECRET);
  const bridge = await linkBridge(token, bridgeId);
  const fleet = env.BRIDGE_FLEET.getByName('fleet');
  await fleet.acquire(numberId, account.accountId);
  const { epoch, grant } = await until(() => bridge.granted.find((it) => it.numberId === numberId));
  const path = `/bridge/numbers/${numberId}?epoch=${epoch}`;
  const standing = vi.spyOn(BridgeFleet.prototype, 'standing');
  onTestFinished(() => standing.mockRestore());
  const link = await dial(token, path, grant);
  expect(link.status).toBe(101);
  link.webSocket?.accept();
  // Its files go by the same grant.
  const file = `${path.replace('?', `/media/${newUuid()}?`)}`;
  const headers = { Authorization: `Bearer ${token}`, [grantHeader]: grant };
  expect((await ask('GET', file, { headers })).body.error).toMatchObject({ code: 'NOT_FOUND' });
  // Who only has the grant has nothing, and what somebody says of their standing counts for nothing.
  const otherToken = bridgeToken(other, env.KEY_CHECKSUM_SECRET);
  expect((await dial(otherToken, path, grant)).status).toBe(403);
  expect((await dial(otherToken, `${path}&standing=drive&bridge=${bridgeId}`, grant)).status).toBe(403);
  // Not the last character: some of its bits count for nothing.
  const forged = `${grant.slice(0, -2)}${grant.at(-2) === 'A' ? 'B' : 'A'}${grant.slice(-1)}`;
  expect((await dial(token, path, forged)).status).toBe(403);
  expect(standing).not.toHaveBeenCalled();
  // Without a grant that is believed the fleet is asked, as by bridges that know none.
  expect((await dial(otherToken, path)).status).toBe(409);
  expect(standing).toHaveBeenCalledOnce();
  // Nor does another bridge get at the files of the number, by whatever grant.
  const others: Record<string, string> = { Authorization: `Bearer ${otherToken}` };
  for (const method of ['GET', 'PUT'])
    for (const headers of [others, { ...others, [grantHeader]: grant }])
      expect(await ask(method, file, { headers })).toMatchObject({ status: 409 });
  await ask('DELETE', `/v1/operator/bridges/${bridgeId}`, { headers: operator });
  expect((await dial(token, path, grant)).status).toBe(403);
  await fleet.release(numberId);
  bridge.close();
});

test('a person who runs the gateway manages bridges as its operator does, and owners of accounts do not', async () => {
  const { body, headers } = await operatorsPerson();
  expect(body.isOperator).toBe(true);
  expect((await ask('GET', '/v1/auth/me', { headers })).body.isOperator).toBe(true);
  const added = await ask('POST', '/v1/operator/bridges', { headers, json: { name: 'rack 7' } });
  expect(added.status).toBe(201);
  const bridgeId = newUuid();
  const bridge = await linkBridge((await enrol(added.body.token, bridgeId)).body.token, bridgeId);
  const path = `/v1/operator/bridges/${bridgeId}`;
  expect(await ask('POST', `${path}/drain`, { headers })).toMatchObject({
    status: 202,
    body: { name: 'rack 7', isDraining: true },
  });
  expect((await ask('POST', `${path}/resume`, { headers })).body).toMatchObject({ isDraining: false });

  const { owner } = await openAccount();
  const me = await ask('GET', '/v1/auth/me', { headers: owner });
  expect(me.body).not.toHaveProperty('isOperator');
  for (const [method, at] of [
    ['GET', '/v1/operator/bridges'],
    ['POST', '/v1/operator/bridges'],
    ['POST', `${path}/drain`],
    ['POST', `${path}/resume`],
    ['DELETE', path],
  ] as const) {
    const refused = await ask(method, at, {
      headers: owner,
      ...(method === 'POST' && at.endsWith('bridges') && { json: {} }),
    });
    expect(refused, `${method} ${at}`).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  }
  expect((await ask('DELETE', path, { headers })).status).toBe(204);
  bridge.close();
});

test('what a bridge was let in with is in use while it is linked or may come back soon, until it is revoked', async () => {
  let letInAt = '';
  const letInBefore = async (madeBefore: string) => {
    const { body } = await ask('GET', `/operator/secrets?madeBefore=${madeBefore}`, { headers: operator });
    return body.madeBefore.bridges as number;
  };
  /** Of those that were let in since this test began. */
  const inUse = async () => (await letInBefore('2999-01-01T00:00:00Z')) - (await letInBefore(letInAt));
  // The test before may have let one in within this millisecond.
  await until(async () => {
    letInAt = new Date().toISOString();
    return (await inUse()) === 0;
  });
  const bridgeId = newUuid();
  const { body } = await enrol((await enrolmentToken()).token, bridgeId);
  const bridge = await linkBridge(body.token, bridgeId);
  expect(await inUse()).toBe(1);
  bridge.close();
  await until(async () => (await shown(bridgeId))?.state === 'away');
  expect(await inUse()).toBe(1);
  await ask('DELETE', `/v1/operator/bridges/${bridgeId}`, { headers: operator });
  expect(await inUse()).toBe(0);
});

test('letting a bridge in and throwing one out ask a person again who signed in long ago', async () => {
  const { body, headers } = await operatorsPerson();
  const confirmedAt = Date.now() - 11 * 60_000;
  await env.DB.prepare('update sessions set confirmed_at = ? where account_id = ?')
    .bind(confirmedAt, body.account.id)
    .run();
  for (const [method, path] of [
    ['POST', '/v1/operator/bridges'],
    ['DELETE', `/v1/operator/bridges/${newUuid()}`],
  ] as const) {
    const refused = await ask(method, path, { headers, ...(method === 'POST' && { json: {} }) });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'STEP_UP_REQUIRED' } } });
  }
  expect((await ask('GET', '/v1/operator/bridges', { headers })).status).toBe(200);
});

test('an invitation makes nobody the person who runs the gateway: the operator does', async () => {
  const { owner } = await openAccount();
  const email = 'second-operator@gateway.test';
  const invited = await ask('POST', '/v1/auth/invitations', {
    headers: owner,
    json: { email, role: 'agent' },
  });
  expect(invited.status).toBe(201);
  const door = doorWith({ SIGNUP: 'open', OPERATOR_EMAILS: email });
  const token = /[\w-]{43}$/.exec(invited.body.link)?.[0];
  const json = { token, name: 'Eve', password: 'correct horse battery' };
  const accept = () => door('POST', '/v1/auth/invitations/accept', { json });
  expect(await accept()).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
});
