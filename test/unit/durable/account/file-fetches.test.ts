import { expect, test } from 'vitest';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { Backlog } from '../../../../src/durable/account/outbox/backlog.ts';
import type { Failures } from '../../../../src/durable/account/outbox/failures.ts';
import {
  type FetchedFile,
  FileFetches,
  type FileWakeUp,
} from '../../../../src/durable/account/outbox/file-fetches.ts';
import type { Schedule } from '../../../../src/durable/account/outbox/placement.ts';
import { newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { Senders } from '../../../../src/durable/account/senders/senders.ts';
import type { LogOutbox } from '../../../../src/durable/hand-over/log-outbox.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 4, 10, 12);
const minuteMs = 60_000;

test('a file is asked for every quarter of an hour, until the time of its message is over, which fails then', async () => {
  const { sql, transactionSync } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const backlog = new Backlog(sql);
  const rung: FileWakeUp[] = [];
  const failed: unknown[] = [];
  const fetches = new FileFetches({
    ...{ sql, backlog, accountId: 'account', change: transactionSync },
    senders: { of: newSender } as unknown as Senders,
    schedule: { note: () => {} } as unknown as Schedule,
    failures: {
      fail: (message: object, _: object, failure: object) => failed.push({ ...message, ...failure }),
    } as unknown as Failures,
    logOutbox: { add: () => {} } as unknown as LogOutbox,
    ring: async (wakeUps) => {
      rung.push(...wakeUps);
    },
  });
  backlog.addLater('number', {
    ...{ messageId: 'msg_1', to: '628111222333', chatType: 'personal', senderSource: 'pool' },
    content: { type: 'image', media: { mediaId: 'media', mimetype: 'image/png', bytes: 0 } },
    ...{ isNewChat: true, mayMove: true, queuedAt: now, expiresAt: now + 30 * minuteMs },
    fileUrl: 'https://files.example/1.png',
  });
  fetches.note('msg_1', now);
  const wakeUp = { accountId: 'account', messageId: 'msg_1' };
  await fetches.run(now);
  expect(rung).toEqual([wakeUp]);
  expect(fetches.dueAt()).toBe(now + 15 * minuteMs);
  await fetches.run(now + 15 * minuteMs);
  expect(rung).toEqual([wakeUp, wakeUp]);
  expect(failed).toEqual([]);
  await fetches.run(now + 30 * minuteMs);
  expect(rung).toHaveLength(2);
  expect(failed).toMatchObject([{ messageId: 'msg_1', errorCode: 'file_not_fetched' }]);
  expect(fetches.wanted('msg_1')).toBeNull();
  expect(fetches.dueAt()).toBeNull();
});

test('a scheduled message waits for its time also when its file is there, and a voice note is fetched as one', () => {
  const { sql, transactionSync } = sqliteStorage();
  for (const migration of accountMigrations) sql.exec(migration.sql);
  const backlog = new Backlog(sql);
  const noted: number[] = [];
  const fetches = new FileFetches({
    ...{ sql, backlog, accountId: 'account', change: transactionSync },
    senders: { of: newSender } as unknown as Senders,
    schedule: { note: (at: number) => void noted.push(at) } as unknown as Schedule,
    failures: {} as unknown as Failures,
    logOutbox: { add: () => {} } as unknown as LogOutbox,
    ring: async () => {},
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
  expect(noted).toEqual([sendAt]);
  expect(backlog.takeLater(sendAt - 1, 10)).toEqual([]);
  expect(backlog.takeLater(sendAt, 10)).toMatchObject([{ message: { content: { media: { bytes: 7 } } } }]);
});
