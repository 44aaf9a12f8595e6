import { type AudioCodec, AudioSample, CustomAudioDecoder, type EncodedPacket } from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';

/** MP3 for mediabunny, which decodes none outside of browsers. */
export class Mp3Decoder extends CustomAudioDecoder {
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
