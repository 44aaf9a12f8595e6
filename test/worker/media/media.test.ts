import { env, exports } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signedMediaUrl } from '../../../src/durable/media-url.ts';
import { keyWith } from '../attack/callers.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';
import { oggOpus, png, withLength } from './media-samples.ts';

const mebibyte = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const upload = (account: TestAccount, raw: BodyInit, type: string | null, query = '') =>
  ask('POST', `/v1/media${query}`, {
    headers: { ...account.server, ...(type !== null && { 'Content-Type': type }) },
    raw,
  });

async function fetchFile(path: string, headers: Record<string, string>) {
  const response = await exports.default.fetch(new Request(`https://gateway.test${path}`, { headers }));
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

test('a file that is stored comes back byte for byte, under what its bytes say of it', async () => {
  const account = await openAccount();
  const picture = png(640, 480);
  const stored = await upload(account, picture, 'image/png', '?fileName=caf%C3%A9%20d%27ici%20(1).png');
  expect(stored).toMatchObject({
    status: 201,
    body: {
      mediaId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mimetype: 'image/png',
      bytes: picture.byteLength,
      sha256: sha256(picture),
      fileName: "café d'ici (1).png",
      width: 640,
      height: 480,
    },
  });
  const { mediaId, createdAt, expiresAt } = stored.body;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 24 * 3600 * 1000);
  const file = await fetchFile(`/v1/media/${mediaId}`, account.server);
  expect(file.status).toBe(200);
  expect(sha256(file.bytes)).toBe(sha256(picture));
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(picture.byteLength),
    'content-disposition': "attachment; filename*=UTF-8''caf%C3%A9%20d%27ici%20%281%29.png",
    etag: `"${sha256(picture)}"`,
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
  });
});

test('large files are stored in passing, whether their length is known or not', async () => {
  const account = await openAccount();
  const bytes = new Uint8Array(12 * mebibyte + 17).map((_, index) => (index * 31) % 251);
  for (const raw of [withLength(bytes), new Blob([bytes]).stream()]) {
    const { body } = await upload(account, raw, 'application/octet-stream');
    expect(body).toMatchObject({ bytes: bytes.byteLength, sha256: sha256(bytes) });
    const file = await fetchFile(`/v1/media/${body.mediaId}`, account.server);
    expect(sha256(file.bytes)).toBe(sha256(bytes));
  }
});

test('a form brings a file with its name', async () => {
  const account = await openAccount();
  const form = new FormData();
  const bytes = new Uint8Array(6 * mebibyte).fill(7);
  form.append('file', new File([bytes], 'ledger.bin'));
  const { status, body } = await ask('POST', '/v1/media', { headers: account.server, raw: form });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { fileName: 'ledger.bin', bytes: bytes.byteLength, sha256: sha256(bytes) },
  });
  const picture = new FormData();
  picture.append('file', new File([png(1, 1)], 'a.png', { type: 'application/octet-stream' }));
  const seen = await ask('POST', '/v1/media?fileName=b.png', { headers: account.server, raw: picture });
  expect(seen.body).toMatchObject({ fileName: 'b.png', mimetype: 'image/png' });
});

test('a form brings a file under the name "file", and nothing else', async () => {
  const account = await openAccount();
  const form = new FormData();
  form.append('picture', new File([png(1, 1)], 'a.png'));
  expect(await ask('POST', '/v1/media', { headers: account.server, raw: form })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'picture' }] } },
  });
  expect((await env.MEDIA.list({ prefix: account.accountId })).objects).toEqual([]);
});

test('a file that comes compressed is refused: its bytes would be stored as they came', async () => {
  const { server } = await openAccount();
  const send = (encoding: string) => {
    const headers = { ...server, 'Content-Type': 'text/plain', 'Content-Encoding': encoding };
    return ask('POST', '/v1/media', { headers, raw: 'hello' });
  };
  expect(await send('gzip')).toMatchObject({
    status: 415,
    body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
  });
  expect((await send('identity')).status).toBe(201);
});

test('a voice note is stored with its seconds', async () => {
  const account = await openAccount();
  const { body } = await upload(account, oggOpus(7), 'audio/ogg; codecs=opus');
  expect(body).toMatchObject({ mimetype: 'audio/ogg', durationSeconds: 7 });
});

test('what claims nothing is seen as what it is', async () => {
  const account = await openAccount();
  expect((await upload(account, png(1, 1), 'application/octet-stream')).body.mimetype).toBe('image/png');
  expect((await upload(account, png(1, 1), null)).body.mimetype).toBe('image/png');
  expect((await upload(account, 'a,b', 'text/csv; charset=utf-8')).body.mimetype).toBe('text/csv');
});

const text = new TextEncoder();
const badUploads: Record<string, [BodyInit, string, number, string]> = {
  'a picture that is another type': [png(1, 1), 'image/jpeg', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  'a picture that is none': [text.encode('hello'), 'image/png', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  'a PDF that is none': [text.encode('hello'), 'application/pdf', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  'a document that is a picture': [png(1, 1), 'application/pdf', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  'a form of fields': ['a=b', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  'a form without a boundary': ['a=b', 'multipart/form-data', 400, 'VALIDATION_ERROR'],
  'a form that is cut off': ['--x\r\n', 'multipart/form-data; boundary=x', 400, 'VALIDATION_ERROR'],
  nothing: [new Uint8Array(), 'image/png', 400, 'VALIDATION_ERROR'],
};

test.each(Object.entries(badUploads))(
  'an upload is refused: %s',
  async (_name, [raw, type, status, code]) => {
    const account = await openAccount();
    expect(await upload(account, raw, type)).toMatchObject({ status, body: { error: { code } } });
    expect((await env.MEDIA.list({ prefix: account.accountId })).objects).toEqual([]);
  },
);

test('a file over the limit of its kind is refused with the limit, and leaves nothing', async () => {
  const account = await openAccount();
  const large = new Uint8Array(16 * mebibyte + 1);
  large.set(png(2, 2));
  for (const raw of [withLength(large), new Blob([large]).stream()]) {
    expect(await upload(account, raw, 'image/png')).toMatchObject({
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE', details: [{ kind: 'image', bytesMax: 16 * mebibyte }] } },
    });
  }
  expect((await env.MEDIA.list({ prefix: account.accountId })).objects).toEqual([]);
  const largest = large.subarray(0, 16 * mebibyte);
  for (const raw of [withLength(largest), new Blob([largest]).stream()])
    expect((await upload(account, raw, 'image/png')).status).toBe(201);
  // As a document it may be sent.
  expect((await upload(account, withLength(large), 'application/octet-stream')).status).toBe(201);
});

test('a part of a file is what Range asks for', async () => {
  const account = await openAccount();
  const bytes = text.encode('0123456789');
  const { body } = await upload(account, bytes, 'text/plain');
  const path = `/v1/media/${body.mediaId}`;
  const part = async (headers: Record<string, string>) => {
    const answer = await fetchFile(path, { ...account.server, ...headers });
    const { status } = answer;
    return [
      status,
      answer.headers.get('Content-Range'),
      status < 300 ? new TextDecoder().decode(answer.bytes) : '',
    ];
  };
  expect(await part({ Range: 'bytes=2-4' })).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await part({ Range: 'bytes=7-' })).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await part({ Range: 'bytes=-3' })).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await part({ Range: 'bytes=0-999' })).toEqual([206, 'bytes 0-9/10', '0123456789']);
  expect(await part({ Range: 'bytes=0-1,4-5' })).toEqual([200, null, '0123456789']);
  expect(await part({ Range: 'bytes=10-' })).toEqual([416, 'bytes */10', '']);
  const { headers } = await fetchFile(path, { ...account.server, Range: 'bytes=2-4' });
  expect(headers.get('Content-Length')).toBe('3');
  expect(await part({ Range: 'bytes=2-4', 'If-Range': '"other"' })).toEqual([200, null, '0123456789']);
});

test('files are an account’s own, and need the scope; whoever is signed in may send and fetch them', async () => {
  const [account, stranger] = [await openAccount(), await openAccount()];
  const { body } = await upload(account, png(1, 1), 'image/png');
  expect(body).not.toHaveProperty('keyId');
  const path = `/v1/media/${body.mediaId}`;
  const status = async (headers: Record<string, string>) => (await fetchFile(path, headers)).status;
  expect(await status(stranger.server)).toBe(404);
  expect(await status({})).toBe(401);
  expect(await status(await keyWith({ account } as never, ['messages:read']))).toBe(403);
  expect(await status(account.owner)).toBe(200);
  const { email, password } = await addAgent(account);
  const { token } = (await ask('POST', '/v1/auth/login', { json: { email, password } })).body;
  expect(await status({ Authorization: `Bearer ${token}` })).toBe(200);
});

test('a signed URL is good for an hour and for its file alone, and survives a change of the secret', async () => {
  const account = await openAccount();
  const [one, other] = [
    await upload(account, png(1, 1), 'image/png'),
    await upload(account, png(2, 2), 'image/png'),
  ];
  const sign = (now: number, secret = env.MEDIA_URL_SECRET) =>
    signedMediaUrl({ MEDIA_URL_SECRET: secret }, '', account.accountId, one.body.mediaId, now);
  const status = async (path: string) => (await fetchFile(path, {})).status;
  const url = sign(Date.now());
  const logged = vi.spyOn(console, 'log');
  onTestFinished(() => logged.mockRestore());
  expect(await status(url)).toBe(200);
  // It says itself whose file it is, and the log does too.
  expect(JSON.parse(String(logged.mock.lastCall))).toMatchObject({ accountId: account.accountId });
  expect(await status(sign(Date.now() - 3_599_000))).toBe(200);
  expect(await status(sign(Date.now() - 3_601_000))).toBe(403);
  expect(await status(sign(Date.now(), 'another secret'))).toBe(403);
  expect(await status(url.replace(one.body.mediaId, other.body.mediaId))).toBe(403);
  expect(await status(url.replace(account.accountId, crypto.randomUUID()))).toBe(403);
  expect(await status(url.replace(/expires=(\d)/, 'expires=9$1'))).toBe(403);
  expect(await status(url.replace(/&?account=[^&]*/, ''))).toBe(403);
  const { app } = await import('../../../src/worker/app.ts');
  const changed = {
    ...env,
    MEDIA_URL_SECRET: 'another-media-url-secret-of-32-characters',
    MEDIA_URL_SECRET_PREVIOUS: env.MEDIA_URL_SECRET,
  };
  expect((await app.request(`https://gateway.test${url}`, {}, changed)).status).toBe(200);
  expect(
    (
      await app.request(
        `https://gateway.test${url}`,
        {},
        { ...env, MEDIA_URL_SECRET: 'another-media-url-secret-of-32-characters' },
      )
    ).status,
  ).toBe(403);
});

test('a file that has expired is none', async () => {
  const account = await openAccount();
  const { body } = await upload(account, png(1, 1), 'image/png');
  vi.setSystemTime(Date.now() + 30 * 24 * 3600 * 1000 + 1000);
  try {
    const url = signedMediaUrl(env, '', account.accountId, body.mediaId, Date.now());
    expect((await fetchFile(url, {})).status).toBe(404);
  } finally {
    vi.useRealTimers();
  }
});
