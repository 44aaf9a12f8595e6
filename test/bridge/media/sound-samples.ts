import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  OggOutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

/** A second of MP3, one channel of 16,000 samples a second: half of it is silent, then there is a tone. Made by LAME. */
export const mp3: Buffer = Buffer.from(
  [
    '//JYxAAAAAAAAAAAAFhpbmcAAAAHAAAAHwAABOwkJCQkKysrMzMzOjo6OkFBQUlJSVBQUFBXV1dfX19mZmZmbW1tdXV1fHx8fIOD',
    'g4qKipKSkpKZmZmgoKCoqKior6+vtra2vr6+vsXFxczMzNTU1NTb29vi4uLq6urq8fHx+Pj4AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA//MYxAAAAANIAAAAAExBTUUzLjEwMFVVVVVVVVVVVVVVVUxB//MYxBcAAANI',
    'AAAAAE1FMy4xMDBVVVVVVVVVVVVVVVVVVUxB//MYxC4AAANIAAAAAE1FMy4xMDBVVVVVVVVVVVVVVVVVVdkw//MYxEUAAANIAAAA',
    'AAYOBQRzcA4gBkB2cKgAsMDxs+RBcDWA//MYxFwAAANIAAAAAALLwt7/xBcXwpQZT/yNHGTZSIh/+UDE//MYxHMAAANIAAAAAJ8z',
    'SNP/84ibrSNGf6AuBJmd//90m7fG//MYxIoAAANIAAAAAL5KISJ00QiDnkEDBg1SsLU1Nof7jyCp//MYxKEAAANIAAAAAHAILM6W',
    'qf///9ymKuizlpoVAgwPBwxN//MYxLgAAANIAAAAACAHOsMkAyMCwOAQElmGPl2nel2IpcK+//MYxM8AAANIAAAAABbdxY5eAwNA',
    'sw6Ew2h8o+CHIxNCUx50//MYxOYAAANIAAAAAMpyBpZY8Yp8AxXUzGnea6rouyY8McKe//MYxOgAAANIAAAAAGOmhOaBANJQEmIQ',
    'FTALCGEADyYr/Utb//MYxOgAAANIAAAAABXtmXPsz1P4qgEkgFBUCjMBNz8wmA3w//MYxOgAAANIAUAAACAVA5QH1DRhMC907fVV',
    'zqZ0j/rsLvmA//MYxP8PwXKgAZSgAEAGGBmCqYvCGJmPg/mCIBIY4wZnKBCa//MYxNcJMGq8AZp4AMSN0mYG3rGll0VdZS03qNhW',
    'I+GEB4SJ//MYxMkJYGaAAd0AAWgiFqL8NVSt1jWoZI0UlBgAwBjUNNVi//MYxLoIkGZwAAd0LermLzyqRIHlDtl5DN/A4gITra2i',
    'A+1s//MYxK4JIGpsAAa8KA5HYyip15kNTX30N1Um25koU2KqVv6o//MYxKAI0GZsAAeyLdFR1uw4DTBt7MsBluUmTGjE6tVHvAYz',
    '//MYxJMJOGZwAAe0LZAFMxhBzOoLTAchG+GbA5UDBUAf9lmb//MYxIUGaF6EAAY4KZgK4AwAC7yJlMV8sm6a/99jMe/DCYht//MY',
    'xIIE6FqYAAB4IcprYPeQ6mUAjKYQ4PGQK444ihAjz/NI//MYxIUEsFqcIAC2Q4895VgrajiVaaCgFJyM53NI6aRRwKCu//MYxIkE',
    '8FqUIAD2JQV+KkxBTUUzLjEwMKqqqqqqqqqqqqqq//MYxIwFGFqUAAG4Jaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq//MYxI4E0FqY',
    'IAP4Raqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq//MYxJEFKF7FoVMAAKqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq//MYxJMJOJrEAZlQ',
    'AKqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq//MYxIUFGF6AAcYAAaqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
  ].join(''),
  'base64',
);

/** PCM of 8 bits, one channel of 8,000 samples a second: silence, of which every sample is 128. */
export function wav(seconds: number): Buffer {
  const samples = seconds * 8_000;
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples, 128)]);
}

/** Opus packets, each of so many seconds, packed into Ogg. */
export const oggOf = (packets: readonly Uint8Array[], seconds = 0.02) =>
  packed(packets, new OggOutputFormat(), seconds);
/** The same in WebM, as browsers record it. */
export const webmOf = (packets: readonly Uint8Array[]) => packed(packets, new WebMOutputFormat());

async function packed(packets: readonly Uint8Array[], format: OutputFormat, seconds = 0.02): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  await output.start();
  // RFC 7845: version 1, one channel, nothing skipped, 48,000 samples a second, as loud as it is, no mapping.
  const description = Uint8Array.of(...Buffer.from('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0);
  const decoderConfig = { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description };
  for (const [index, data] of packets.entries()) {
    await source.add(new EncodedPacket(data, 'key', index * seconds, seconds), { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}
