import { createDecipheriv } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { mediaKinds } from '../../contract/messages/media-kinds.ts';
import { keysOf } from './sealing.ts';

/** A file that lies sealed on disk, and what opens it. */
export const sealedPlaceSchema = z.strictObject({
  path: z.string(),
  /** What it is sealed as. */
  kind: z.enum(mediaKinds),
  mediaKey: z.base64(),
  /** Length of the file. */
  bytes: z.int().nonnegative(),
});
export type SealedPlace = z.infer<typeof sealedPlaceSchema>;

const blockBytes = 16;

/** A file that lies sealed on disk: any part of it, without the rest, and never in the clear on disk. */
export class SealedBytes {
  readonly #file: FileHandle;
  readonly #cipherKey: Uint8Array;
  readonly #iv: Uint8Array;
  readonly length: number;

  private constructor(file: FileHandle, { mediaKey, kind, bytes }: SealedPlace) {
    const { iv, cipherKey } = keysOf(Buffer.from(mediaKey, 'base64'), kind);
    this.#file = file;
    this.#cipherKey = cipherKey;
    this.#iv = iv;
    this.length = bytes;
  }

  static async open(job: SealedPlace): Promise<SealedBytes> {
    return new SealedBytes(await open(job.path, 'r'), job);
  }

  /** From `start` to before `end`, which is within the file. Each block is opened with the one before it. */
  async read(start: number, end: number): Promise<Buffer> {
    const first = Math.floor(start / blockBytes);
    const last = Math.ceil(end / blockBytes);
    const isFromStart = first === 0;
    const from = (isFromStart ? 0 : first - 1) * blockBytes;
    const sealed = Buffer.alloc(last * blockBytes - from);
    const { bytesRead } = await this.#file.read(sealed, 0, sealed.length, from);
    if (bytesRead < sealed.length) throw new Error('the file is shorter than it was');
    const iv = isFromStart ? this.#iv : sealed.subarray(0, blockBytes);
    const decipher = createDecipheriv('aes-256-cbc', this.#cipherKey, iv).setAutoPadding(false);
    const plain = decipher.update(isFromStart ? sealed : sealed.subarray(blockBytes));
    const skipped = start - first * blockBytes;
    return plain.subarray(skipped, skipped + end - start);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
