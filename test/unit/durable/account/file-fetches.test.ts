import { expect, onTestFinished, test, vi } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { Failures } from '../../../../src/durable/account/outbox/failures.ts';
import {
  type FetchedFile,
  type FetchLater,
  FileFetches,
  type WantedFile,
} from '../../../../src/durable/account/outbox/file-fetches.ts';
import type { Schedule } from '../../../../src/durable/account/outbox/placement.ts';
import { newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { Senders } from '../../../../src/durable/account/senders/senders.ts';
import type { LogOutbox } from '../../../../src/durable/hand-over/log-outbox.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 4, 10, 12);
const minuteMs = 60_000;

/** A message that waits for its file, and what comes of each attempt to fetch it. */
function stage(
  answers: (FetchedFile | FetchLater | Error | Promise<FetchLater>)[],
  expiresAt = now + 30 * minuteMs,
) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const { sql, transactionSync } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const backlog = new Backlog(sql);
  const [attempts, failed, work]: [number[], unknown[], Promise<void>[]] = [[], [], []];
  const parts = {
    ...{ sql, backlog, change: transactionSync },
    senders: { of: newSender } as unknown as Senders,
    schedule: { note: () => {} } as unknown as Schedule,
    failures: {
      fail: (message: object, _: object, failure: object) => failed.push({ ...message, ...failure }),
    } as unknown as Failures,
    logOutbox: { add: () => {} } as unknown as LogOutbox,
    fetch: async (_id: string, _wanted: WantedFile, attempt: number) => {
      attempts.push(attempt);
      const answer = answers.shift();
      if (answer === undefined) return new Promise<never>(() => {});
      if (answer instanceof Error) throw answer;
      return answer;
    },
    waitUntil: (it: Promise<void>) => void work.push(it),
    freed: () => {},
  };
  const fetches = new FileFetches(parts);
  backlog.addLater('number', {
    ...{ messageId: 'msg_1', to: '628111222333', chatType: 'personal', senderSource: 'pool' },
    content: { type: 'image', media: { mediaId: 'media', mimetype: 'image/png', bytes: 0 } },
    ...{ isNewChat: true, mayMove: true, queuedAt: now, expiresAt },
    fileUrl: 'https://files.example/1.png',
  });
  fetches.note('msg_1', now);
  const run = async (at: number) => {
    vi.setSystemTime(at);
    fetches.run(at);
    await Promise.all(work.splice(0));
  };
  return { fetches, attempts, failed, run, nextLife: () => new FileFetches(parts) };
}

test('a file is asked for again when its host may have it, and its message fails when it does not', async () => {
  const gone = { ok: false as const, reason: 'The host answered 503.' };
  const { fetches, attempts, failed, run } = stage([{ againSeconds: 5 }, { againSeconds: 30 }, gone]);
  await run(now);
  expect(fetches.dueAt()).toBe(now + 5_000);
  await run(now + 5_000);
  expect(fetches.dueAt()).toBe(now + 35_000);
  expect(failed).toEqual([]);
  await run(now + 35_000);
  expect(attempts).toEqual([1, 2, 3]);
  expect(failed).toMatchObject([{ messageId: 'msg_1', errorCode: 'file_not_fetched' }]);
  expect(fetches.dueAt()).toBeNull();
});

test('attempts are counted beyond the life of the object: a host that never answers is given up', async () => {
  const { attempts, run, nextLife } = stage([{ againSeconds: 5 }, { againSeconds: 30 }]);
  await run(now);
  vi.setSystemTime(now + 5_000);
  nextLife().run(now + 5_000);
  expect(attempts).toEqual([1, 2]);
});

test('after a fault of ours a file is asked for again, until the time of its message is over, which fails then', async () => {
  const faults = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => faults.mockRestore());
  const { fetches, attempts, failed, run } = stage([new Error('away')], now + minuteMs);
  await run(now);
  expect(fetches.dueAt()).toBe(now + 30_000);
  await run(now + minuteMs);
  expect(attempts).toEqual([1]);
  expect(failed).toMatchObject([{ messageId: 'msg_1', errorCode: 'file_not_fetched' }]);
  expect(fetches.wanted('msg_1')).toBeNull();
});

test('a file that is under way is not fetched twice, and in the next life of the object at once', () => {
  const { fetches, attempts, nextLife } = stage([]);
  fetches.run(now);
  expect(fetches.dueAt()).toBeNull();
  fetches.run(now);
  expect(attempts).toEqual([1]);
  expect(nextLife().dueAt()).toBe(now);
});

test('a file whose call never answers is fetched again in the same life, also when the call that was lost answers late', async () => {
  const lost = Promise.withResolvers<FetchLater>();
  const { fetches, attempts } = stage([lost.promise]);
  vi.useFakeTimers({ now });
  const faults = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => faults.mockRestore());
  fetches.run(now);
  await vi.advanceTimersByTimeAsync(10 * minuteMs - 1);
  expect(fetches.dueAt()).toBeNull();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetches.dueAt()).toBe(Date.now() + 30_000);
  await vi.advanceTimersByTimeAsync(30_000);
  fetches.run(Date.now());
  expect(attempts).toEqual([1, 1]);
  lost.resolve({ againSeconds: 5 });
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(fetches.dueAt()).toBeNull();
});

test('a file is asked for again in time, also where the clock was set back meanwhile', async () => {
  const { fetches, attempts, run } = stage([{ againSeconds: 120 }]);
  await run(now);
  vi.setSystemTime(now - 60 * minuteMs);
  expect(fetches.dueAt()).toBeLessThan(Date.now());
  fetches.run(Date.now());
  expect(attempts).toEqual([1, 2]);
});

test('a scheduled message waits for its time also when its file is there, and a voice note is fetched as one', () => {
  const { sql, transactionSync } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const backlog = new Backlog(sql);
  const noted: number[] = [];
  const fetches = new FileFetches({
    ...{ sql, backlog, change: transactionSync },
    senders: { of: newSender } as unknown as Senders,
    schedule: { note: (at: number) => void noted.push(at) } as unknown as Schedule,
    failures: {} as unknown as Failures,
    logOutbox: { add: () => {} } as unknown as LogOutbox,
    ...{ fetch: async () => ({ againSeconds: 5 }), waitUntil: () => {}, freed: () => {} },
  });
  const sendAt = now + 60 * minuteMs;
  const url = 'https://files.example/1.ogg';
  backlog.addLater('number', {
    ...{ messageId: 'msg_1', to: '628111222333', chatType: 'personal', senderSource: 'pool' },
    content: { type: 'audio', media: { mediaId: 'media', mimetype: 'audio/ogg', bytes: 0, voice: true } },
    ...{ isNewChat: true, mayMove: true, queuedAt: now, expiresAt: sendAt + 30 * minuteMs, sendAt },
    fileUrl: url,
  });
  fetches.note('msg_1', now);
  expect(fetches.wanted('msg_1')).toEqual({ url, mediaId: 'media', kind: 'audio', isVoice: true });
  const file = { mediaId: 'media', mimetype: 'audio/ogg', bytes: 7, sha256: 'ab'.repeat(32) };
  fetches.settle('msg_1', { ok: true, file } as FetchedFile, now);
  // That it has failed, told late, changes nothing any more.
  fetches.settle('msg_1', { ok: false, reason: 'It took too long.' }, now);
  expect(noted).toEqual([sendAt]);
  expect(backlog.takeLater(sendAt - 1, 10)).toEqual([]);
  expect(backlog.takeLater(sendAt, 10)).toMatchObject([{ message: { content: { media: { bytes: 7 } } } }]);
});
