import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { defaultKeyScopes, type KeyScope, keyScopes } from '../../../src/contract/key-scopes.ts';
import { MediaStore } from '../../../src/worker/features/media/store/media-store.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { png } from '../media/media-samples.ts';
import { calls } from '../openapi/openapi-document.ts';

async function makeKey(account: TestAccount, json: object) {
  const options = { headers: account.owner, json: { name: 'Till', ...json } };
  const { status, body } = await ask('POST', '/v1/auth/api-keys', options);
  return { status, body, server: { 'X-API-Key': body.key as string } };
}

const hello = { to: '628123456789', text: 'hello' };

test('a key that names no scopes has all but webhooks', async () => {
  const { body, server } = await makeKey(await openAccount(), {});
  expect(body.scopes).toEqual(defaultKeyScopes);
  expect(defaultKeyScopes).not.toContain('webhooks');
  expect(await ask('GET', '/v1/webhooks', { headers: server })).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', message: 'This API key lacks the scope webhooks.' } },
  });
});

const scoped = calls.flatMap(({ method, path, operation }) => {
  const scope = (operation as { 'x-scope'?: KeyScope })['x-scope'];
  const takesKey = (operation['x-callers'] as string[]).includes('apiKey');
  return takesKey ? [{ title: `${method} ${path}`, method, path, scope }] : [];
});
const owner = await openAccount();
const without = new Map<KeyScope, Record<string, string>>();
const onlyWith = new Map<KeyScope, Record<string, string>>();
for (const scope of keyScopes) {
  const scopes = keyScopes.filter((it) => it !== scope);
  without.set(scope, (await makeKey(owner, { scopes })).server);
  onlyWith.set(scope, (await makeKey(owner, { scopes: [scope] })).server);
}

test.for(scoped)(
  '$title wants the scope that the document names, and no other',
  async ({ method, path, scope }) => {
    if (scope === undefined) throw new Error('it takes API keys, and names no scope');
    const url = path
      .replace(/\{messageId\}/, `msg_${crypto.randomUUID()}`)
      .replace(/\{\w+\}/g, crypto.randomUUID());
    const json = method === 'GET' || method === 'DELETE' ? {} : { json: {} };
    const refused = await ask(method, url, { headers: without.get(scope) ?? {}, ...json });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: [{ scope }] } },
    });
    const allowed = await ask(method, url, { headers: onlyWith.get(scope) ?? {}, ...json });
    expect([200, 201, 202, 204, 400, 404]).toContain(allowed.status);
  },
);

test('a change of its scopes holds from the next request on', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const { body, server } = await makeKey(account, { scopes: ['usage:read'] });
  const send = () => ask('POST', '/v1/messages/send', { headers: server, json: hello });
  const batch = () =>
    ask('POST', '/v1/messages/send-batch', { headers: server, json: { messages: [hello] } });
  const dryRun = () => ask('POST', '/v1/messages/send?dryRun=true', { headers: server, json: hello });
  for (const call of [send, batch, dryRun]) expect(await call()).toMatchObject({ status: 403 });
  const changed = await ask('PATCH', `/v1/auth/api-keys/${body.id}`, {
    headers: account.owner,
    json: { scopes: ['messages:send', 'messages:send'] },
  });
  expect(changed).toMatchObject({ status: 200, body: { scopes: ['messages:send'] } });
  for (const call of [send, batch]) expect(await call()).toMatchObject({ status: 202 });
  expect(await dryRun()).toMatchObject({ status: 200 });
  expect(await ask('GET', '/v1/usage', { headers: server })).toMatchObject({ status: 403 });
});

test('scopes that there are not are refused', async () => {
  for (const scopes of [['everything'], [], 'usage:read']) {
    expect(await makeKey(owner, { scopes })).toMatchObject({ status: 400 });
  }
});

test('a key with the scope webhooks manages them without a person, and the audit log names it', async () => {
  const account = await openAccount();
  const { body: key, server } = await makeKey(account, { name: 'Deployment', scopes: ['webhooks'] });
  const json = { url: 'https://example.com/hook', numberIds: 'all', events: 'all' };
  const created = await ask('POST', '/v1/webhooks', { headers: server, json });
  expect(created).toMatchObject({ status: 201, body: { url: json.url } });
  const path = `/v1/webhooks/${created.body.id}`;
  expect(await ask('GET', path, { headers: account.owner })).toMatchObject({ status: 200 });
  const renamed = await ask('PATCH', path, { headers: server, json: { description: 'shop' } });
  expect(renamed).toMatchObject({ status: 200, body: { description: 'shop' } });
  expect(await ask('POST', `${path}/rotate-secret`, { headers: server })).toMatchObject({ status: 200 });
  expect(await ask('DELETE', path, { headers: server })).toMatchObject({ status: 204 });
  const { body } = await ask('GET', '/v1/audit-log', { headers: account.owner });
  const entry = body.data.find((it: { action: string }) => it.action === 'webhook.created');
  expect(entry).toMatchObject({ actor: `key:${key.id}`, actorName: 'Deployment' });
});

test('a key that is pinned strictly sees its number only', async () => {
  const account = await openAccount();
  const own = await addConnectedNumber(account);
  const other = await addConnectedNumber(account, '15550000002');
  const { server } = await makeKey(account, { pinnedNumberId: own });
  const hint = (senderHint: string) =>
    ask('POST', '/v1/messages/send', { headers: account.server, json: { ...hello, senderHint } });
  const mine = (await hint(own)).body.messageId;
  const theirs = (await hint(other)).body.messageId;
  const read = (path: string, headers = server) => ask('GET', path, { headers });

  expect(await read(`/v1/messages/${mine}`)).toMatchObject({ status: 200 });
  expect(await read(`/v1/messages/${theirs}`)).toMatchObject({ status: 404 });
  const ids = async (path: string) =>
    (await read(path)).body.data.map((it: { messageId: string }) => it.messageId);
  await eventually(async () => (await read('/v1/messages', account.server)).body.data.length === 2);
  expect(await ids('/v1/messages')).toEqual([mine]);
  expect(await ids(`/v1/messages?numberId=${other}`)).toEqual([]);

  const numbers = (await read('/v1/numbers')).body.data;
  expect(numbers.map((it: { numberId: string }) => it.numberId)).toEqual([own]);
  for (const path of ['', '/health']) {
    expect(await read(`/v1/numbers/${own}${path}`)).toMatchObject({ status: 200 });
    expect(await read(`/v1/numbers/${other}${path}`)).toMatchObject({ status: 404 });
  }

  const told = async (query: string) => {
    const { body } = await read(`/v1/events?${query}`);
    return body.data.map((it: { data: { messageId: string } }) => it.data.messageId);
  };
  expect(await told('limit=1000')).toEqual([mine]);
  expect(await told(`numberId=${other}`)).toEqual([]);
  // Only what passes the filter would end the wait.
  const waiting = read('/v1/events?after=now&wait=1');
  await hint(other);
  expect((await waiting).body.data).toEqual([]);
  const live = await ask('GET', '/v1/events/live', { headers: server });
  expect(live.status).toBe(200);

  const { body: usage } = await read('/v1/usage');
  expect(usage.byNumber.map((it: { numberId: string }) => it.numberId)).toEqual([own]);
  // The same key may read all once it falls back to the pool.
  const pooled = await makeKey(account, { pinnedNumberId: own, onPinFailure: 'fallback' });
  expect((await read('/v1/numbers', pooled.server)).body.data).toHaveLength(2);
});

test('a key that is pinned strictly cannot manage webhooks, which hear of every number', async () => {
  const account = await openAccount();
  const pinnedNumberId = await addConnectedNumber(account);
  const refused = { status: 400, body: { error: { details: [{ path: 'scopes' }] } } };
  expect(await makeKey(account, { pinnedNumberId, scopes: ['webhooks'] })).toMatchObject(refused);
  const { body } = await makeKey(account, { scopes: ['webhooks'] });
  const change = (json: object) =>
    ask('PATCH', `/v1/auth/api-keys/${body.id}`, { headers: account.owner, json });
  expect(await change({ pinnedNumberId })).toMatchObject(refused);
  expect(await change({ pinnedNumberId, onPinFailure: 'fallback' })).toMatchObject({ status: 200 });
});

test('a key that is pinned strictly has nothing of the address book, which is of the whole account', async () => {
  const account = await openAccount();
  const pinnedNumberId = await addConnectedNumber(account);
  const refused = {
    status: 400,
    body: { error: { details: [{ path: 'scopes', message: expect.stringContaining('contacts') }] } },
  };
  expect(await makeKey(account, { pinnedNumberId, scopes: ['contacts'] })).toMatchObject(refused);
  // What it has by itself is no more.
  const { body, server } = await makeKey(account, { pinnedNumberId });
  expect(body.scopes).toEqual(defaultKeyScopes.filter((scope) => scope !== 'contacts'));
  for (const path of ['/v1/contacts', '/v1/opt-outs', '/v1/segments', '/v1/contact-labels']) {
    expect(await ask('GET', path, { headers: server }), path).toMatchObject({
      status: 403,
      body: { error: { details: [{ scope: 'contacts' }] } },
    });
  }
  const change = (id: string, json: object) =>
    ask('PATCH', `/v1/auth/api-keys/${id}`, { headers: account.owner, json });
  expect(await change(body.id, { scopes: ['contacts', 'media'] })).toMatchObject(refused);
  const pool = await makeKey(account, {});
  expect(await change(pool.body.id, { pinnedNumberId })).toMatchObject(refused);

  // One that was made when it was given: it has it no more, also where its pin is taken off later.
  const scopes = ['messages:send', 'contacts', 'webhooks'];
  await env.DB.prepare('UPDATE api_keys SET scopes = ? WHERE id = ?')
    .bind(JSON.stringify(scopes), body.id)
    .run();
  await change(pool.body.id, { name: 'raises the revision' });
  expect(await ask('GET', '/v1/opt-outs', { headers: server })).toMatchObject({ status: 403 });
  expect(await ask('GET', '/v1/webhooks', { headers: server })).toMatchObject({ status: 403 });
  expect(await change(body.id, { name: 'till' })).toMatchObject({
    status: 200,
    body: { scopes: ['messages:send'] },
  });
  await change(body.id, { pinnedNumberId: null });
  expect(await ask('GET', '/v1/opt-outs', { headers: server })).toMatchObject({ status: 403 });
});

test('a key that is pinned strictly sends and reads files of its number, and those uploaded with it, alone', async () => {
  const account = await openAccount();
  const pinnedNumberId = await addConnectedNumber(account);
  const otherNumberId = await addConnectedNumber(account, '15550000002');
  const { server } = await makeKey(account, { pinnedNumberId });
  const upload = async (headers: object) => {
    const { body } = await ask('POST', '/v1/media', {
      headers: { ...headers, 'Content-Type': 'image/png' },
      raw: png(64, 48),
    });
    expect(body).not.toHaveProperty('keyId');
    return body.mediaId;
  };
  const own = await upload(server);
  const others = [await upload(account.server), await upload(account.owner)];
  const received = async (numberId: string) => {
    const mediaId = crypto.randomUUID();
    const body = new Response(png(64, 48)).body as ReadableStream<Uint8Array>;
    const file = { mediaId, body, bytesKnown: 64, typeNamed: 'image/png', numberId };
    await new MediaStore(env, account.accountId).store(file, Date.now());
    return mediaId;
  };
  const mine = [own, await received(pinnedNumberId)];
  const theirs = [...others, await received(otherNumberId)];
  const send = (mediaId: string, headers: Record<string, string>) => {
    const json = { to: '628123456789', type: 'image', image: { mediaId } };
    return ask('POST', '/v1/messages/send', { headers, json });
  };
  const read = (mediaId: string, headers: Record<string, string>) =>
    ask('GET', `/v1/media/${mediaId}`, { headers });
  for (const mediaId of mine) {
    expect(await send(mediaId, server)).toMatchObject({ status: 202 });
    expect(await read(mediaId, server)).toMatchObject({ status: 200 });
  }
  const none = [{ path: 'image.mediaId', message: 'The file does not exist, or was deleted.' }];
  for (const mediaId of theirs) {
    expect(await send(mediaId, server)).toMatchObject({ status: 400, body: { error: { details: none } } });
    expect(await read(mediaId, server)).toMatchObject({ status: 404 });
    expect(await send(mediaId, account.server)).toMatchObject({ status: 202 });
    expect(await read(mediaId, account.server)).toMatchObject({ status: 200 });
  }
  const messages = [theirs[0], mine[0]].map((mediaId) => ({
    to: '628123456789',
    type: 'image',
    image: { mediaId },
  }));
  const batch = await ask('POST', '/v1/messages/send-batch', { headers: server, json: { messages } });
  expect(batch.body).toMatchObject({
    accepted: 1,
    refused: 1,
    data: [{ error: { code: 'VALIDATION_ERROR' } }, { status: 'queued' }],
  });
});

test('a key is accepted only from the addresses that it names', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const allowedAddresses = ['203.0.113.0/24', '198.51.100.7', '2001:db8:5::/48', '2001:db8:9::7'];
  const { body, server } = await makeKey(account, { allowedAddresses });
  expect(body.allowedAddresses).toEqual(allowedAddresses);
  const statusesFrom = async (address: string | null) => {
    const headers = { ...server, ...(address && { 'CF-Connecting-IP': address }) };
    const read = await ask('GET', '/v1/usage', { headers });
    const sent = await ask('POST', '/v1/messages/send', { headers, json: hello });
    if (read.status !== 200) expect(read.body.error.code).toBe('FORBIDDEN');
    return [read.status, sent.status];
  };
  const accepted = ['203.0.113.9', '198.51.100.7', '::ffff:198.51.100.7', '2001:db8:5:1::1', '2001:db8:9::7'];
  for (const address of accepted) {
    expect(await statusesFrom(address), address).toEqual([200, 202]);
  }
  for (const address of ['203.0.114.1', '198.51.100.8', '2001:db8:6::1', '2001:db8:9::8', 'nonsense', null]) {
    expect(await statusesFrom(address), String(address)).toEqual([403, 403]);
  }
  for (const wrong of [['10.1'], ['example.com'], ['10.0.0.0/33'], []]) {
    expect(await makeKey(account, { allowedAddresses: wrong }), String(wrong)).toMatchObject({ status: 400 });
  }
});

test('a key cannot end after the year 9999, also not by its offset: what is stored fits what is shown', async () => {
  const account = await openAccount();
  for (const expiresAt of ['9999-12-31T23:59:59-14:00', '9999-12-31T23:59:59.999-00:01']) {
    expect(await makeKey(account, { expiresAt })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'expiresAt' }] } },
    });
  }
  const last = await makeKey(account, { expiresAt: '9999-12-31T23:59:59.999Z' });
  expect(last).toMatchObject({ status: 201, body: { expiresAt: '9999-12-31T23:59:59.999Z' } });
});
