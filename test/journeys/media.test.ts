import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { downloadMediaMessage, type WAMessage } from '@whiskeysockets/baileys';
import sharp from 'sharp';
import { afterAll, describe, expect } from 'vitest';
import { LinkedClient } from '../simulator/stage/linked-client.ts';
import { waitUntil } from '../wait-until.ts';
import { type ArrivedMessage, Customer } from './stage/customer.ts';
import type { GatewayProcess, Part } from './stage/gateway-process.ts';
import { test } from './stage/workers-gateway.ts';

let gateway: GatewayProcess;
let customer: Customer;
/** Another device of the recipient: an unmodified client, which opens what it gets. */
let reader: LinkedClient;
const trusted = getCACertificates('default');

test.beforeAll(async ({ gateway: workers }) => {
  gateway = workers;
  const certificate = readFileSync(join(gateway.home, 'simulator', 'certificate.pem'), 'utf8');
  setDefaultCACertificates([...trusted, certificate]);
  customer = await Customer.join(gateway);
  const { socketUrl, adminUrl } = gateway.local.simulator ?? { socketUrl: '', adminUrl: '' };
  reader = await new LinkedClient(socketUrl).pair(adminUrl, customer.recipient);
});

afterAll(async () => {
  setDefaultCACertificates(trusted);
  await reader?.disconnect();
  await customer?.leave();
});

type Data = Record<string, unknown>;
interface Media {
  mediaId: string;
  mimetype: string;
  bytes: number;
  sha256: string;
  status: string;
  url?: string;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const callbacksOf = (event: string, data: Data) =>
  customer.receiver.callbacks.filter(
    (callback) =>
      callback.event === event &&
      Object.entries(data).every(([name, value]) => callback.data[name] === value),
  );

function told(event: string, data: Data): Promise<Data> {
  return waitUntil(`${event} with ${JSON.stringify(data)} did not arrive`, async () => {
    return (callbacksOf(event, data)[0]?.data as Data | undefined) ?? null;
  });
}

/** Uploads a file and sends it to the recipient; the id of the message. */
async function sendFile(type: string, bytes: Buffer, mimetype: string, more: Data = {}): Promise<string> {
  const upload = await fetch(`http://127.0.0.1:${gateway.environment.PORT}/v1/media`, {
    method: 'POST',
    headers: { 'x-api-key': customer.apiKey, 'content-type': mimetype },
    body: new Uint8Array(bytes),
  });
  const { mediaId } = (await upload.json()) as Media;
  const body = { to: customer.recipient, type, [type]: { mediaId, ...more } };
  const response = await customer.sendOnce(body, randomUUID());
  expect(response.status).toBe(202);
  return ((await response.json()) as { messageId: string }).messageId;
}

const recordOf = (messageId: unknown) => customer.get<Data>(`/v1/messages/${messageId}`);

async function arrivalsOf(messageId: string): Promise<ArrivedMessage[]> {
  const { providerMessageId } = await recordOf(messageId);
  return (await customer.arrived()).filter(({ id }) => id === providerMessageId);
}

/** The message as the recipient's own client got it, and its file. */
async function read(messageId: string): Promise<{ message: WAMessage; bytes: Buffer }> {
  await told('message.delivered', { messageId });
  const { providerMessageId } = await recordOf(messageId);
  const message = await waitUntil('The file did not reach the client', async () => {
    return reader.messages.find(({ key, message }) => key.id === providerMessageId && message) ?? null;
  });
  return { message, bytes: await downloadMediaMessage(message, 'buffer', {}) };
}

/** The phone of the recipient sends a file; the network's id. */
async function write(media: Data): Promise<string> {
  const path = `/admin/phones/${customer.recipient}/messages`;
  return (await customer.simulator<{ id: string }>('POST', path, { to: customer.phoneNumber, media })).id;
}

/** What the events of a file that came in say of it, once it is there, and its bytes by the URL they give. */
async function fileOf(providerMessageId: string): Promise<{ media: Media; bytes: Buffer }> {
  const received = await told('message.received', { providerMessageId });
  let media = received.media as Media;
  if (media.status === 'pending') {
    media = (await told('message.media', { messageId: received.messageId })).media as Media;
  }
  expect(media.status).toBe('ready');
  const response = await fetch(media.url ?? '');
  expect(response.status).toBe(200);
  return { media, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('files, through real processes', () => {
  test('a picture goes out and comes in, and is the same byte for byte', async () => {
    const noise = { width: 400, height: 300, channels: 3 as const };
    const picture = await sharp(randomBytes(400 * 300 * 3), { raw: noise })
      .jpeg()
      .toBuffer();
    const messageId = await sendFile('image', picture, 'image/jpeg', { caption: 'the roof' });
    const { message, bytes } = await read(messageId);
    expect(bytes.equals(picture)).toBe(true);
    expect(message.message?.imageMessage).toMatchObject({ caption: 'the roof', width: 400, height: 300 });
    expect(await recordOf(messageId)).toMatchObject({
      messageType: 'image',
      text: 'the roof',
      media: { bytes: picture.length, sha256: sha256(picture), width: 400, height: 300 },
    });
    const id = await write({ kind: 'image', mimetype: 'image/jpeg', base64: picture.toString('base64') });
    const { media, bytes: opened } = await fileOf(id);
    expect(opened.equals(picture)).toBe(true);
    expect(media).toMatchObject({ mimetype: 'image/jpeg', bytes: picture.length, sha256: sha256(picture) });
  });

  test('a message to a group mentions a member, and each who has it and has read it is told', async () => {
    const [first, second] = ['1666', '1777'].map((start) => start + randomInt(1e6, 1e7)) as [string, string];
    for (const phone of [first, second])
      await customer.scriptPhone({ autoDeliver: true, autoRead: phone === first }, phone);
    const { id: groupId } = await customer.simulator<{ id: string }>('POST', '/admin/groups', {
      subject: 'Roofers',
      members: [first, second, customer.phoneNumber],
    });
    const body = { to: groupId, text: `@${second} is here`, mentions: [second] };
    const response = await customer.sendOnce(body, randomUUID());
    const { messageId, chatType } = (await response.json()) as { messageId: string; chatType: string };
    expect([response.status, chatType]).toEqual([202, 'group']);
    await told('message.delivered', { messageId, chat: groupId, isGroup: true });
    const receipts = await waitUntil('Not every member has confirmed it', async () => {
      const { receipts = [] } = (await recordOf(messageId)) as { receipts?: Data[] };
      const isWhole =
        receipts.filter(({ deliveredAt }) => deliveredAt).length === 2 &&
        receipts.some(({ readAt }) => readAt);
      return isWhole ? receipts : null;
    });
    expect(receipts.map(({ phoneNumber, readAt }) => [phoneNumber, readAt !== null]).sort()).toEqual([
      [first, true],
      [second, false],
    ]);
    const { data } = await customer.simulator<{ data: (ArrivedMessage & Data)[] }>(
      'GET',
      `/admin/messages?to=${groupId}`,
    );
    expect(data).toMatchObject([{ text: `@${second} is here`, count: 1, mentions: [second] }]);
  });

  test('a change that the network refuses stands on the record of the message, with the reason', async () => {
    const { messageId } = await customer.send('with a mistaek');
    await told('message.delivered', { messageId });
    await customer.scriptPhone({ rejectWith: '406' });
    await customer.admin('PATCH', `/v1/messages/${messageId}`, { text: 'without a mistake' });
    const record = await waitUntil('The record does not tell', async () => {
      const found = await recordOf(messageId);
      return found.failedActions === undefined ? null : found;
    });
    await customer.scriptPhone({ rejectWith: null });
    expect(record).toMatchObject({
      text: 'with a mistaek',
      status: expect.stringMatching(/delivered|read/),
      failedActions: [{ action: 'edit', errorCode: 'network_406', errorMessage: expect.any(String) }],
    });
  });
});

const parts: [string, Part][] = [
  ['the bridge', 'bridge'],
  ["the Worker's runtime", 'workerd'],
];

describe('kill -9 while a file stands still halfway', () => {
  const hold = (holdMedia: boolean) => customer.simulator('PATCH', '/admin/network', { holdMedia });
  const isHeld = () =>
    waitUntil('No file was on its way', async () => {
      const { heldMedia } = await customer.simulator<{ heldMedia: number }>('GET', '/admin/network');
      return heldMedia > 0 ? true : null;
    });

  test.for(parts)('of %s: on its way out it arrives once, and whole', async ([, part]) => {
    const document = randomBytes(700_001);
    await hold(true);
    const messageId = await sendFile('document', document, 'application/octet-stream', {
      fileName: 'plan.bin',
    });
    await isHeld();
    await gateway.killAndAwaitRestart(part);
    await hold(false);
    const { bytes } = await read(messageId);
    expect(bytes.equals(document)).toBe(true);
    expect(await arrivalsOf(messageId)).toMatchObject([{ count: 1 }]);
    for (const event of ['message.queued', 'message.sent', 'message.delivered']) {
      expect(new Set(callbacksOf(event, { messageId }).map(({ id }) => id)).size).toBe(1);
    }
  });

  test.for(parts)('of %s: on its way in it is told once, and whole', async ([, part]) => {
    const document = randomBytes(700_001);
    await hold(true);
    const base64 = document.toString('base64');
    const id = await write({
      kind: 'document',
      mimetype: 'application/octet-stream',
      base64,
      fileName: 'plan.bin',
    });
    await isHeld();
    await gateway.killAndAwaitRestart(part);
    await hold(false);
    const { bytes } = await fileOf(id);
    expect(bytes.equals(document)).toBe(true);
    const ids = callbacksOf('message.received', { providerMessageId: id }).map((callback) => callback.id);
    expect(new Set(ids).size).toBe(1);
  });
});
