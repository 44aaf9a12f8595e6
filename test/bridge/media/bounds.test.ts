import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { CorruptFile, sealInto, unsealed } from '../../../src/session-bridge/media/sealing.ts';
import { Transfers } from '../../../src/session-bridge/media/transfers.ts';
import { UploadTickets } from '../../../src/session-bridge/media/upload-tickets.ts';

let folder: string;
let db: JournalDatabase;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridge-media-bounds-'));
  db = new JournalDatabase(folder, (error) => {
    throw error;
  });
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const newTransfers = (diskBytesMax: number) => new Transfers(join(folder, randomUUID()), diskBytesMax);

/** Work that goes on until it is ended. */
function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { hasBegun: false, end: resolve };
  const run = async () => {
    work.hasBegun = true;
    await promise;
  };
  return { work, run };
}

describe('the ticket of an upload', () => {
  test('serves its own number, kind and file, for three days', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const tickets = new UploadTickets(db);
    const [numberId, sha256] = [randomUUID(), 'ab'.repeat(32)];
    const ticket = {
      ...{ url: 'https://mmg.example.com/f', directPath: '/f', mediaKey: 'a', encSha256: 'b', sha256 },
      ...{ bytes: 5, uploadedAt: Date.now() },
    };
    tickets.keep(numberId, 'audio', sha256, ticket);
    expect(tickets.find(numberId, 'audio', sha256)).toEqual(ticket);
    expect(tickets.find(randomUUID(), 'audio', sha256)).toBeNull();
    expect(tickets.find(numberId, 'voice', sha256)).toBeNull();
    expect(tickets.find(numberId, 'audio', 'cd'.repeat(32))).toBeNull();
    vi.setSystemTime(Date.now() + 3 * 86_400_000 - 1);
    tickets.prune();
    expect(tickets.find(numberId, 'audio', sha256)).toEqual(ticket);
    for (const more of [1, 3_600_000]) {
      vi.setSystemTime(Date.now() + more);
      expect(tickets.find(numberId, 'audio', sha256)).toBeNull();
    }
  });
});

describe('files on their way', () => {
  test('are four at a time, and the next one begins when one has ended, also where that failed', async () => {
    const transfers = newTransfers(1_000);
    const works = Array.from({ length: 6 }, heldWork);
    const ends = works.map(({ run }) => transfers.passing(run));
    const begun = () => works.map(({ work }) => work.hasBegun);
    await expect.poll(begun).toEqual([true, true, true, true, false, false]);
    works[2]?.work.end();
    await ends[2];
    await expect.poll(begun).toEqual([true, true, true, true, true, false]);
    for (const { work } of works) work.end();
    await Promise.all(ends);
    const failing = () => Promise.reject(new Error('it broke off'));
    for (let time = 0; time < 5; time += 1) {
      await expect(transfers.passing(failing)).rejects.toThrow('it broke off');
    }
    expect(await transfers.passing(async () => 'there is room')).toBe('there is room');
  });

  test('take no more of the disk than they may, but for one that is alone, and none overtakes another', async () => {
    const transfers = newTransfers(1_000);
    const [first, large, small] = [heldWork(), heldWork(), heldWork()];
    const ends = [
      transfers.withFile(600, first.run),
      transfers.withFile(5_000, large.run),
      transfers.withFile(100, small.run),
    ];
    const begun = () => [first, large, small].map(({ work }) => work.hasBegun);
    await expect.poll(begun).toEqual([true, false, false]);
    first.work.end();
    await ends[0];
    await expect.poll(begun).toEqual([true, true, false]);
    large.work.end();
    await ends[1];
    await expect.poll(begun).toEqual([true, true, true]);
    small.work.end();
    await Promise.all(ends);
  });

  test('leave nothing on the disk, also where they failed', async () => {
    const transfers = newTransfers(1_000);
    let left = '';
    const failing = transfers.withFile(10, async (path) => {
      await writeFile(path, 'sealed');
      left = path;
      throw new Error('it broke off');
    });
    await expect(failing).rejects.toThrow('it broke off');
    expect([left === '', existsSync(left)]).toEqual([false, false]);
  });
});

describe('a file that comes sealed', () => {
  /** What is opened of the sealed bytes, where the description says `more` than what is true. */
  async function opened(more: { encSha256?: string; sha256?: string }, change = (it: Buffer) => it) {
    const path = join(folder, randomUUID());
    const plain = randomBytes(1_000);
    async function* chunks() {
      yield plain;
    }
    const { mediaKey, sha256, encSha256 } = await sealInto(path, chunks(), 'image');
    const sealed = change(await readFile(path));
    async function* parts() {
      for (let start = 0; start < sealed.length; start += 7) yield sealed.subarray(start, start + 7);
    }
    const seal = { sha256: sha256.toString('hex'), encSha256: encSha256.toString('base64'), ...more };
    const found: Uint8Array[] = [];
    for await (const part of unsealed(parts(), { mediaKey, kind: 'image', ...seal })) found.push(part);
    return Buffer.concat(found).equals(plain);
  }

  test('is opened in whatever parts it comes', async () => {
    expect(await opened({})).toBe(true);
  });

  test('is refused where one hash, the other, or its MAC does not fit', async () => {
    await expect(opened({ sha256: 'ab'.repeat(32) })).rejects.toThrow(CorruptFile);
    await expect(opened({ encSha256: btoa('e'.repeat(32)) })).rejects.toThrow(CorruptFile);
    const cut = (it: Buffer) => it.subarray(0, -1);
    await expect(opened({}, cut)).rejects.toThrow(CorruptFile);
  });
});
