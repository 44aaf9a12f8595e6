import { createHash } from 'node:crypto';
import { dropRest } from '../../../http/request/body/rest-of-body.ts';

/** So much of its beginning tells a file's type, and nearly always the size of a picture. */
const headBytesMin = 65_536;
/** The last page of an Ogg file is no longer than that. */
const tailBytesMax = 65_536;

/** There are more bytes than may be. */
export class TooManyBytes extends Error {}

/**
 * Bytes on their way from a stream to a store. They are counted and hashed. Only the parts of their beginning and end that
 * show their type are kept. Read the {@link head} first, then {@link chunks} once.
 */
export class InspectedBytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #bytesMax: () => number;
  readonly #hash = createHash('sha256');
  readonly #first: Uint8Array[] = [];
  #isWhole = false;
  #tail = new Uint8Array();
  bytes = 0;

  /** `bytesMax` is asked while chunks are read: it may depend on what the head has told. */
  constructor(body: ReadableStream<Uint8Array>, bytesMax: () => number) {
    this.#reader = body.getReader();
    this.#bytesMax = bytesMax;
  }

  /** The first 64 KiB, or all where there is less. Throws what the stream throws. */
  async head(): Promise<Uint8Array> {
    let length = this.#first.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    while (!this.#isWhole && length < headBytesMin) {
      const { done, value } = await this.#reader.read();
      if (done) this.#isWhole = true;
      else {
        this.#first.push(value);
        length += value.byteLength;
      }
    }
    return joined(this.#first);
  }

  /** All bytes in order. Throws {@link TooManyBytes}, and what the stream throws. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (const chunk of this.#first.splice(0)) yield this.#noted(chunk);
    while (!this.#isWhole) {
      const { done, value } = await this.#reader.read();
      if (done) this.#isWhole = true;
      else yield this.#noted(value);
    }
  }

  #noted(chunk: Uint8Array): Uint8Array {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.#bytesMax()) throw new TooManyBytes();
    this.#hash.update(chunk);
    this.#tail = joined([this.#tail, chunk.slice(-tailBytesMax)]).slice(-tailBytesMax);
    return chunk;
  }

  /** The last 64 KiB of what has been read, or all where there is less. */
  get tail(): Uint8Array {
    return this.#tail;
  }

  /** Lower-case hex, of all that was read. Once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Reads what is left of the stream and drops it, as far as that makes sense. */
  async drop(): Promise<void> {
    await dropRest(this.#reader);
  }
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return all;
}
