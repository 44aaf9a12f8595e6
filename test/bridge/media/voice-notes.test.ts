import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import { previewOf } from '../../../src/session-bridge/media/previews/preview-of.ts';
import { SealedBytes, type SealedPlace } from '../../../src/session-bridge/media/sealed-bytes.ts';
import { sealInto } from '../../../src/session-bridge/media/sealing.ts';
import { makeVoiceNote } from '../../../src/session-bridge/media/voice-notes/make-voice-note.ts';
import { NoVoiceNote, VoiceNotes } from '../../../src/session-bridge/media/voice-notes/voice-notes.ts';
import { mp3, oggOf, wav, webmOf } from './sound-samples.ts';

let folder: string;
let voiceNotes: VoiceNotes;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridge-voice-notes-'));
  voiceNotes = new VoiceNotes(makeLog('silent'));
});

afterAll(() => {
  voiceNotes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As a file lies on disk on its way to the network. */
async function sealed(bytes: Uint8Array): Promise<SealedPlace> {
  const path = join(folder, randomUUID());
  async function* chunks() {
    yield bytes;
  }
  const { mediaKey } = await sealInto(path, chunks(), 'audio');
  return { path, kind: 'audio', mediaKey: mediaKey.toString('base64'), bytes: bytes.length };
}

async function made(bytes: Uint8Array) {
  const source = await sealed(bytes);
  const path = `${source.path}.ogg`;
  return { result: await makeVoiceNote({ source, path }), path };
}

const silence = Uint8Array.of(0xf8, 0xff, 0xfe);
const packets = Array.from({ length: 100 }, () => silence);

test.each([
  { of: 'MP3', bytes: async () => mp3, seconds: 1 },
  { of: 'WAV', bytes: async () => wav(2), seconds: 2 },
  { of: 'WebM with Opus', bytes: () => webmOf(packets), seconds: 2 },
])('a voice note is made of: $of', async ({ bytes, seconds }) => {
  const { result, path } = await made(await bytes());
  if ('because' in result) throw new Error(result.because);
  const place = { path, kind: 'audio', mediaKey: result.mediaKey, bytes: result.bytes } as const;
  const file = await SealedBytes.open(place);
  const head = await file.read(0, 47);
  await file.close();
  expect(head.toString('latin1')).toMatch(/^OggS.+OpusHead/s);
  // Of one channel.
  expect(head[head.indexOf('OpusHead') + 9]).toBe(1);
  const { seconds: played, waveform = '' } = await previewOf({ ...place, isVoice: true });
  expect(played).toBe(seconds);
  expect(Buffer.from(waveform, 'base64')).toHaveLength(64);
});

test('what was silent in an MP3 is silent in its voice note, and what was loud is loud', async () => {
  const { result, path } = await made(mp3);
  if ('because' in result) throw new Error(result.because);
  const { mediaKey, bytes } = result;
  const { waveform = '' } = await previewOf({ path, kind: 'audio', mediaKey, bytes, isVoice: true });
  const bars = [...Buffer.from(waveform, 'base64')];
  expect(Math.max(...bars.slice(0, 26))).toBeLessThan(5);
  expect(Math.max(...bars.slice(32))).toBe(100);
});

test.each([
  { what: 'other bytes', bytes: async () => randomBytes(3_000), because: 'coded in a way' },
  { what: 'Opus in Ogg, which needs no change', bytes: () => oggOf(packets), because: 'coded in a way' },
  { what: 'more than a quarter of an hour', bytes: async () => wav(902), because: 'more than 15 minutes' },
])('no voice note is made of: $what', async ({ bytes, because }) => {
  const { result, path } = await made(await bytes());
  expect(result).toEqual({ because: expect.stringContaining(because) });
  expect(existsSync(path)).toBe(false);
});

test('a file that nothing can be made of is refused with a sentence, and the next one is made', async () => {
  const adpcm = wav(1);
  adpcm.writeUInt16LE(2, 20);
  for (const [bytes, because] of [
    [randomBytes(3_000), /^The file cannot be made a voice note: its sound is coded in a way .+ can\.$/],
    [adpcm, 'The file cannot be made a voice note: its sound cannot be decoded.'],
  ] as const) {
    const broken = voiceNotes.with(await sealed(bytes), () => Promise.resolve('made'));
    await expect(broken).rejects.toThrow(NoVoiceNote);
    await expect(broken).rejects.toThrow(because);
  }
  const path = await voiceNotes.with(await sealed(mp3), async (note) => {
    expect(existsSync(note.path)).toBe(true);
    return note.path;
  });
  expect(existsSync(path)).toBe(false);
});
