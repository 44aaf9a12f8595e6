import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { beginning, oggOpus, png, webp, withLength } from './media-samples.ts';

const to = '628123456789';
const mebibyte = 1024 * 1024;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

async function ready(): Promise<TestAccount> {
  const account = await openAccount();
  await addConnectedNumber(account);
  return account;
}

const send = (account: TestAccount, json: object, headers: Record<string, string> = {}) =>
  ask('POST', '/v1/messages/send', { headers: { ...account.server, ...headers }, json: { to, ...json } });

async function store(account: TestAccount, raw: BodyInit, type: string, query = ''): Promise<string> {
  const { body } = await ask('POST', `/v1/media${query}`, {
    headers: { ...account.server, 'Content-Type': type },
    raw,
  });
  return body.mediaId;
}

const record = async (account: TestAccount, messageId: string) =>
  (await ask('GET', `/v1/messages/${messageId}`, { headers: account.server })).body;

const filesOf = async ({ accountId }: TestAccount) =>
  (await env.MEDIA.list({ prefix: accountId })).objects.filter(({ key }) => key.endsWith('/bytes')).length;

test('a file in the request is taken as programs write it: with its type as HTTP has it, as a data URI, in lines', async () => {
  const account = await ready();
  const data = base64(oggOpus(4));
  const sound = [
    { data, mimetype: 'Audio/Ogg; codecs=opus', voice: true },
    { data: `data:audio/ogg; codecs=opus;base64,${data}`, voice: true },
    { data: data.replaceAll(/.{76}/g, '$&\r\n'), voice: true },
    { data: Buffer.from(oggOpus(4)).toString('base64url'), voice: true },
  ];
  for (const audio of sound) {
    const sent = await send(account, { type: 'audio', audio });
    expect(sent, sent.text).toMatchObject({ status: 202 });
    expect((await record(account, sent.body.messageId)).media).toMatchObject({ mimetype: 'audio/ogg' });
  }
  const typo = await send(account, { type: 'audio', audio: { data, mimetype: 'sound' } });
  expect(typo.body.error.details).toEqual([
    { path: 'audio.mimetype', message: 'Not a media type, such as image/jpeg.' },
  ]);
});

test('a stored file is sent by its id, and stands on the record with a URL that needs no credential', async () => {
  const account = await ready();
  const mediaId = await store(account, png(64, 48), 'image/png', '?fileName=cat.png');
  const image = { mediaId, caption: 'On its way' };
  const sent = await send(account, { type: 'image', image });
  expect(sent).toMatchObject({ status: 202, body: { messageType: 'image', status: 'queued' } });
  const message = await record(account, sent.body.messageId);
  expect(message).toMatchObject({
    messageType: 'image',
    text: 'On its way',
    media: { mediaId, mimetype: 'image/png', bytes: 64, width: 64, height: 48, status: 'ready' },
  });
  // Only documents go under a name.
  expect(message.media).not.toHaveProperty('fileName');
  const { pathname, search } = new URL(message.media.url);
  const file = await ask('GET', pathname + search);
  expect(file.status).toBe(200);
  const listed = await ask('GET', '/v1/messages?type=image&q=way', { headers: account.server });
  expect(listed.body.data).toMatchObject([{ messageId: sent.body.messageId, media: { mediaId } }]);
});

test('a file in the request is stored before the 202, and the same bytes are stored once', async () => {
  const account = await ready();
  const json = { type: 'document', document: { data: base64(png(3, 3)), fileName: 'a.png' } };
  const headers = { 'Idempotency-Key': 'order-1' };
  const first = await send(account, json, headers);
  expect(first.status).toBe(202);
  const repeat = await send(account, json, headers);
  expect(repeat.body).toEqual(first.body);
  expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
  await send(account, json);
  expect(await filesOf(account)).toBe(1);
  const other = { type: 'document', document: { data: base64(png(4, 4)), fileName: 'a.png' } };
  expect(await send(account, other, headers)).toMatchObject({
    status: 409,
    body: { error: { code: 'IDEMPOTENCY_CONFLICT' } },
  });
  const message = await record(account, first.body.messageId);
  expect(message.media).toMatchObject({ mimetype: 'image/png', fileName: 'a.png', status: 'ready' });
});

test('the same bytes are stored anew when their file goes within a week: the message may wait', async () => {
  const account = await ready();
  const json = { type: 'document', document: { data: base64(png(5, 5)), fileName: 'a.png' } };
  const day = 24 * 3_600_000;
  const begin = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const goesAt = async (sentAt: number) => {
    vi.setSystemTime(sentAt);
    expect((await send(account, json)).status).toBe(202);
    const { objects } = await env.MEDIA.list({ prefix: account.accountId });
    const about = objects.filter(({ key }) => key.endsWith('/about'));
    expect(about).toHaveLength(1);
    const known = await (await env.MEDIA.get(about[0]?.key ?? ''))?.json<{ expiresAt: string }>();
    return Date.parse(known?.expiresAt ?? '') - begin;
  };
  expect(await goesAt(begin)).toBe(30 * day);
  expect(await goesAt(begin + 22 * day)).toBe(30 * day);
  expect(await goesAt(begin + 24 * day)).toBe(54 * day);
});

test('a request with a file in it may have 7 MiB, and any other 1', async () => {
  const account = await ready();
  const data = base64(new Uint8Array(5 * mebibyte).fill(65));
  expect((await send(account, { type: 'document', document: { data } })).status).toBe(202);
  const tooLong = base64(new Uint8Array(5 * mebibyte + 3).fill(65));
  expect(await send(account, { type: 'document', document: { data: tooLong } })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'document.data' }] } },
  });
  const tooLarge = (bytesMax: number) => ({
    status: 413,
    body: {
      error: {
        code: 'PAYLOAD_TOO_LARGE',
        message: `The body is larger than ${bytesMax / mebibyte} MiB.`,
        details: [{ path: 'body', bytesMax }],
      },
    },
  });
  expect(await send(account, { text: 'x'.repeat(mebibyte) })).toMatchObject(tooLarge(mebibyte));
  const twice = { type: 'document', document: { data: data + data } };
  expect(await send(account, twice)).toMatchObject(tooLarge(7 * mebibyte));
});

test('type and bytes have to agree, and the limit of each kind holds', async () => {
  const account = await ready();
  const picture = await store(account, png(1, 1), 'image/png');
  const large = new Uint8Array(17 * mebibyte);
  large.set(png(2, 2));
  const largePicture = await store(account, withLength(large), 'application/octet-stream');
  const sticker = new Uint8Array(mebibyte);
  sticker.set(webp());
  const answers = [
    await send(account, { type: 'video', video: { mediaId: picture } }),
    await send(account, { type: 'sticker', sticker: { mediaId: picture } }),
    await send(account, { type: 'audio', audio: { data: base64(png(1, 1)) } }),
    await send(account, { type: 'image', image: { data: base64(png(1, 1)), mimetype: 'image/jpeg' } }),
    await send(account, { type: 'image', image: { mediaId: largePicture } }),
    await send(account, { type: 'sticker', sticker: { data: base64(sticker) } }),
    await send(account, { type: 'image', image: { data: base64(oggOpus(4)) } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([415, 415, 415, 415, 413, 413, 415]);
  expect(answers[0]?.body.error.message).toContain('a message of the type video takes video/mp4');
  expect(answers[5]?.body.error.message).toContain(`${mebibyte / 2} bytes`);
  const fields = answers.map(({ body }) => body.error.details[0].path);
  expect(fields.slice(0, 4)).toEqual(['video', 'sticker', 'audio.data', 'image.data']);
  expect(fields.slice(4)).toEqual([undefined, 'sticker.data', 'image.data']);
  const largest = await store(account, withLength(large.subarray(0, 16 * mebibyte)), 'image/png');
  expect((await send(account, { type: 'image', image: { mediaId: largest } })).status).toBe(202);
  expect((await send(account, { type: 'document', document: { mediaId: largePicture } })).status).toBe(202);
});

test('a voice note is Opus in Ogg and keeps its seconds', async () => {
  const account = await ready();
  const sent = await send(account, { type: 'audio', audio: { data: base64(oggOpus(4)), voice: true } });
  expect((await record(account, sent.body.messageId)).media).toMatchObject({
    voice: true,
    durationSeconds: 4,
    mimetype: 'audio/ogg',
  });
  // Nor does sound go under a name.
  const mediaId = await store(account, oggOpus(4), 'audio/ogg', '?fileName=note.ogg');
  const stored = await send(account, { type: 'audio', audio: { mediaId, voice: true } });
  expect((await record(account, stored.body.messageId)).media).not.toHaveProperty('fileName');
});

test.each(['audio/mpeg', 'audio/wav', 'audio/webm'])('a voice note may be given as %s', async (type) => {
  const account = await ready();
  const audio = { data: base64(beginning(type)), voice: true, mimetype: type };
  const sent = await send(account, { type: 'audio', audio });
  expect(sent, sent.text).toMatchObject({ status: 202 });
  const { media } = await record(account, sent.body.messageId);
  expect(media).toMatchObject({ mimetype: type, voice: true });
});

test('sound of which no voice note can be made is refused with what to send instead', async () => {
  const account = await ready();
  const audio = { data: base64(beginning('audio/mp4')), voice: true };
  const { status, body } = await send(account, { type: 'audio', audio });
  expect(status).toBe(415);
  expect(body.error.message).toContain('send Opus in Ogg, MP3, WAV, or WebM with Opus, or leave out `voice`');
  expect((await send(account, { type: 'audio', audio: { ...audio, voice: false } })).status).toBe(202);
});

test('data without a type is of the type that its name says', async () => {
  const account = await ready();
  const document = { data: base64(new TextEncoder().encode('name,phone\n')), fileName: 'list.csv' };
  const sent = await send(account, { type: 'document', document });
  expect(sent.status).toBe(202);
  const { body } = await ask('GET', `/v1/messages/${sent.body.messageId}`, { headers: account.server });
  expect(body.media).toMatchObject({ mimetype: 'text/csv', fileName: 'list.csv' });
});

test("another account's file is as one that does not exist", async () => {
  const [account, stranger] = [await ready(), await ready()];
  const mediaId = await store(stranger, png(1, 1), 'image/png');
  expect(await send(account, { type: 'image', image: { mediaId } })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'image.mediaId' }] } },
  });
});

test('a key that is revoked stores nothing', async () => {
  const account = await ready();
  await ask('DELETE', `/v1/auth/api-keys/${account.apiKeyId}`, { headers: account.owner });
  const message = { to, type: 'document', document: { data: base64(png(1, 1)) } };
  expect((await send(account, message)).status).toBe(401);
  const batch = { headers: account.server, json: { messages: [message] } };
  expect((await ask('POST', '/v1/messages/send-batch', batch)).status).toBe(401);
  expect(await filesOf(account)).toBe(0);
  // Nor is it told what would come of it.
  const dry = { headers: account.server, json: { to: 'nobody', text: 'hello' } };
  expect((await ask('POST', '/v1/messages/send?dryRun=true', dry)).status).toBe(401);
});

test('in a batch each message has its own file, and one without it stops no other', async () => {
  const account = await ready();
  const mediaId = await store(account, png(1, 1), 'image/png');
  const messages = [
    { to, type: 'image', image: { mediaId } },
    { to, type: 'image', image: { mediaId: crypto.randomUUID() } },
    { to, type: 'document', document: { data: base64(png(2, 2)) } },
  ];
  const answer = await ask('POST', '/v1/messages/send-batch', {
    headers: account.server,
    json: { messages },
  });
  expect(answer.body).toMatchObject({
    accepted: 2,
    refused: 1,
    data: [
      { messageType: 'image' },
      { error: { code: 'VALIDATION_ERROR', details: [{ path: 'image.mediaId' }] } },
      { messageType: 'document' },
    ],
  });
});

test('a dry run says the same of a file, and stores nothing', async () => {
  const account = await ready();
  const json = { to, type: 'document', document: { data: base64(png(1, 1)) } };
  const path = '/v1/messages/send?dryRun=true';
  const dry = await ask('POST', path, { headers: account.server, json });
  expect(dry).toMatchObject({ status: 200, body: { accepted: true, messageType: 'document' } });
  expect(await filesOf(account)).toBe(0);
  const unknown = { to, type: 'image', image: { mediaId: crypto.randomUUID() } };
  expect((await ask('POST', path, { headers: account.server, json: unknown })).status).toBe(400);
  for (const [image, status, code] of [
    [{ data: '' }, 400, 'VALIDATION_ERROR'],
    [{ data: 'aGVsbG8=' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ data: base64(png(1, 1)), mimetype: 'image/jpeg' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ] as const) {
    const refused = { status, body: { error: { code, details: [{ path: 'image.data' }] } } };
    const json = { to, type: 'image', image };
    for (const route of [path, '/v1/messages/send'])
      expect(await ask('POST', route, { headers: account.server, json }), route).toMatchObject(refused);
  }
});
