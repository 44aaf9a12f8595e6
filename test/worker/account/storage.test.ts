import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { ImportFiles } from '../../../src/worker/features/contacts/imports/files/import-files.ts';
import { MediaStore } from '../../../src/worker/features/media/store/media-store.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';
import { calls, expectDocumented } from '../openapi/openapi-document.ts';

const limit = 100_000;
const day = 24 * 3600 * 1000;

/** An account that may have 100,000 bytes of files. */
async function openSmallAccount(): Promise<TestAccount> {
  const account = await openAccount();
  const answer = await ask('PUT', `/v1/operator/accounts/${account.accountId}/plan`, {
    headers: { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` },
    json: { plan: 'small' },
  });
  expect(answer).toMatchObject({ status: 200, body: { storageBytes: limit } });
  return account;
}

const upload = ({ server }: TestAccount, bytes: number) =>
  ask('POST', '/v1/media', {
    headers: { ...server, 'Content-Type': 'application/octet-stream' },
    raw: new Uint8Array(bytes).fill(7),
  });
const storageOf = async ({ server }: TestAccount) =>
  (await ask('GET', '/v1/usage', { headers: server })).body.storage;
const streamOf = (bytes: number) =>
  new Response(new Uint8Array(bytes).fill(7)).body as ReadableStream<Uint8Array>;
const received = (mediaId: string, bytes: number) => ({
  mediaId,
  body: streamOf(bytes),
  bytesKnown: null,
  typeNamed: null,
  numberId: newUuid(),
});

test('an account has as many bytes of files as its plan allows, and the refusal says how full it is', async () => {
  const account = await openSmallAccount();
  expect(await storageOf(account)).toEqual({ used: 0, limit });
  expect(await upload(account, 60_000)).toMatchObject({ status: 201 });
  const refused = await upload(account, 50_000);
  expect(refused).toMatchObject({
    status: 402,
    body: { error: { code: 'QUOTA_EXCEEDED', details: [{ cap: 'storage', used: 60_000, limit }] } },
  });
  expect(refused.body.error.message).toMatch(/60000 of the 100000 bytes/);
  expect(await upload(account, 40_000)).toMatchObject({ status: 201 });
  expect(await storageOf(account)).toEqual({ used: limit, limit });
  // Bytes in a send are a file too, and what another account has does not count.
  const send = await ask('POST', '/v1/messages/send', {
    headers: account.server,
    json: { to: '628123456789', type: 'document', document: { data: 'aGVsbG8=', fileName: 'a.txt' } },
  });
  expect(send).toMatchObject({ status: 402, body: { error: { details: [{ cap: 'storage' }] } } });
  expect(await upload(await openSmallAccount(), 50_000)).toMatchObject({ status: 201 });
});

test('of many uploads at the same moment only as many are kept as there is room for', async () => {
  const account = await openSmallAccount();
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload(account, 30_000)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(5);
  expect(await storageOf(account)).toEqual({ used: 90_000, limit });
  const kept = await env.MEDIA.list({ prefix: `${account.accountId}/` });
  expect(kept.objects.filter(({ key }) => key.endsWith('/bytes'))).toHaveLength(3);
});

test('a file that is stored again counts once, and one of unknown length ends where the room does', async () => {
  const account = await openSmallAccount();
  const store = new MediaStore(env, account.accountId);
  const mediaId = newUuid();
  for (let time = 0; time < 3; time += 1) {
    expect(await store.store(received(mediaId, 70_000), Date.now())).toMatchObject({ ok: true });
  }
  expect(await storageOf(account)).toMatchObject({ used: 70_000 });
  const other = newUuid();
  expect(await store.store(received(other, 70_000), Date.now())).toMatchObject({
    ok: false,
    code: 'QUOTA_EXCEEDED',
  });
  expect(await store.find(other, Date.now())).toBeNull();
  expect(await store.find(mediaId, Date.now())).not.toBeNull();
});

test('a file that has grown, and has no room any more when it is there, is none, and what it took before is given back', async () => {
  const account = await openSmallAccount();
  const store = new MediaStore(env, account.accountId);
  const mediaId = newUuid();
  await store.store(received(mediaId, 20_000), Date.now());
  // While it comes again, and larger, another takes what was left.
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10_000).fill(7)),
    pull: async (controller) => {
      expect(await store.store(received(newUuid(), 70_000), Date.now())).toMatchObject({ ok: true });
      controller.enqueue(new Uint8Array(30_000).fill(7));
      controller.close();
    },
  });
  const again = { ...received(mediaId, 0), body };
  expect(await store.store(again, Date.now())).toMatchObject({ ok: false, code: 'QUOTA_EXCEEDED' });
  expect(await store.find(mediaId, Date.now())).toBeNull();
  expect(await storageOf(account)).toMatchObject({ used: 70_000 });
});

test('what is erased, imported or expired gives its room back, once', async () => {
  const account = await openSmallAccount();
  const store = new MediaStore(env, account.accountId);
  const [old, erased] = [newUuid(), newUuid()];
  await store.store(received(old, 20_000), Date.now() - 31 * day);
  await store.store(received(erased, 30_000), Date.now());
  // The old one has expired, and counts no more.
  expect(await storageOf(account)).toMatchObject({ used: 30_000 });
  const files = new ImportFiles(env);
  const importId = newUuid();
  expect(await files.store(account.accountId, importId, streamOf(80_000), 80_000)).toMatchObject({
    code: 'QUOTA_EXCEEDED',
  });
  expect(await files.store(account.accountId, importId, streamOf(40_000), null)).toMatchObject({ ok: true });
  expect(await storageOf(account)).toMatchObject({ used: 70_000 });
  await files.forget(account.accountId, importId);
  const stub = env.ACCOUNT.getByName(account.accountId);
  for (let time = 0; time < 2; time += 1) await stub.giveBackFiles([erased, old]);
  expect(await storageOf(account)).toMatchObject({ used: 0 });
  const rows = await runInDurableObject(stub, (_, { storage }) =>
    storage.sql.exec('SELECT * FROM stored_files').toArray(),
  );
  expect(rows).toEqual([]);
});

test('an import that has no room leaves no file, and its refused rows count also above what there is room for', async () => {
  const account = await openSmallAccount();
  const { accountId } = account;
  const files = new ImportFiles(env);
  const importId = newUuid();
  const filesOf = async () => (await env.MEDIA.list({ prefix: `${accountId}/imports/` })).objects.length;
  // Of unknown length: that there is no room for it is found when it is there.
  expect(await files.store(accountId, importId, streamOf(limit + 1), null)).toMatchObject({
    code: 'QUOTA_EXCEEDED',
  });
  expect(await filesOf()).toBe(0);
  expect(await files.store(accountId, importId, streamOf(limit), null)).toMatchObject({ ok: true });
  const row = { row: 1, path: 'phone', message: 'No.', cells: ['628'] };
  await files.storeRefused({ accountId, importId, place: 0 } as never, [row as never]);
  expect(await filesOf()).toBe(2);
  expect((await storageOf(account)).used).toBeGreaterThan(limit);
});

test('an import that is announced as larger than what is free is refused as the document says', async () => {
  const account = await openSmallAccount();
  const answer = await ask('POST', '/v1/contacts/import?consentSource=fair', {
    headers: { ...account.server, 'Content-Type': 'text/csv', 'Content-Length': String(limit + 1) },
    raw: new Uint8Array(limit + 1).fill(7),
  });
  expect(answer).toMatchObject({
    status: 402,
    body: { error: { code: 'QUOTA_EXCEEDED', details: [{ cap: 'storage', used: 0, limit }] } },
  });
  for (const call of calls.filter(({ operation }) => operation.operationId === 'importContacts')) {
    expectDocumented(call, answer);
  }
  expect(await storageOf(account)).toEqual({ used: 0, limit });
});
