import { expect, test } from 'vitest';
import { writeObject } from '../../../src/worker/features/media/store/object-writer.ts';

const partBytes = 5 * 1024 * 1024;

/** A bucket that notes what is done to it: parts by their length. */
function bucket() {
  const done: string[] = [];
  const upload = {
    uploadPart: async (part: number, { byteLength }: Uint8Array) =>
      void done.push(`part ${part}: ${byteLength}`),
    complete: async () => void done.push('complete'),
    abort: async () => void done.push('abort'),
  };
  const put = async (_: string, { byteLength }: Uint8Array) => void done.push(`put: ${byteLength}`);
  const write = (chunks: AsyncIterable<Uint8Array>) =>
    writeObject({ put, createMultipartUpload: async () => upload } as never, 'key', chunks, null);
  return { done, write };
}

async function* chunksOf(bytes: number, error?: Error) {
  for (let left = bytes; left > 0; left -= 3_000_000) yield new Uint8Array(Math.min(left, 3_000_000));
  if (error) throw error;
}

test('what is longer than a part is written in parts, the last of them with what is left', async () => {
  const { done, write } = bucket();
  await write(chunksOf(2 * partBytes + 1));
  expect(done).toEqual([`part 1: ${partBytes}`, `part 2: ${partBytes}`, 'part 3: 1', 'complete']);
});

test.each([1, partBytes - 1])('%i bytes are written at once', async (bytes) => {
  const { done, write } = bucket();
  await write(chunksOf(bytes));
  expect(done).toEqual([`put: ${bytes}`]);
});

test('of what breaks off nothing stays: neither an object nor parts of one', async () => {
  const broken = new Error('the client hung up');
  const [long, short] = [bucket(), bucket()];
  await expect(long.write(chunksOf(partBytes + 1, broken))).rejects.toBe(broken);
  expect(long.done).toEqual([`part 1: ${partBytes}`, 'abort']);
  await expect(short.write(chunksOf(7, broken))).rejects.toBe(broken);
  expect(short.done).toEqual([]);
});
