import { describe, expect, test } from 'vitest';
import { type Candidate, chooseSender } from '../../../src/durable/account/sender-choice.ts';

const pool = { pinnedNumberId: null, onPinFailure: 'strict' as const };

function number(numberId: string, more: Partial<Candidate> = {}): Candidate {
  return { numberId, inPool: true, state: 'connected', phoneNumber: null, lastChosenAt: 0, ...more };
}

describe('the choice of the sender', () => {
  test('the pool takes the least recently chosen of the connected numbers', () => {
    const candidates = [
      number('a', { lastChosenAt: 30 }),
      number('b', { lastChosenAt: 10, state: 'disconnected' }),
      number('c', { lastChosenAt: 20 }),
    ];
    expect(chooseSender(pool, null, candidates)).toEqual({ ok: true, numberId: 'c', source: 'pool' });
  });

  test('a number that is not in the pool speaks only for the key that is pinned to it', () => {
    const candidates = [number('a', { inPool: false })];
    expect(chooseSender(pool, null, candidates)).toMatchObject({ ok: false, code: 'NO_HEALTHY_SENDER' });
    const pinned = { pinnedNumberId: 'a', onPinFailure: 'strict' as const };
    expect(chooseSender(pinned, null, candidates)).toEqual({ ok: true, numberId: 'a', source: 'pinned' });
  });

  test.each(['disconnected', 'logged_out', 'banned', 'pairing', 'unpaired'] as const)(
    'a strict pin that is %s refuses, one with fallback turns to the pool',
    (state) => {
      const candidates = [number('a', { state }), number('b')];
      expect(chooseSender({ pinnedNumberId: 'a', onPinFailure: 'strict' }, null, candidates)).toMatchObject({
        ok: false,
        code: 'SENDER_UNAVAILABLE',
      });
      expect(chooseSender({ pinnedNumberId: 'a', onPinFailure: 'fallback' }, null, candidates)).toEqual({
        ok: true,
        numberId: 'b',
        source: 'pinned_fallback',
      });
    },
  );

  test('a pin whose number was deleted is unavailable', () => {
    const key = { pinnedNumberId: 'gone', onPinFailure: 'strict' as const };
    expect(chooseSender(key, null, [number('b')])).toMatchObject({ code: 'SENDER_UNAVAILABLE' });
  });

  test('a hint is used while its number is connected, by id or by phone number, and else the pool', () => {
    const candidates = [number('a'), number('b', { phoneNumber: '628111', lastChosenAt: 9 })];
    expect(chooseSender(pool, 'b', candidates)).toMatchObject({ numberId: 'b', source: 'hint' });
    expect(chooseSender(pool, '628111', candidates)).toMatchObject({ numberId: 'b', source: 'hint' });
    const down = [number('a'), number('b', { state: 'banned' })];
    expect(chooseSender(pool, 'b', down)).toMatchObject({ numberId: 'a', source: 'hint_fallback' });
  });

  test('a hint that names no number of the account, or comes with a pinned key, is refused by name', () => {
    expect(chooseSender(pool, 'other', [number('a')])).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'senderHint' }],
    });
    expect(chooseSender({ pinnedNumberId: 'a', onPinFailure: 'fallback' }, 'a', [number('a')])).toMatchObject(
      {
        code: 'SENDER_HINT_NOT_ALLOWED',
      },
    );
  });
});
