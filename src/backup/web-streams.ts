import { Readable } from 'node:stream';

/** Node and the platform have types of their own for the same streams. */
export const webStream = (stream: Readable): ReadableStream<Uint8Array> =>
  Readable.toWeb(stream) as unknown as ReadableStream<Uint8Array>;

export const nodeStream = (stream: ReadableStream<Uint8Array>): Readable =>
  Readable.fromWeb(stream as unknown as Parameters<typeof Readable.fromWeb>[0]);
