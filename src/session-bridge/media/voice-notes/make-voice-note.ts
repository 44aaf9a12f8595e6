import { Application, createEncoder, type OpusEncoderHandle } from 'libopus-wasm';
import {
  type AudioCodec,
  AudioSample,
  BufferTarget,
  Conversion,
  CustomAudioDecoder,
  CustomAudioEncoder,
  CustomSource,
  EncodedPacket,
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
import { MPEGDecoder } from 'mpg123-decoder';
import { SealedBytes } from '../sealed-bytes.ts';
import { sealInto } from '../sealing.ts';
import { type VoiceJob, type VoiceResult, voiceSecondsMax } from './voice-job.ts';

/** The only rate that Ogg knows for Opus. */
const opusSampleRate = 48_000;
const frameSeconds = 0.02;
const frameSamples = opusSampleRate * frameSeconds;
/** Bits a second: good speech in 4 KB. */
const opusBitrate = 32_000;
/** Of 10: beyond it, speech sounds no better. */
const complexity = 5;

/** There is more than may be. */
class TooLong extends Error {}

/**
 * The Opus encoder for mediabunny, which has none outside of browsers: one channel of 48,000 samples a second, packets of 20
 * ms, and no more than the maximum length of a voice note.
 */
class OpusEncoder extends CustomAudioEncoder {
  #encoder: OpusEncoderHandle | null = null;
  /** Samples that do not fill a packet yet. */
  readonly #frame = new Float32Array(frameSamples);
  #filled = 0;
  #packets = 0;

  static override supports(codec: AudioCodec, { sampleRate, numberOfChannels }: AudioEncoderConfig): boolean {
    return codec === 'opus' && sampleRate === opusSampleRate && numberOfChannels === 1;
  }

  async init(): Promise<void> {
    this.#encoder = await createEncoder({
      channels: 1,
      sampleRate: opusSampleRate,
      application: Application.Voip,
      bitrate: opusBitrate,
      complexity,
    });
  }

  encode(sample: AudioSample): void {
    const samples = new Float32Array(sample.numberOfFrames);
    sample.copyTo(samples, { format: 'f32-planar', planeIndex: 0 });
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + frameSamples - this.#filled);
      this.#frame.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === frameSamples) this.#encodeFrame();
    }
  }

  /** The last packet is filled up with silence. */
  flush(): void {
    if (this.#filled === 0) return;
    this.#frame.fill(0, this.#filled);
    this.#encodeFrame();
  }

  close(): void {
    this.#encoder?.free();
  }

  #encodeFrame(): void {
    if (this.#encoder === null) throw new Error('the encoder is not ready');
    if (this.#packets * frameSeconds > voiceSecondsMax) throw new TooLong('there is more than may be');
    const data = this.#encoder.encodeFloat(this.#frame);
    const packet = new EncodedPacket(data, 'key', this.#packets * frameSeconds, frameSeconds);
    const description = opusHead(this.#encoder.getLookahead());
    const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: opusSampleRate, description };
    this.#filled = 0;
    this.#packets += 1;
    this.onPacket(packet, { decoderConfig });
  }
}

/** RFC 7845: version 1, one channel, what a player skips, the rate, as loud as it is, no mapping. */
function opusHead(skippedSamples: number): Uint8Array {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head.set([1, 1], 8);
  head.writeUInt16LE(skippedSamples, 10);
  head.writeUInt32LE(opusSampleRate, 12);
  return head;
}

/** MP3 for mediabunny, which decodes none outside of browsers. */
class Mp3Decoder extends CustomAudioDecoder {
  readonly #decoder = new MPEGDecoder();
  #frames = 0;

  static override supports(codec: AudioCodec): boolean {
    return codec === 'mp3';
  }

  init(): Promise<void> {
    return this.#decoder.ready;
  }

  decode({ data }: EncodedPacket): void {
    const { channelData: both, samplesDecoded, sampleRate } = this.#decoder.decode(data);
    if (samplesDecoded === 0) return;
    // It always gives two, which are the same where the file has one.
    const channelData = both.slice(0, this.config.numberOfChannels);
    const planes = new Float32Array(samplesDecoded * channelData.length);
    for (const [index, channel] of channelData.entries()) {
      planes.set(channel.subarray(0, samplesDecoded), index * samplesDecoded);
    }
    const shape = { format: 'f32-planar', sampleRate, numberOfChannels: channelData.length } as const;
    this.onSample(new AudioSample({ ...shape, data: planes, timestamp: this.#frames / sampleRate }));
    this.#frames += samplesDecoded;
  }

  flush(): void {}

  close(): void {
    this.#decoder.free();
  }
}

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
 * Makes a voice note (Opus in Ogg) from MP3, from PCM in WAV, or from Opus in WebM, whose packets are used as they are.
 * Returns why if that is not possible; errors of its decoders and the disk are thrown.
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
