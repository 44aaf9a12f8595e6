import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  type ChoiceInput,
  chooseSender,
  fitnessOf,
} from '../../../src/durable/account/sender-choice.ts';

const now = Date.UTC(2026, 10, 21, 9);
const hourMs = 3600 * 1000;
const pool = { pinnedNumberId: null, onPinFailure: 'strict' as const };
const pin = (onPinFailure: 'strict' | 'fallback') => ({ pinnedNumberId: 'a', onPinFailure });

function number(numberId: string, more: Partial<Candidate> = {}): Candidate {
  const { state = 'connected' } = more;
  const status = state === 'connected' ? 'healthy' : 'unavailable';
  return {
    numberId,
    inPool: true,
    state,
    phoneNumber: null,
    health: { status, reason: null, until: null },
    weight: 100,
    position: 0,
    filter: null,
    isNewChat: true,
    lastTalkAt: null,
    wroteAt: null,
    ...more,
  };
}

const health = (status: 'resting' | 'restricted') => ({ status, reason: `It is ${status}.`, until: null });

function choose(candidates: Candidate[], more: Partial<ChoiceInput> = {}) {
  return chooseSender({ key: pool, senderHint: null, candidates, stickyHours: 24, now, ...more });
}

describe('the choice of the sender', () => {
  test('the pool takes whose turn it is among the healthy', () => {
    const candidates = [
      number('a', { position: 30 }),
      number('b', { position: 10, state: 'disconnected' }),
      number('c', { position: 20 }),
      number('d', { position: 5, health: health('resting') }),
    ];
    expect(choose(candidates)).toMatchObject({ ok: true, numberId: 'c', source: 'pool', rotated: true });
  });

  test('a number that is not in the pool speaks only for the key that is pinned to it', () => {
    const candidates = [number('a', { inPool: false })];
    expect(choose(candidates)).toMatchObject({ ok: false, code: 'NO_HEALTHY_SENDER' });
    expect(choose(candidates, { key: pin('strict') })).toMatchObject({ numberId: 'a', source: 'pinned' });
  });

  test.each(['disconnected', 'logged_out', 'banned', 'pairing', 'unpaired'] as const)(
    'a strict pin that is %s refuses, one with fallback turns to the pool',
    (state) => {
      const candidates = [number('a', { state }), number('b')];
      expect(choose(candidates, { key: pin('strict') })).toMatchObject({ code: 'SENDER_UNAVAILABLE' });
      expect(choose(candidates, { key: pin('fallback') })).toMatchObject({
        numberId: 'b',
        source: 'pinned_fallback',
      });
    },
  );

  test('a pin whose number was deleted is unavailable', () => {
    const key = { pinnedNumberId: 'gone', onPinFailure: 'strict' as const };
    expect(choose([number('b')], { key })).toMatchObject({ code: 'SENDER_UNAVAILABLE' });
  });

  test('a strict pin that rests keeps its messages; one with fallback turns to the pool, if that can do better', () => {
    const resting = number('a', { health: health('resting') });
    expect(choose([resting, number('b')], { key: pin('strict') })).toMatchObject({ numberId: 'a' });
    expect(choose([resting, number('b')], { key: pin('fallback') })).toMatchObject({ numberId: 'b' });
    const down = number('b', { state: 'banned' });
    expect(choose([resting, down], { key: pin('fallback') })).toMatchObject({
      numberId: 'a',
      source: 'pinned',
    });
  });

  test('a hint is used while its number is healthy, by id or by phone number, and else the pool', () => {
    const candidates = [number('a'), number('b', { phoneNumber: '628111', position: 9 })];
    expect(choose(candidates, { senderHint: 'b' })).toMatchObject({ numberId: 'b', source: 'hint' });
    expect(choose(candidates, { senderHint: '628111' })).toMatchObject({ numberId: 'b', source: 'hint' });
    for (const unfit of [
      { state: 'banned' as const },
      { health: health('resting') },
      { filter: 'blockPrefixes' as const },
    ]) {
      const down = [number('a'), number('b', unfit)];
      expect(choose(down, { senderHint: 'b' })).toMatchObject({ numberId: 'a', source: 'hint_fallback' });
    }
  });

  test('a hint that names no number of the account, or comes with a pinned key, is refused by name', () => {
    expect(choose([number('a')], { senderHint: 'other' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'senderHint' }],
    });
    expect(choose([number('a')], { key: pin('fallback'), senderHint: 'a' })).toMatchObject({
      code: 'SENDER_HINT_NOT_ALLOWED',
    });
  });

  test('a recipient hears from the number that they last talked with, while it is healthy and as long as the account wants', () => {
    const talks = (hoursAgo: number) => ({ lastTalkAt: now - hoursAgo * hourMs, isNewChat: false });
    const candidates = [
      number('next'),
      number('older', { ...talks(20), position: 9 }),
      number('last', { ...talks(2), position: 9 }),
    ];
    expect(choose(candidates)).toMatchObject({ numberId: 'last', source: 'pool', rotated: false });
    expect(choose(candidates, { stickyHours: 1 })).toMatchObject({ numberId: 'next' });
    expect(choose(candidates, { stickyHours: 0 })).toMatchObject({ numberId: 'next' });
    const down = candidates.map((it) => (it.numberId === 'last' ? { ...it, state: 'banned' as const } : it));
    expect(choose(down)).toMatchObject({ numberId: 'older' });
  });

  test('a restricted number answers those who it talks with; new chats go to others, and wait with it where there are none', () => {
    const restricted = number('a', { health: health('restricted') });
    expect(choose([restricted, number('b', { position: 9 })])).toMatchObject({ numberId: 'b' });
    expect(choose([restricted])).toMatchObject({ ok: true, numberId: 'a' });
    const known = { ...restricted, isNewChat: false, lastTalkAt: now - hourMs };
    expect(choose([known, number('b')])).toMatchObject({ numberId: 'a' });
  });

  test('a number that has reached its limit for today is left out, but for those who wrote within a day', () => {
    const spent = number('a', { weight: 0 });
    expect(choose([spent, number('b', { position: 9 })])).toMatchObject({ numberId: 'b' });
    expect(choose([spent])).toMatchObject({ ok: true, numberId: 'a' });
    const wrote = (hoursAgo: number) => ({
      ...spent,
      isNewChat: false,
      lastTalkAt: now - hourMs,
      wroteAt: now - hoursAgo * hourMs,
    });
    expect(choose([wrote(23), number('b')])).toMatchObject({ numberId: 'a' });
    expect(choose([wrote(25), number('b')])).toMatchObject({ numberId: 'b' });
  });

  test('a filter of a number sends the message to another; where only filters stand in the way, it is refused by name', () => {
    const filtered = number('a', { filter: 'blockPrefixes' });
    expect(choose([filtered, number('b')])).toMatchObject({ numberId: 'b' });
    const refused = {
      code: 'RECIPIENT_FILTERED',
      details: [{ path: 'to', filter: 'blockPrefixes', numberId: 'a' }],
    };
    expect(choose([filtered, number('b', { state: 'banned' })])).toMatchObject(refused);
    expect(choose([filtered, number('b')], { key: pin('strict') })).toMatchObject(refused);
    expect(choose([number('a', { filter: 'blockPrefixes', state: 'banned' })])).toMatchObject({
      code: 'NO_HEALTHY_SENDER',
    });
  });

  test('what speaks against a number is said in words', () => {
    expect(fitnessOf(number('a'), now)).toEqual({ fitness: 'ready', reason: null });
    expect(fitnessOf(number('a', { state: 'banned' }), now)).toEqual({
      fitness: 'unfit',
      reason: 'The number is banned.',
    });
    expect(fitnessOf(number('a', { health: health('resting') }), now)).toEqual({
      fitness: 'unfit',
      reason: 'It is resting.',
    });
  });

  test('whatever there is to choose from, nobody speaks who cannot, and nobody waits while another could send', () => {
    const candidate = fc
      .record({
        inPool: fc.boolean(),
        state: fc.constantFrom<Candidate['state']>('connected', 'connected', 'disconnected', 'banned'),
        status: fc.constantFrom(
          'healthy' as const,
          'healthy' as const,
          'resting' as const,
          'restricted' as const,
        ),
        weight: fc.constantFrom(0, 10, 100),
        position: fc.integer({ min: 0, max: 5 }),
        filter: fc.constantFrom(null, null, 'blockNumbers' as const),
        isNewChat: fc.boolean(),
        lastTalkAt: fc.option(fc.integer({ min: now - 48 * hourMs, max: now })),
      })
      .map(({ status, ...more }) => ({ ...more, health: { status, reason: null, until: null } }));
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 6 }), fc.constantFrom(null, 'n0'), (list, hint) => {
        const candidates = list.map((more, index) => number(`n${index}`, more));
        const senderHint = candidates.length > 0 ? hint : null;
        const choice = choose(candidates, { senderHint });
        const fitness = (it: Candidate) => fitnessOf(it, now).fitness;
        const usable = candidates.filter((it) => it.inPool || it.numberId === senderHint);
        if (!choice.ok) {
          expect(usable.every((it) => fitness(it) === 'unfit')).toBe(true);
          return;
        }
        const chosen = usable.find(({ numberId }) => numberId === choice.numberId);
        if (!chosen) throw new Error('chosen from outside the pool');
        const best = usable.some((it) => fitness(it) === 'ready') ? 'ready' : 'waiting';
        expect(fitness(chosen)).toBe(best);
      }),
    );
  });
});
