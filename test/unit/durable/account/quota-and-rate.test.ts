import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuotaGate } from '../../../../src/durable/account/admission/quota-gate.ts';
import {
  type Bucket,
  limitState,
  RateLimits,
  takeTokens,
} from '../../../../src/durable/account/admission/rate-limits.ts';
import {
  periodOf,
  resetAt,
  SendCounts,
  tellsExceeded,
} from '../../../../src/durable/account/admission/send-counts.ts';
import { StoredFiles } from '../../../../src/durable/account/admission/stored-files.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import type { Plan } from '../../../../src/settings/plans.ts';
import type { WorkerSettings } from '../../../../src/settings/worker-settings.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

describe('the quota period', () => {
  test('is the calendar month in UTC, and ends with it', () => {
    expect(periodOf(Date.UTC(2026, 11, 31, 23, 59, 59, 999))).toBe('2026-12');
    expect(periodOf(Date.UTC(2027, 0, 1))).toBe('2027-01');
    expect(resetAt('2026-12')).toBe('2027-01-01T00:00:00.000Z');
    expect(resetAt('2026-02')).toBe('2026-03-01T00:00:00.000Z');
  });

  test('its end is the first moment of the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2090, 0, 1) }), (at) => {
        const end = Date.parse(resetAt(periodOf(at)));
        expect(periodOf(end)).not.toBe(periodOf(at));
        expect(periodOf(end - 1)).toBe(periodOf(at));
      }),
    );
  });

  test('exceeding it is told at the first rejected send, and then at most once a minute', () => {
    expect(tellsExceeded(null, 1000)).toBe(true);
    expect(tellsExceeded(1000, 60_999)).toBe(false);
    expect(tellsExceeded(1000, 61_000)).toBe(true);
    // By a clock that was set back, too.
    expect(tellsExceeded(3_600_000, 1000)).toBe(true);
  });
});

describe('what an account has used of its quota', () => {
  const now = Date.UTC(2026, 10, 26, 12);
  const month = '2026-11';

  function account() {
    const { sql, transactionSync } = sqliteStorage();
    for (const step of accountMigrations) sql.exec(step.sql);
    const counts = new SendCounts(sql);
    const gate = new QuotaGate(sql, counts, new Map([['free', { messagesAMonth: 10 } as Plan]]));
    const accept = (messages: number, numberId = 'one', at = now) => {
      for (let message = 0; message < messages; message += 1) counts.add(numberId, at);
      counts.save();
    };
    return { sql, counts, gate, accept, transactionSync };
  }

  test('is less by what failed, at once and in the next life, and never less than nothing', () => {
    const { sql, counts, gate, accept } = account();
    accept(10);
    expect(gate.refusal('free', now)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    counts.takeOff('one', now);
    expect(counts.used(month)).toBe(9);
    expect(new SendCounts(sql).used(month)).toBe(9);
    expect(gate.refusal('free', now)).toBeNull();
    counts.takeOff('another', now);
    expect(counts.used(month)).toBe(9);
  });

  test('stands by number, most first, and by day, without those that have sent nothing', () => {
    const { counts, gate, accept } = account();
    accept(2, 'few');
    accept(4, 'many', now - 86_400_000);
    accept(1, 'failed', now - 2 * 86_400_000);
    counts.takeOff('failed', now - 2 * 86_400_000);
    // To look somebody up is no message.
    counts.noteCheck('asking', now);
    expect(gate.usage('free', now)).toMatchObject({
      used: 6,
      byNumber: [
        { numberId: 'many', used: 4 },
        { numberId: 'few', used: 2 },
      ],
      byDay: [
        { day: '2026-11-25', used: 4 },
        { day: '2026-11-26', used: 2 },
      ],
    });
    expect(counts.checksOf('asking', now)).toBe(1);
  });

  test('is warned of anew where the warning was rolled back, and once where it was not', () => {
    const { gate, accept, transactionSync } = account();
    accept(8);
    expect(() =>
      transactionSync(() => {
        expect(gate.noteUsed('free', now)).toMatchObject({ kind: 'quota.warning', used: 8 });
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
    gate.reload();
    expect(gate.noteUsed('free', now)).toMatchObject({ kind: 'quota.warning', used: 8 });
    gate.reload();
    expect(gate.noteUsed('free', now)).toBeNull();
  });

  test('is warned of once in each month, also in one life', () => {
    const { gate, accept } = account();
    const nextMonth = Date.UTC(2026, 11, 26, 12);
    for (const at of [now, nextMonth]) {
      accept(8, 'one', at);
      expect(gate.noteUsed('free', at)).toMatchObject({ kind: 'quota.warning', at, used: 8 });
      expect(gate.noteUsed('free', at)).toBeNull();
    }
  });

  test('is kept for 400 days, and when it was told for two years', () => {
    const { sql, counts, gate, accept } = account();
    const daysAgo = (days: number) => now - days * 86_400_000;
    for (const days of [400, 401]) accept(1, 'one', daysAgo(days));
    for (const days of [0, 800]) gate.noteExceeded('free', daysAgo(days));
    counts.sweep(now);
    gate.sweep(now);
    expect(sql.exec('SELECT day FROM sends').toArray()).toEqual([{ day: '2025-10-22' }]);
    expect(sql.exec('SELECT period FROM quota').toArray()).toEqual([{ period: month }]);
  });
});

describe('what the files of an account take', () => {
  const now = Date.UTC(2026, 10, 26, 12);
  const file = (bytes: number, expiresAt = now + 1_000) => ({ fileId: 'file', bytes, expiresAt });

  function files() {
    const { sql } = sqliteStorage();
    for (const step of accountMigrations) sql.exec(step.sql);
    return new StoredFiles(sql, new Map([['free', { storageBytes: 100 } as Plan]]));
  }

  test('may be above what there is room for, as long as it takes no more than before', () => {
    const stored = files();
    expect(stored.keep('free', file(150), false, now)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(stored.keep('free', file(150), true, now)).toBeNull();
    expect(stored.keep('free', file(120), false, now)).toBeNull();
    expect(stored.keep('free', file(121), false, now)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
    expect(stored.usage('free', now)).toEqual({ used: 120, limit: 100 });
  });

  test('is taken until the end that was told last', () => {
    const stored = files();
    for (const expiresAt of [now + 1_000, now + 2_000]) stored.keep('free', file(10, expiresAt), false, now);
    expect([now + 1_000, now + 2_000].map((at) => stored.usage('free', at).used)).toEqual([10, 0]);
  });
});

describe('files that have expired', () => {
  test('count no more, and are forgotten some at a time', () => {
    const { sql } = sqliteStorage();
    for (const step of accountMigrations) sql.exec(step.sql);
    const stored = new StoredFiles(sql, new Map([['free', { storageBytes: 100 } as Plan]]));
    const kept = 2_600;
    for (let place = 0; place < kept; place += 1) {
      stored.keep('free', { fileId: String(place), bytes: 10, expiresAt: 1_000 + place }, true, 0);
    }
    const left = () => sql.exec<{ n: number }>('SELECT count(*) AS n FROM stored_files').one().n;
    expect(stored.usage('free', 10_000).used).toBe(0);
    expect(left()).toBe(600);
    // One of them that is stored again is a new one.
    expect(
      stored.keep('free', { fileId: '2599', bytes: 101, expiresAt: 20_000 }, false, 10_000),
    ).not.toBeNull();
    expect(stored.keep('free', { fileId: '2599', bytes: 100, expiresAt: 20_000 }, false, 10_000)).toBeNull();
    expect(stored.usage('free', 10_000).used).toBe(100);
    expect(left()).toBe(1);
  });
});

describe('the rate of a key', () => {
  const rate = { perSecond: 50, burst: 100 };

  test('allows the burst at once, then says when to come back', () => {
    let bucket: Bucket | undefined;
    for (let sends = 0; sends < 100; sends += 1) {
      const taken = takeTokens(bucket, rate, 5000);
      expect(taken.ok).toBe(true);
      bucket = taken.bucket;
    }
    expect(takeTokens(bucket, rate, 5000)).toMatchObject({ ok: false, retryAfterSeconds: 1 });
    expect(takeTokens(bucket, rate, 5020).ok).toBe(true);
  });

  test('lets more than the burst through at once when nothing was taken before, and makes up for it afterwards', () => {
    const first = takeTokens({ tokens: 100, at: 0 }, rate, 0, 250);
    expect(first.ok).toBe(true);
    expect(takeTokens(first.bucket, rate, 3000)).toMatchObject({ ok: false, retryAfterSeconds: 1 });
    expect(takeTokens(first.bucket, rate, 3020).ok).toBe(true);
    expect(takeTokens({ tokens: 99, at: 0 }, rate, 0, 250)).toMatchObject({ ok: false });
  });

  test('of one that was idle for a day is the burst, and no more', () => {
    let { bucket } = takeTokens({ tokens: 0, at: 0 }, rate, 86_400_000, 100);
    expect(takeTokens(bucket, rate, 86_400_000).ok).toBe(false);
    bucket = { tokens: 100, at: 0 };
    expect(takeTokens(bucket, rate, 86_400_000, 100)).toMatchObject({ ok: true, bucket: { tokens: 0 } });
    // A clock that is set back takes nothing away, and gives nothing.
    expect(takeTokens({ tokens: 7, at: 5_000 }, rate, 1_000)).toMatchObject({ bucket: { tokens: 6 } });
  });

  test('over any time never lets through more than the burst and the rate', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 400 }), (waits) => {
        let bucket: Bucket | undefined;
        let now = 0;
        const passedAt: number[] = [];
        for (const wait of waits) {
          now += wait;
          const taken = takeTokens(bucket, { perSecond: 10, burst: 5 }, now);
          bucket = taken.bucket;
          if (taken.ok) passedAt.push(now);
        }
        // From any of them on, not from the first alone: what was not used is not saved up.
        for (const [index, from] of passedAt.entries()) {
          const passed = passedAt.length - index;
          expect(passed).toBeLessThanOrEqual(5 + ((now - from) / 1000) * 10 + 1e-6);
        }
      }),
    );
  });

  test('of the account counts each message of a batch, and none of a key that is over its own rate', () => {
    const limits = new RateLimits({
      ...{ KEY_RATE_PER_SECOND: 1, KEY_RATE_BURST: 20, ACCOUNT_RATE_PER_SECOND: 1, ACCOUNT_RATE_BURST: 30 },
      ...{ PERSON_RATE_PER_SECOND: 1, PERSON_RATE_BURST: 5 },
    } as WorkerSettings);
    const left = (keyId: string, messages: number) => {
      const { refusal, limits: states } = limits.consume(keyId, 0, messages);
      return [refusal === null, ...states.map(({ name, remaining }) => [name, remaining])];
    };
    expect(left('a', 15)).toEqual([true, ['key', 5], ['account', 15]]);
    expect(left('a', 6)).toEqual([false, ['key', 5]]);
    expect(left('b', 16)).toEqual([false, ['key', 4], ['account', 15]]);
    expect(left('b', 4)).toEqual([true, ['key', 0], ['account', 11]]);
  });

  test('is told with the seconds until there is one more, or until it is whole again', () => {
    const name = 'key' as const;
    expect(limitState(name, rate, { tokens: 0.5, at: 0 })).toMatchObject({ remaining: 0, resetSeconds: 1 });
    expect(limitState(name, { perSecond: 0.1, burst: 5 }, { tokens: 0, at: 0 }).resetSeconds).toBe(10);
    expect(limitState(name, { perSecond: 0.1, burst: 5 }, { tokens: 2, at: 0 })).toMatchObject({
      remaining: 2,
      resetSeconds: 30,
      windowSeconds: 50,
    });
  });
});
