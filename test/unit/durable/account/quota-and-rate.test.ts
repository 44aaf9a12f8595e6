import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodOf, resetAt, tellsExceeded } from '../../../../src/durable/account/admission/quota.ts';
import { type Bucket, takeTokens } from '../../../../src/durable/account/admission/token-bucket.ts';

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
});
