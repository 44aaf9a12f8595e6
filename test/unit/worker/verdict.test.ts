import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verdict } from '../../../src/worker/features/webhooks/delivery/callback.ts';

const ladder = [30, 120, 600, 1800];
const answered = (statusCode: number) => ({ kind: 'answered', statusCode }) as const;

test('any 2xx is a delivery, whichever attempt it answers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 299 }), fc.integer({ min: 1, max: 5 }), (statusCode, attempt) => {
      expect(verdict(answered(statusCode), attempt, ladder)).toEqual({ kind: 'delivered' });
    }),
  );
});

test('any 3xx and 4xx is final, 408, 410 and 429 like the rest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 499 }), fc.integer({ min: 1, max: 5 }), (statusCode, attempt) => {
      expect(verdict(answered(statusCode), attempt, ladder)).toEqual({ kind: 'failed' });
    }),
  );
});

test.each([answered(500), answered(503), answered(599), { kind: 'unreachable' } as const])(
  '%j is tried again after 30 s, 2 min, 10 min and 30 min, and then no more',
  (outcome) => {
    const verdicts = [1, 2, 3, 4, 5].map((attempt) => verdict(outcome, attempt, ladder));
    expect(verdicts).toEqual([
      { kind: 'retry', delaySeconds: 30 },
      { kind: 'retry', delaySeconds: 120 },
      { kind: 'retry', delaySeconds: 600 },
      { kind: 'retry', delaySeconds: 1800 },
      { kind: 'failed' },
    ]);
  },
);

test('a URL that must not be called any more is not waited for', () => {
  expect(verdict({ kind: 'forbidden' }, 1, ladder)).toEqual({ kind: 'failed' });
});
