import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaKind } from '../../../src/contract/messages/media-kinds.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type { Preview } from '../../../src/session-bridge/media/previews/preview.ts';
import { Previews } from '../../../src/session-bridge/media/previews/previews.ts';
import { sealInto } from '../../../src/session-bridge/media/sealing.ts';
import { oggOf } from './sound-samples.ts';

let folder: string;
let previews: Previews;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridge-previews-'));
  previews = new Previews(makeLog('silent'));
});

afterAll(() => {
  previews.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is found out about a file that lies sealed on disk, as it does on its way to the network. */
async function previewOf(
  kind: MediaKind,
  bytes: Uint8Array,
  more: { mimetype?: string; isVoice?: boolean } = {},
): Promise<Preview> {
  const path = join(folder, randomUUID());
  async function* chunks() {
    yield bytes;
  }
  const { mediaKey } = await sealInto(path, chunks(), kind);
  return previews.of({
    path,
    kind,
    isVoice: false,
    mediaKey: mediaKey.toString('base64'),
    bytes: bytes.length,
    ...more,
  });
}

const noise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });

test('of a picture a small one, and its size as it is seen', async () => {
  const lying = await noise(400, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { thumbnail = '', width, height } = await previewOf('image', lying);
  expect([width, height]).toEqual([200, 400]);
  const small = Buffer.from(thumbnail, 'base64');
  expect(await sharp(small).metadata()).toMatchObject({ format: 'jpeg', width: 36, height: 72 });
  expect(small.length).toBeLessThan(6_000);
});

test('of a picture that is transparent, a small one on white', async () => {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const clear = await sharp({ create: { width: 80, height: 80, channels: 4, background } })
    .png()
    .toBuffer();
  const { thumbnail = '' } = await previewOf('image', clear);
  const { channels } = await sharp(Buffer.from(thumbnail, 'base64')).stats();
  for (const { min } of channels) expect(min).toBeGreaterThan(250);
});

test('of a sticker that moves, that it does', async () => {
  const raw = { width: 32, height: 64, channels: 3, pageHeight: 32 } as const;
  const moving = await sharp(randomBytes(32 * 64 * 3), { raw })
    .webp({ loop: 0 })
    .toBuffer();
  expect(await previewOf('sticker', moving)).toMatchObject({ width: 32, height: 32, isAnimated: true });
  const still = await noise(32, 32).webp().toBuffer();
  expect((await previewOf('sticker', still)).isAnimated).toBeUndefined();
});

test('a picture that would be too large when it is opened, or that is none, goes without', async () => {
  const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  const [large, broken, other] = await Promise.all([
    previewOf('image', bomb),
    previewOf('image', randomBytes(5_000)),
    // A decoder that is not let near anything.
    previewOf('image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  ]);
  expect([large, broken, other]).toEqual([{}, {}, {}]);
  expect((await previewOf('image', await noise(10, 10).png().toBuffer())).width).toBe(10);
});

test('of a voice note how long it is, and when it is loud', async () => {
  const silence = Uint8Array.of(0xf8, 0xff, 0xfe);
  const loud = () => Uint8Array.of(0xf8, ...randomBytes(150));
  const packets = Array.from({ length: 200 }, (_, index) => (index < 100 ? silence : loud()));
  const note = await oggOf(packets);
  const { seconds, waveform = '' } = await previewOf('audio', note, { mimetype: 'audio/ogg', isVoice: true });
  expect(seconds).toBe(4);
  const bars = [...Buffer.from(waveform, 'base64')];
  expect(bars).toHaveLength(64);
  expect(Math.max(...bars)).toBe(100);
  expect(Math.max(...bars.slice(0, 30))).toBeLessThan(Math.max(...bars.slice(33)) / 2);
  expect(await previewOf('audio', note, { mimetype: 'audio/ogg' })).toEqual({ seconds: 4 });
});

test('of a voice note of more than a quarter of an hour only how long it is', async () => {
  // Six frames of 20 ms in each.
  const silence = Uint8Array.of(0xfb, 6, ...Array.from({ length: 6 }, () => [0xff, 0xfe]).flat());
  const note = await oggOf(
    Array.from({ length: 7_600 }, () => silence),
    0.12,
  );
  const { seconds = 0, waveform } = await previewOf('audio', note, { mimetype: 'audio/ogg', isVoice: true });
  expect(seconds).toBeGreaterThan(15 * 60);
  expect(waveform).toBeUndefined();
});

test('of a film its size and how long it is', async () => {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat(), target });
  const source = new EncodedVideoPacketSource('vp9');
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 };
  for (let frame = 0; frame < 75; frame += 1) {
    const packet = new EncodedPacket(
      randomBytes(2_000),
      frame % 25 === 0 ? 'key' : 'delta',
      frame / 25,
      1 / 25,
    );
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  const film = new Uint8Array(target.buffer ?? new ArrayBuffer(0));
  expect(await previewOf('video', film, { mimetype: 'video/mp4' })).toEqual({
    seconds: 3,
    width: 320,
    height: 180,
  });
});

test('of a document the number of its pages', async () => {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
  const linesOf = (comment: string) => [
    '%PDF-1.4',
    `% ${comment}`,
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>endobj',
    `3 0 obj${page}endobj`,
    `4 0 obj${page}endobj`,
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ];
  const pdf = { mimetype: 'application/pdf' };
  const document = (comment: string) => Buffer.from(linesOf(comment).join('\n'));
  expect(await previewOf('document', document('small'), pdf)).toEqual({ pages: 2 });
  // To count them, the whole of it is read.
  expect(await previewOf('document', document(' '.repeat(8 * 1024 * 1024)), pdf)).toEqual({});
  expect(await previewOf('document', Buffer.from('hello'), { mimetype: 'text/plain' })).toEqual({});
});

test('what is asked of it when it is closed goes without, at once', async () => {
  const closed = new Previews(makeLog('silent'));
  closed.close();
  const job = { path: '/nowhere', kind: 'image', isVoice: false, mediaKey: 'AAAA', bytes: 1 } as const;
  expect(await closed.of(job)).toEqual({});
});
