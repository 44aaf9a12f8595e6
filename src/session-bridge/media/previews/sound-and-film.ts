import { ADTS, CustomSource, EncodedPacketSink, Input, MP3, MP4, OGG, QTFF, WAVE } from 'mediabunny';
import { OpusDecoder } from 'opus-decoder';
import type { SealedBytes } from '../sealed-bytes.ts';
import { type Preview, waveformBars } from './preview.ts';

/** None that names other files. */
const formats = [MP4, QTFF, OGG, MP3, WAVE, ADTS];
const cacheBytes = 1024 * 1024;
/** Of a longer voice note no waveform is drawn: to decode it takes too long. */
const waveformSecondsMax = 15 * 60;
const packetsAtOnce = 50;

/** How long it plays; of a film the size of its picture, of a voice note how loud it is in its course. */
export async function previewOfRecording(file: SealedBytes, isVoice: boolean): Promise<Preview> {
  const source = new CustomSource({
    getSize: () => file.length,
    read: (start, end) => file.read(start, end),
    maxCacheSize: cacheBytes,
  });
  const input = new Input({ formats, source });
  try {
    const length = await input.computeDuration();
    const seconds = { seconds: Math.max(0, Math.round(length)) };
    const film = await input.getPrimaryVideoTrack();
    if (film) {
      const [width, height] = [await film.getDisplayWidth(), await film.getDisplayHeight()];
      return { ...seconds, width, height };
    }
    if (!isVoice || length > waveformSecondsMax) return seconds;
    const waveform = await waveformOf(input);
    return { ...seconds, ...(waveform && { waveform: Buffer.from(waveform).toString('base64') }) };
  } finally {
    input.dispose();
  }
}

async function waveformOf(input: Input): Promise<Uint8Array | null> {
  const sound = await input.getPrimaryAudioTrack();
  if (!sound || (await sound.getCodec()) !== 'opus') return null;
  const decoder = new OpusDecoder({ channels: await sound.getNumberOfChannels() });
  await decoder.ready;
  try {
    const levels: number[] = [];
    let packets: Uint8Array[] = [];
    const decode = () => {
      for (const packet of packets) {
        const { channelData } = decoder.decodeFrame(packet);
        if (channelData[0]) levels.push(meanOf(channelData[0]));
      }
      packets = [];
    };
    for await (const { data } of new EncodedPacketSink(sound).packets()) {
      packets.push(data);
      if (packets.length === packetsAtOnce) decode();
    }
    decode();
    return barsOf(levels);
  } finally {
    decoder.free();
  }
}

function meanOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += Math.abs(sample);
  return samples.length === 0 ? 0 : sum / samples.length;
}

/** So many bars as a phone draws, the highest of them 100. */
function barsOf(levels: readonly number[]): Uint8Array | null {
  if (levels.length === 0) return null;
  const means = Array.from({ length: waveformBars }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / waveformBars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / waveformBars));
    const part = levels.slice(from, to);
    return part.reduce((sum, level) => sum + level, 0) / part.length;
  });
  const highest = Math.max(...means);
  return Uint8Array.from(means, (mean) => (highest === 0 ? 0 : Math.round((100 * mean) / highest)));
}
