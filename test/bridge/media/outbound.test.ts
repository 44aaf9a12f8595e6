import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { downloadMediaMessage } from '@whiskeysockets/baileys';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { FileContent } from '../../../src/contract/messages/content.ts';
import type { RunningBridge } from '../../../src/session-bridge/bridge.ts';
import { LinkedClient } from '../../simulator/stage/linked-client.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { newPhone, Stage } from '../stage.ts';
import { mp3, oggOf } from './sound-samples.ts';

const stage = Stage.open();
let home: string;
let bridge: RunningBridge;
let number: FakeNumber;

beforeAll(async () => {
  home = await stage.newHome();
  bridge = await stage.startBridge(home);
  ({ number } = await stage.pairedNumber(bridge.bridgeId));
});

/** A file at the edge, and a message that carries it. */
function withFile(
  type: FileContent['type'],
  bytes: Buffer,
  more: Partial<FileContent['media']> = {},
): FileContent {
  const mediaId = randomUUID();
  stage.edge.files.add(mediaId, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { type, media: { mediaId, mimetype: 'application/pdf', bytes: bytes.length, sha256, ...more } };
}

function send(to: string, content: FileContent): OutboundMessage {
  const [message] = number.send({ to, text: '', content });
  if (!message) throw new Error('nothing was sent');
  return message;
}

const uploads = async () => (await stage.admin<{ uploads: number }>('GET', 'network')).uploads;
const isSettled = (message: OutboundMessage) =>
  stage.edge.until('it is settled', () => number.outcomeOf(message) !== undefined);

/** A client that is linked to the recipient, as somebody's second device. */
async function reader(): Promise<{ phone: string; client: LinkedClient }> {
  const phone = newPhone();
  const client = await new LinkedClient(stage.socketUrl).pair(stage.adminUrl, phone);
  stage.atEnd(() => client.disconnect());
  return { phone, client };
}

async function received(client: LinkedClient, { providerMessageId }: OutboundMessage) {
  const find = () => client.messages.find(({ key }) => key.id === providerMessageId);
  await stage.edge.until('the file arrives', () => find() !== undefined);
  const message = find();
  if (!message) throw new Error('no message');
  return { message, bytes: await downloadMediaMessage(message, 'buffer', {}) };
}

test('a document arrives byte for byte, with its name and its words', async () => {
  const { phone, client } = await reader();
  const bytes = randomBytes(300_001);
  const sent = send(phone, withFile('document', bytes, { fileName: 'invoice.pdf', caption: 'for March' }));
  const { message, bytes: opened } = await received(client, sent);
  expect(opened.equals(bytes)).toBe(true);
  expect(message.message?.documentMessage).toMatchObject({
    fileName: 'invoice.pdf',
    caption: 'for March',
    mimetype: 'application/pdf',
  });
  await isSettled(sent);
  expect(number.outcomeOf(sent)?.outcome).toBe('sent');
});

test('pictures, films, sound and stickers go as what they are', async () => {
  const { phone, client } = await reader();
  const contents: FileContent[] = [
    { ...withFile('image', randomBytes(5_000), { mimetype: 'image/jpeg', width: 40, height: 30 }) },
    { ...withFile('video', randomBytes(5_000), { mimetype: 'video/mp4', durationSeconds: 3 }) },
    withFile('audio', await oggOf([randomBytes(100)]), {
      mimetype: 'audio/ogg',
      durationSeconds: 2,
      voice: true,
    }),
    withFile('sticker', randomBytes(5_000), { mimetype: 'image/webp' }),
  ];
  const messages: Record<string, unknown> = {};
  for (const content of contents) {
    const { message, bytes } = await received(client, send(phone, content));
    expect(bytes.equals(stage.edge.files.stored.get(content.media.mediaId) as Buffer)).toBe(true);
    Object.assign(messages, message.message);
  }
  expect(messages).toMatchObject({
    imageMessage: { mimetype: 'image/jpeg', width: 40, height: 30 },
    videoMessage: { mimetype: 'video/mp4', seconds: 3 },
    audioMessage: { mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 2 },
    stickerMessage: { mimetype: 'image/webp' },
  });
});

test('an MP3 arrives as the voice note that was asked for, and as the file where none was', async () => {
  const { phone, client } = await reader();
  const content = withFile('audio', mp3, { mimetype: 'audio/mpeg' });
  const voice: FileContent = { ...content, type: 'audio', media: { ...content.media, voice: true } };
  const { message, bytes } = await received(client, send(phone, voice));
  const { mimetype, ptt, seconds, waveform, fileLength } = message.message?.audioMessage ?? {};
  expect({ mimetype, ptt, seconds }).toEqual({ mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 1 });
  expect(waveform).toHaveLength(64);
  expect(bytes.subarray(0, 4).toString()).toBe('OggS');
  expect(Number(fileLength)).toBe(bytes.length);
  // The next recipient of the same sound gets the note that was made of it.
  const before = await uploads();
  await isSettled(send(newPhone(), voice));
  expect(await uploads()).toBe(before);
  const asFile = await received(client, send(phone, content));
  expect(asFile.message.message?.audioMessage).toMatchObject({ mimetype: 'audio/mpeg' });
  expect(asFile.message.message?.audioMessage?.ptt).toBeFalsy();
  expect(asFile.bytes.equals(mp3)).toBe(true);
});

test('sound of which no voice note can be made fails with the reason, and the next message goes', async () => {
  const to = newPhone();
  const broken = withFile('audio', randomBytes(2_000), { mimetype: 'audio/mpeg', voice: true });
  const vorbis = withFile('audio', Buffer.from(`OggS${'\0'.repeat(25)}vorbis`), {
    mimetype: 'audio/ogg',
    voice: true,
  });
  for (const content of [broken, vorbis]) {
    const message = send(to, content);
    await isSettled(message);
    expect(number.outcomeOf(message)).toMatchObject({
      outcome: 'failed',
      code: null,
      refusal: 'file',
      errorMessage: expect.stringMatching(/^The file cannot be made a voice note: /),
    });
  }
  const text = number.send({ to, text: 'then in words' })[0] as OutboundMessage;
  await isSettled(text);
  expect(await stage.arrivalsAt(to)).toHaveLength(1);
});

test('a picture that may be seen once says so', async () => {
  const { phone, client } = await reader();
  const content = withFile('image', randomBytes(1_000), { mimetype: 'image/jpeg' }) as FileContent & {
    type: 'image';
  };
  const sent = send(phone, { ...content, viewOnce: true });
  const find = () => client.messages.find(({ key }) => key.id === sent.providerMessageId);
  await stage.edge.until('it arrives', () => find() !== undefined);
  expect(find()?.message?.viewOnceMessage?.message?.imageMessage?.viewOnce).toBe(true);
});

test('a picture shows a small one of itself before it is there, but for one that may be seen once', async () => {
  const { phone, client } = await reader();
  const raw = { width: 600, height: 400, channels: 3 as const };
  const picture = await sharp(randomBytes(600 * 400 * 3), { raw })
    .jpeg()
    .toBuffer();
  const content = withFile('image', picture, { mimetype: 'image/jpeg' }) as FileContent & { type: 'image' };
  const { message } = await received(client, send(phone, content));
  const { jpegThumbnail, width, height } = message.message?.imageMessage ?? {};
  expect([width, height]).toEqual([600, 400]);
  expect(await sharp(jpegThumbnail as Uint8Array).metadata()).toMatchObject({
    format: 'jpeg',
    width: 72,
    height: 48,
  });
  const once = send(phone, { ...content, viewOnce: true });
  const find = () => client.messages.find(({ key }) => key.id === once.providerMessageId);
  await stage.edge.until('it arrives', () => find() !== undefined);
  const seenOnce = find()?.message?.viewOnceMessage?.message?.imageMessage;
  expect(seenOnce?.width).toBe(600);
  expect(seenOnce?.jpegThumbnail?.length ?? 0).toBe(0);
});

test('one upload serves all recipients of a file, also those that come after a restart of the bridge', async () => {
  const content = withFile('document', randomBytes(20_000));
  const before = await uploads();
  const first = Array.from({ length: 5 }, () => send(newPhone(), content));
  for (const message of first) await isSettled(message);
  expect(await uploads()).toBe(before + 1);
  await bridge.close();
  bridge = await stage.startBridge(home);
  const sessions = number.factsOf('session.connected').length;
  await stage.edge.until('it is back', () => number.factsOf('session.connected').length > sessions - 1);
  const { phone, client } = await reader();
  const { bytes } = await received(client, send(phone, content));
  expect(bytes.equals(stage.edge.files.stored.get(content.media.mediaId) as Buffer)).toBe(true);
  expect(await uploads()).toBe(before + 1);
});

test('a file that the edge does not have, or that is another one, is never sent, and the reason is told', async () => {
  const gone = withFile('document', randomBytes(100));
  stage.edge.files.stored.delete(gone.media.mediaId);
  const other = withFile('document', randomBytes(100));
  stage.edge.files.add(other.media.mediaId, randomBytes(100));
  for (const content of [gone, other]) {
    const to = newPhone();
    const message = send(to, content);
    await isSettled(message);
    expect(number.outcomeOf(message)).toMatchObject({
      outcome: 'failed',
      code: null,
      errorMessage: expect.stringContaining('Its file could not be uploaded'),
    });
    expect(await stage.arrivalsAt(to)).toEqual([]);
  }
});

test('while the network takes no uploads texts still go, and the file goes when it does again', async () => {
  await stage.admin('PATCH', 'network', { refuseUploads: true });
  const [waiting, to] = [newPhone(), newPhone()];
  const text = number.send({ to, text: 'meanwhile' })[0] as OutboundMessage;
  await isSettled(text);
  const file = send(waiting, withFile('document', randomBytes(1_000)));
  await stage.admin('PATCH', 'network', { refuseUploads: false });
  await isSettled(file);
  expect(number.outcomeOf(file)?.outcome).toBe('sent');
});

test('texts go out while a file stands still on its way, and what is behind it in its own chat waits for it', async () => {
  await stage.admin('PATCH', 'network', { holdMedia: true });
  const [slow, other] = [newPhone(), newPhone()];
  const file = send(slow, withFile('document', randomBytes(400_000)));
  const behind = number.send({ to: slow, text: 'behind it' })[0] as OutboundMessage;
  const text = number.send({ to: other, text: 'meanwhile' })[0] as OutboundMessage;
  await isSettled(text);
  expect(number.outcomeOf(text)?.outcome).toBe('sent');
  const held = async () => (await stage.admin<{ heldMedia: number }>('GET', 'network')).heldMedia;
  await expect.poll(held).toBeGreaterThan(0);
  expect([number.outcomeOf(file), number.outcomeOf(behind)]).toEqual([undefined, undefined]);
  await stage.admin('PATCH', 'network', { holdMedia: false });
  await isSettled(file);
  await isSettled(behind);
  expect((await stage.arrivalsAt(slow)).map(({ id }) => id)).toEqual([
    file.providerMessageId,
    behind.providerMessageId,
  ]);
});
