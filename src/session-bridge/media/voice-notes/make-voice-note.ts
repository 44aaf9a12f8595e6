import {
  BufferTarget,
  Conversion,
  CustomSource,
  Input,
  type InputAudioTrack,
  MP3,
  OggOutputFormat,
  Output,
  registerDecoder,
  registerEncoder,
  WAVE,
  WEBM,
} from 'mediabunny';
import { SealedBytes } from '../sealed-bytes.ts';
import { sealInto } from '../sealing.ts';
import { Mp3Decoder } from './mp3-decoder.ts';
import { OpusEncoder, opusBitrate, opusSampleRate, TooLong } from './opus-encoder.ts';
import { type VoiceJob, type VoiceResult, voiceSecondsMax } from './voice-job.ts';

registerDecoder(Mp3Decoder);
registerEncoder(OpusEncoder);

/** None that names other files. */
const formats = [MP3, WAVE, WEBM];
const cacheBytes = 1024 * 1024;

const noSound: VoiceResult = { because: 'there is no sound in it' };
const tooLong: VoiceResult = { because: `it plays for more than ${voiceSecondsMax / 60} minutes` };
const otherCoding: VoiceResult = {
  because: 'its sound is coded in a way that cannot be converted; MP3, WAV, and Opus in Ogg or WebM can',
};

/**
 * Makes a voice note, Opus in Ogg, of MP3, of PCM in WAV, or of Opus in WebM, whose packets are taken as they are. Says why
 * where that cannot be done; throws what its decoders and the disk throw.
 */
export async function makeVoiceNote({ source, path }: VoiceJob): Promise<VoiceResult> {
  const file = await SealedBytes.open(source);
  const input = new Input({
    formats,
    source: new CustomSource({
      getSize: () => file.length,
      read: (start, end) => file.read(start, end),
      maxCacheSize: cacheBytes,
    }),
  });
  try {
    if (!(await input.canRead())) return otherCoding;
    const sound = await input.getPrimaryAudioTrack();
    if (!sound) return noSound;
    if ((await sound.computeDuration()) > voiceSecondsMax) return tooLong;
    const bytes = await opusInOgg(input, sound);
    if (bytes === null) return otherCoding;
    const { sha256, encSha256, mediaKey, ...sealed } = await sealInto(path, inOne(bytes), 'audio');
    return {
      ...sealed,
      sha256: sha256.toString('hex'),
      encSha256: encSha256.toString('base64'),
      mediaKey: mediaKey.toString('base64'),
    };
  } catch (error) {
    // What the file says of its length is no more than what it says.
    if (error instanceof TooLong) return tooLong;
    throw error;
  } finally {
    input.dispose();
    await file.close();
  }
}

/** Null where nothing here decodes it. Names, pictures and the like of the file stay behind. */
async function opusInOgg(input: Input, sound: InputAudioTrack): Promise<Uint8Array | null> {
  const target = new BufferTarget();
  const isOpus = (await sound.getCodec()) === 'opus';
  const audio = { numberOfChannels: 1, sampleRate: opusSampleRate, bitrate: opusBitrate };
  const conversion = await Conversion.init({
    input,
    output: new Output({ format: new OggOutputFormat(), target }),
    video: { discard: true },
    audio: (track) => (track.id === sound.id ? { codec: 'opus', ...(!isOpus && audio) } : { discard: true }),
    tags: {},
    showWarnings: false,
  });
  if (!conversion.isValid) return null;
  await conversion.execute();
  return target.buffer === null ? null : new Uint8Array(target.buffer);
}

async function* inOne(bytes: Uint8Array) {
  yield bytes;
}
