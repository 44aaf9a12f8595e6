import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { downloadMediaMessage } from '@whiskeysockets/baileys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOk, arrivals } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const trusted = getCACertificates('default');

beforeAll(async () => {
  simulator = await runSimulator();
  setDefaultCACertificates([...trusted, readFileSync(simulator.certificatePath, 'utf8')]);
  client = await new LinkedClient(`wss://127.0.0.1:${simulator.tlsPort}/ws/chat`).pair(
    `https://127.0.0.1:${simulator.tlsPort}`,
    own,
  );
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
  setDefaultCACertificates(trusted);
});

test('a document that a phone sends is downloaded and opened over TLS', async () => {
  const file = randomBytes(70_000);
  const { id } = await adminOk(simulator.adminUrl, 'POST', `phones/${freshPhone()}/media`, {
    to: own,
    kind: 'document',
    mimetype: 'application/pdf',
    base64: file.toString('base64'),
    fileName: 'invoice.pdf',
  });
  await until(() => client.messages.some((message) => message.key.id === id), 'the document');
  const message = client.messages.find((one) => one.key.id === id);
  expect(message?.message?.documentMessage?.fileName).toBe('invoice.pdf');
  if (!message) throw new Error('no document');
  expect(file.equals(await downloadMediaMessage(message, 'buffer', {}))).toBe(true);
});

test('a document that the client sends is uploaded over TLS and can be downloaded by who gets it', async () => {
  const phone = freshPhone();
  const reader = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  const file = randomBytes(50_000);
  const sent = await client.socket.sendMessage(`${phone}@s.whatsapp.net`, {
    document: file,
    mimetype: 'application/pdf',
    fileName: 'report.pdf',
    caption: 'the report',
  });
  const id = sent?.key.id;
  await until(() => reader.messages.some((message) => message.key.id === id), 'the document');
  const message = reader.messages.find((one) => one.key.id === id);
  if (!message) throw new Error('no document');
  expect(file.equals(await downloadMediaMessage(message, 'buffer', {}))).toBe(true);
  const [row] = await arrivals(simulator.adminUrl, phone);
  expect(row).toMatchObject({ id, text: 'the report', count: 1 });
  await reader.disconnect();
});

test('media that nobody uploaded are not there', async () => {
  const response = await fetch(`https://127.0.0.1:${simulator.tlsPort}/v/t62/${'0'.repeat(64)}`);
  expect(response.status).toBe(404);
});

const media = (path: string, init: RequestInit = {}) =>
  fetch(`https://127.0.0.1:${simulator.tlsPort}${path}`, init);

/** What a phone sends, as the client has it. */
async function documentFrom(phone: string, file: Buffer) {
  const { id } = await adminOk(simulator.adminUrl, 'POST', `phones/${phone}/media`, {
    to: own,
    kind: 'document',
    mimetype: 'application/pdf',
    base64: file.toString('base64'),
  });
  await until(() => client.messages.some((message) => message.key.id === id), 'the document');
  const message = client.messages.find((one) => one.key.id === id);
  if (!message) throw new Error('no document');
  return message;
}

test('a part of a file is what Range asks for', async () => {
  const message = await documentFrom(freshPhone(), randomBytes(5_000));
  const path = message.message?.documentMessage?.directPath ?? '';
  const whole = Buffer.from(await (await media(path)).arrayBuffer());
  const part = await media(path, { headers: { range: 'bytes=100-199' } });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 100-199/${whole.length}`);
  expect(whole.subarray(100, 200).equals(Buffer.from(await part.arrayBuffer()))).toBe(true);
  expect((await media(path, { headers: { range: 'bytes=99999-' } })).status).toBe(416);
});

test('an upload is taken with the authorisation of now, with the hash that it announces, and within its size', async () => {
  const { auth } = await client.socket.refreshMediaConn(true);
  const upload = (body: Buffer, token: string, withAuth = auth, kind = 'document') =>
    media(`/mms/${kind}/${token}?auth=${encodeURIComponent(withAuth)}&token=${token}`, {
      method: 'POST',
      body,
    });
  const body = randomBytes(1_000);
  const token = createHash('sha256').update(body).digest('base64url');
  expect((await upload(body, token)).status).toBe(200);
  expect((await upload(body, token, 'of yesterday')).status).toBe(401);
  expect((await upload(randomBytes(1_000), token)).status).toBe(400);
  const large = Buffer.alloc(17 * 1024 * 1024);
  const largeToken = createHash('sha256').update(large).digest('base64url');
  expect((await upload(large, largeToken, auth, 'image')).status).toBe(413);
  expect((await upload(large, largeToken)).status).toBe(200);
});

test('a file that the network has forgotten is uploaded again by the phone that sent it, when the client asks', async () => {
  const file = randomBytes(20_000);
  const message = await documentFrom(freshPhone(), file);
  await adminOk(simulator.adminUrl, 'POST', 'media/forget');
  expect((await media(message.message?.documentMessage?.directPath ?? '')).status).toBe(410);
  const updated = await client.socket.updateMediaMessage(message);
  expect(file.equals(await downloadMediaMessage(updated, 'buffer', {}))).toBe(true);
});

test('while nothing is taken the phone cannot upload it again either', async () => {
  const message = await documentFrom(freshPhone(), randomBytes(2_000));
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { refuseUploads: true });
  await expect(client.socket.updateMediaMessage(message)).rejects.toThrow();
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { refuseUploads: false });
});

test('while media are corrupt, what is downloaded has another last byte', async () => {
  const message = await documentFrom(freshPhone(), randomBytes(3_000));
  const path = message.message?.documentMessage?.directPath ?? '';
  const bytes = async () => Buffer.from(await (await media(path)).arrayBuffer());
  const right = await bytes();
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { corruptMedia: true });
  const wrong = await bytes();
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { corruptMedia: false });
  expect(wrong.length).toBe(right.length);
  expect(wrong.subarray(0, -1).equals(right.subarray(0, -1))).toBe(true);
  expect(wrong.at(-1)).not.toBe(right.at(-1));
});
