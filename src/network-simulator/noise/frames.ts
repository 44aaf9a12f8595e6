import { clientIntro } from './server-handshake.ts';

const frameBytesMax = 1 << 24;

/** A frame on the wire: its length in three bytes, high byte first, and the bytes. Throws from 16 MiB on. */
export function frame(payload: Uint8Array): Buffer {
  if (payload.length >= frameBytesMax) throw new Error('a frame must be smaller than 16 MiB');
  const framed = Buffer.allocUnsafe(3 + payload.length);
  framed.writeUIntBE(payload.length, 0, 3);
  framed.set(payload, 3);
  return framed;
}

/** Cuts a client's byte stream into frames; a WebSocket message may hold a part of one, or many. */
export class FrameReader {
  #bytes: Buffer = Buffer.alloc(0);
  #introSeen = false;

  /** Throws when the stream does not begin as a client's must. */
  push(data: Buffer): Buffer[] {
    this.#bytes = this.#bytes.length === 0 ? data : Buffer.concat([this.#bytes, data]);
    if (!this.#introSeen && !this.#readIntro()) return [];
    const frames: Buffer[] = [];
    while (this.#bytes.length >= 3) {
      const end = 3 + this.#bytes.readUIntBE(0, 3);
      if (this.#bytes.length < end) break;
      frames.push(this.#bytes.subarray(3, end));
      this.#bytes = this.#bytes.subarray(end);
    }
    return frames;
  }

  #readIntro(): boolean {
    if (this.#bytes.length < 4) return false;
    if (this.#bytes.toString('latin1', 0, 2) === 'ED') {
      // Routing information of an earlier login comes first, outside the handshake hash: `ED`, two bytes, a length.
      if (this.#bytes.length < 7) return false;
      const end = 7 + this.#bytes.readUIntBE(4, 3);
      if (this.#bytes.length < end + 4) return false;
      this.#bytes = this.#bytes.subarray(end);
    }
    if (!this.#bytes.subarray(0, 4).equals(clientIntro))
      throw new Error('the client speaks another protocol');
    this.#bytes = this.#bytes.subarray(4);
    this.#introSeen = true;
    return true;
  }
}
