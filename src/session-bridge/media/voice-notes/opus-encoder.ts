import { Application, createEncoder, type OpusEncoderHandle } from 'libopus-wasm';
import { type AudioCodec, type AudioSample, CustomAudioEncoder, EncodedPacket } from 'mediabunny';
import { voiceSecondsMax } from './voice-job.ts';

/** The only rate that Ogg knows for Opus. */
export const opusSampleRate = 48_000;
const frameSeconds = 0.02;
const frameSamples = opusSampleRate * frameSeconds;
/** Bits a second: good speech in 4 KB. */
export const opusBitrate = 32_000;
/** Of 10: beyond it, speech sounds no better. */
const complexity = 5;

/** There is more than may be. */
export class TooLong extends Error {}

/**
 * Opus for mediabunny, which encodes none outside of browsers: one channel of 48,000 samples a second, packets of
 * 20 ms, and no more than a voice note may last.
 */
export class OpusEncoder extends CustomAudioEncoder {
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
