import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { changeSegment, readSegment, writeSegment } from '../../../src/worker/archive.ts';

const bucket = env.ARCHIVE;
const newKey = () => `${newUuid()}/messages`;
const without = (lines: string, one: string) =>
  lines
    .split('\n')
    .filter((line) => line !== one)
    .join('\n');

test('an erasure and the archive that write the same segment at the same time both keep what they have done', async () => {
  const key = newKey();
  await writeSegment(bucket, key, 'ana\nben');
  // Both have read the segment before either of them writes.
  const [hasRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly: Pick<R2Bucket, 'get' | 'head' | 'put'> = {
    get: async (...asked: Parameters<R2Bucket['get']>) => {
      const found = await bucket.get(...asked);
      hasRead.resolve();
      await mayGoOn.promise;
      return found;
    },
    head: (asked: string) => bucket.head(asked),
    put: (...asked: Parameters<R2Bucket['put']>) => bucket.put(...asked),
  } as R2Bucket;
  const archived = changeSegment(slowly, key, (lines) => `${lines}\ncleo`);
  await hasRead.promise;
  await changeSegment(bucket, key, (lines) => without(lines ?? '', 'ana'));
  mayGoOn.resolve();
  await archived;
  expect(await readSegment(bucket, key)).toBe('ben\ncleo');
});

test('a write that comes late does not bring back what an erasure has taken out', async () => {
  const key = newKey();
  let late: Promise<number> | null = null;
  const [isLate, mayLand] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slowly = {
    head: (asked: string) => bucket.head(asked),
    put: async (...asked: Parameters<R2Bucket['put']>) => {
      isLate.resolve();
      await mayLand.promise;
      return bucket.put(...asked);
    },
  } as R2Bucket;
  late = writeSegment(slowly, key, 'ana\nben');
  await isLate.promise;
  // Its caller has given up on it, and written the segment anew.
  await writeSegment(bucket, key, 'ana\nben');
  await changeSegment(bucket, key, (lines) => without(lines ?? '', 'ana'));
  mayLand.resolve();
  await expect(late).rejects.toThrow('written meanwhile');
  expect(await readSegment(bucket, key)).toBe('ben');
});

test('a segment in which there is nothing to change is not written', async () => {
  const key = newKey();
  expect(await changeSegment(bucket, key, (lines) => lines)).toBeNull();
  expect(await readSegment(bucket, key)).toBeNull();
  await writeSegment(bucket, key, 'ben');
  const before = await bucket.head(key);
  expect(await changeSegment(bucket, key, () => null)).toBeNull();
  expect((await bucket.head(key))?.etag).toBe(before?.etag);
});
