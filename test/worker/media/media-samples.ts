/** A PNG's signature and header of this size; what follows is no picture, and nobody looks. */
export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 6, 0, 0, 0], 24);
  bytes.set([0, 0, 0, 12, 0x49, 0x44, 0x41, 0x54], 33);
  return bytes;
}

/** The first and the last page of an Ogg file of Opus that lasts so long. */
export function oggOpus(seconds: number): Uint8Array<ArrayBuffer> {
  const page = (position: number, packet: Uint8Array) => {
    const bytes = new Uint8Array(28 + packet.byteLength);
    bytes.set([0x4f, 0x67, 0x67, 0x53]);
    new DataView(bytes.buffer).setBigUint64(6, BigInt(position), true);
    bytes.set([1, packet.byteLength], 26);
    bytes.set(packet, 28);
    return bytes;
  };
  const head = new TextEncoder().encode(
    'OpusHead\u0001\u0001\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  );
  const [first, last] = [page(0, head), page(seconds * 48_000, new Uint8Array(40))];
  const bytes = new Uint8Array(first.byteLength + last.byteLength);
  bytes.set(first);
  bytes.set(last, first.byteLength);
  return bytes;
}

/** A body whose length goes with it. */
export function withLength(bytes: Uint8Array): ReadableStream {
  const { readable, writable } = new FixedLengthStream(bytes.byteLength);
  const writer = writable.getWriter();
  void writer
    .write(bytes)
    .then(() => writer.close())
    .catch(() => undefined);
  return readable;
}

/** The beginning of a WebP picture. */
export function webp(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(64);
  bytes.set(new TextEncoder().encode('RIFF\u0000\u0000\u0000\u0000WEBPVP8 '));
  return bytes;
}

/** The first bytes of sound of this type, which show what it is; what follows is no sound, and nobody looks. */
export function beginning(type: string): Uint8Array<ArrayBuffer> {
  const marks: Record<string, number[]> = {
    'audio/mpeg': [...Buffer.from('ID3'), 3, 0, 0, 0, 0, 0, 0, 0xff, 0xfb, 0x90, 0x64],
    'audio/wav': [...Buffer.from('RIFF'), 36, 0, 0, 0, ...Buffer.from('WAVEfmt ')],
    'audio/webm': [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, ...Buffer.from('webm')],
    'audio/mp4': [0, 0, 0, 24, ...Buffer.from('ftypM4A '), 0, 0, 0, 0, ...Buffer.from('M4A mp42')],
  };
  const bytes = new Uint8Array(400);
  bytes.set(marks[type] ?? []);
  return bytes;
}
