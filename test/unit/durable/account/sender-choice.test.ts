import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import type { Conversation } from '../../../../src/durable/account/recipients/conversations.ts';
import { compileFilters } from '../../../../src/durable/account/recipients/recipient-filters.ts';
import { type Candidate, fitnessOf, SenderPool } from '../../../../src/durable/account/senders/candidates.ts';
import {
  type ChoiceInput,
  chatOf,
  chooseSender,
} from '../../../../src/durable/account/senders/sender-choice.ts';

const now = Date.UTC(2026, 10, 21, 9);
const hourMs = 3600 * 1000;
const to = '628123456789';
const pool = { pinnedNumberId: null, onPinFailure: 'strict' as const };
const pin = (onPinFailure: 'strict' | 'fallback') => ({ pinnedNumberId: 'a', onPinFailure });
const open = compileFilters(openFilters);
const filtered = compileFilters({ ...openFilters, blockPrefixes: ['62'] });

/** A number, and what passed between it and the recipient. */
interface Known extends Candidate {
  talk: Conversation | null;
}

function number(numberId: string, more: Partial<Known> = {}): Known {
  const { state = 'connected' } = more;
  const status = state === 'connected' ? 'healthy' : 'unavailable';
  return {
    numberId,
    inPool: true,
    state,
    phoneNumber: null,
    health: { status, reason: null, until: null },
    isFailing: false,
    weight: 100,
    place: 0,
    order: 0,
    filters: open,
    talk: null,
    ...more,
  };
}

const health = (status: 'resting' | 'restricted') => ({ status, reason: `It is ${status}.`, until: null });

function inputOf(known: readonly Known[], more: Partial<ChoiceInput> = {}): ChoiceInput {
  const numbers = new SenderPool();
  for (const [order, candidate] of known.entries()) numbers.put({ ...candidate, order });
  const conversations = new Map(
    known.flatMap(({ numberId, talk }) => (talk === null ? [] : [[numberId, talk] as const])),
  );
  const { chatType = 'personal' } = more;
  const addresses = chatType === 'personal' ? [more.to ?? to] : [];
  const input = { key: pool, senderHint: null, to, addresses, chatType, conversations };
  return { ...input, pool: numbers, stickyHours: 24, except: null, now, ...more };
}

const choose = (known: readonly Known[], more: Partial<ChoiceInput> = {}) =>
  chooseSender(inputOf(known, more));

describe('the choice of the sender', () => {
  test('the pool takes whose turn it is among the healthy', () => {
    const candidates = [
      number('a', { place: 30 }),
      number('b', { place: 10, state: 'disconnected' }),
      number('c', { place: 20 }),
      number('d', { place: 5, health: health('resting') }),
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
    expect(choose([number('b')], { key })).toMatchObject({
      code: 'SENDER_UNAVAILABLE',
      message: 'The pinned number is deleted.',
    });
    const fallback = { key: { ...key, onPinFailure: 'fallback' as const } };
    expect(choose([number('b')], fallback)).toMatchObject({ numberId: 'b', source: 'pinned_fallback' });
    const spent = number('b', { weight: 0 });
    expect(choose([spent], fallback)).toMatchObject({ numberId: 'b', source: 'pinned_fallback' });
    expect(choose([], fallback)).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
  });

  test('a strict pin says how its number is', () => {
    const banned = [number('a', { state: 'banned' })];
    expect(choose(banned, { key: pin('strict') })).toMatchObject({ message: 'The pinned number is banned.' });
  });

  test('a pin with fallback that is away or filters the recipient turns to a number that has to wait, too', () => {
    const spent = number('b', { weight: 0 });
    for (const unfit of [{ state: 'disconnected' as const }, { filters: filtered }]) {
      expect(choose([number('a', unfit), spent], { key: pin('fallback') })).toMatchObject({
        numberId: 'b',
        source: 'pinned_fallback',
      });
    }
    expect(choose([number('a', { weight: 0 }), spent], { key: pin('fallback') })).toMatchObject({
      numberId: 'a',
      source: 'pinned',
    });
  });

  test('a hint to a number that cannot be asked turns to one that has to wait, too', () => {
    const candidates = [number('a', { weight: 0 }), number('b', { state: 'banned' })];
    expect(choose(candidates, { senderHint: 'b' })).toMatchObject({ numberId: 'a', source: 'hint_fallback' });
    expect(choose([number('b', { state: 'banned' })], { senderHint: 'b' })).toMatchObject({
      code: 'NO_HEALTHY_SENDER',
    });
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
    const candidates = [number('a'), number('b', { phoneNumber: '628111', place: 9 })];
    expect(choose(candidates, { senderHint: 'b' })).toMatchObject({ numberId: 'b', source: 'hint' });
    expect(choose(candidates, { senderHint: '628111' })).toMatchObject({ numberId: 'b', source: 'hint' });
    for (const unfit of [
      { state: 'banned' as const },
      { health: health('resting') },
      { filters: filtered },
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
    const talks = (hoursAgo: number) => ({ talk: { lastAt: now - hoursAgo * hourMs, wroteAt: null } });
    const candidates = [
      number('next'),
      number('older', { ...talks(20), place: 9 }),
      number('last', { ...talks(2), place: 9 }),
    ];
    for (const known of [candidates, candidates.toReversed()])
      expect(choose(known)).toMatchObject({ numberId: 'last', source: 'pool', rotated: false });
    expect(choose(candidates, { stickyHours: 1 })).toMatchObject({ numberId: 'next' });
    expect(choose(candidates, { stickyHours: 0 })).toMatchObject({ numberId: 'next' });
    const down = candidates.map((it) => (it.numberId === 'last' ? { ...it, state: 'banned' as const } : it));
    expect(choose(down)).toMatchObject({ numberId: 'older' });
  });

  test('a restricted number answers those who it talks with; new chats go to others, and wait with it where there are none', () => {
    const restricted = number('a', { health: health('restricted') });
    expect(choose([restricted, number('b', { place: 9 })])).toMatchObject({ numberId: 'b' });
    expect(choose([restricted])).toMatchObject({ ok: true, numberId: 'a' });
    const known = { ...restricted, talk: { lastAt: now - hourMs, wroteAt: null } };
    expect(choose([known, number('b')])).toMatchObject({ numberId: 'a' });
  });

  test('a number that has reached its limit for today is left out, but for those who wrote within a day', () => {
    const spent = number('a', { weight: 0 });
    expect(choose([spent, number('b', { place: 9 })])).toMatchObject({ numberId: 'b' });
    expect(choose([spent])).toMatchObject({ ok: true, numberId: 'a' });
    const wrote = (hoursAgo: number) => ({
      ...spent,
      talk: { lastAt: now - hourMs, wroteAt: now - hoursAgo * hourMs },
    });
    expect(choose([wrote(23), number('b')])).toMatchObject({ numberId: 'a' });
    expect(choose([wrote(25), number('b')])).toMatchObject({ numberId: 'b' });
  });

  test('a filter of a number sends the message to another; where only filters stand in the way, it is refused by name', () => {
    const blocked = number('a', { filters: filtered });
    expect(choose([blocked, number('b')])).toMatchObject({ numberId: 'b' });
    const refused = {
      code: 'RECIPIENT_FILTERED',
      details: [{ path: 'to', filter: 'blockPrefixes', numberId: 'a' }],
    };
    expect(choose([blocked, number('b', { state: 'banned' })])).toMatchObject(refused);
    for (const key of [pin('strict'), pin('fallback')]) {
      const down = number('b', { state: 'banned' });
      expect(choose([blocked, down], { key })).toMatchObject(refused);
    }
    expect(choose([number('a', { filters: filtered, state: 'banned' })])).toMatchObject({
      code: 'NO_HEALTHY_SENDER',
    });
  });

  test('what speaks against a number is said in words', () => {
    const stranger = { addresses: [to], kind: 'new' } as const;
    expect(fitnessOf(number('a'), stranger)).toEqual({ fitness: 'ready', reason: null });
    expect(fitnessOf(number('a', { state: 'banned' }), stranger)).toEqual({
      fitness: 'unfit',
      reason: 'The number is banned.',
    });
    expect(fitnessOf(number('a', { health: health('resting') }), stranger)).toEqual({
      fitness: 'unfit',
      reason: 'It is resting.',
    });
    expect(fitnessOf(number('a', { health: health('restricted') }), stranger)).toEqual({
      fitness: 'waiting',
      reason: 'It is restricted.',
    });
    expect(fitnessOf(number('a', { isFailing: true }), stranger)).toEqual({
      fitness: 'waiting',
      reason: 'The number does not answer for the moment.',
    });
    expect(fitnessOf(number('a', { weight: 0 }), stranger)).toEqual({
      fitness: 'waiting',
      reason: 'The number may send nothing more for now.',
    });
    expect(fitnessOf(number('a', { filters: filtered }), stranger)).toEqual({
      fitness: 'unfit',
      reason: "The recipient's prefix is blocked.",
    });
    const lost = { status: 'unavailable', reason: 'Its connection was lost.', until: null } as const;
    expect(fitnessOf(number('a', { state: 'disconnected', health: lost }), stranger)).toEqual({
      fitness: 'unfit',
      reason: 'Its connection was lost.',
    });
  });

  test('a number whose object does not answer is taken only when no other can send', () => {
    const failing = number('a', { isFailing: true });
    expect(choose([failing, number('b', { place: 9 })])).toMatchObject({ numberId: 'b' });
    expect(choose([failing, number('b', { state: 'banned' })])).toMatchObject({ ok: true, numberId: 'a' });
    expect(choose([failing], { key: pin('strict') })).toMatchObject({ numberId: 'a', source: 'pinned' });
  });

  test('a group is no new chat, so a restricted number writes to it in its turn', () => {
    const restricted = number('a', { health: health('restricted') });
    const group = { to: '123-456@g.us', chatType: 'group' as const };
    expect(choose([restricted, number('b', { place: 9 })], group)).toMatchObject({
      numberId: 'a',
      kind: 'ongoing',
    });
  });

  test('where numbers are named, one of them speaks, of the pool or not, and no other, whoever the recipient talks with', () => {
    const talk = { lastAt: now - hourMs, wroteAt: now - hourMs };
    const candidates = [number('a', { inPool: false, place: 9 }), number('b', { talk }), number('c')];
    expect(choose(candidates)).toMatchObject({ numberId: 'b' });
    expect(choose(candidates, { among: ['a', 'c'] })).toMatchObject({ numberId: 'c' });
    expect(choose(candidates, { among: ['a'] })).toMatchObject({ numberId: 'a' });
    expect(choose(candidates, { among: [] })).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
    expect(choose(candidates, { among: ['gone', 'a'] })).toMatchObject({ numberId: 'a' });
    expect(choose(candidates, { among: ['gone'] })).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
    const spent = [number('a', { weight: 0 }), number('b')];
    expect(choose(spent, { among: ['a'] })).toMatchObject({ numberId: 'a' });
  });

  test('the filters of a number refuse no group', () => {
    const group = { to: '62811-456@g.us', chatType: 'group' as const };
    const candidates = [number('a', { filters: filtered })];
    expect(choose(candidates, group)).toMatchObject({ numberId: 'a' });
    expect(choose(candidates, { ...group, key: pin('strict') })).toMatchObject({ numberId: 'a' });
  });

  test('a filter of a number that is not in the pool is not what stands in the way', () => {
    expect(choose([number('a', { inPool: false, filters: filtered })])).toMatchObject({
      code: 'NO_HEALTHY_SENDER',
    });
    const away = [number('a', { filters: filtered, state: 'banned' }), number('b', { state: 'banned' })];
    expect(choose(away)).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
  });

  test('the number that a message is taken from is not chosen for it again', () => {
    const candidates = [number('a'), number('b', { place: 9 })];
    expect(choose(candidates, { except: 'a' })).toMatchObject({ numberId: 'b' });
    expect(choose([number('a')], { except: 'a' })).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
  });

  test('looks at the number whose turn it is and at no other, however many there are', () => {
    const asked: string[] = [];
    const numbers = Array.from({ length: 1_000 }, (_, index) => {
      const refusing = () => {
        asked.push(`n${index}`);
        return [];
      };
      return number(`n${index}`, { place: (index * 7_919) % 1_000, filters: { ...open, refusing } });
    });
    expect(choose(numbers)).toMatchObject({ ok: true, numberId: 'n0' });
    expect(new Set(asked)).toEqual(new Set(['n0']));
  });

  test('whatever there is to choose from, nobody speaks who cannot, nobody waits while another could send, and turns are kept', () => {
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
        isFailing: fc.constantFrom(false, false, true),
        weight: fc.constantFrom(0, 10, 100),
        place: fc.integer({ min: 0, max: 5 }),
        filters: fc.constantFrom(open, open, filtered),
        talk: fc.option(
          fc.record({
            lastAt: fc.integer({ min: now - 48 * hourMs, max: now }),
            wroteAt: fc.option(fc.integer({ min: now - 48 * hourMs, max: now })),
          }),
        ),
      })
      .map(({ status, ...more }) => ({ ...more, health: { status, reason: null, until: null } }));
    const chatType = fc.constantFrom('personal' as const, 'group' as const);
    fc.assert(
      fc.property(
        fc.array(candidate, { maxLength: 8 }),
        fc.constantFrom(null, 'n0'),
        chatType,
        (list, hint, type) => {
          const candidates = list.map((more, index) => number(`n${index}`, { ...more, order: index }));
          const senderHint = candidates.length > 0 ? hint : null;
          const input = inputOf(candidates, { senderHint, chatType: type });
          const choice = chooseSender(input);
          const fitness = (it: Candidate) => fitnessOf(it, chatOf(input, it.numberId)).fitness;
          const usable = candidates.filter((it) => it.inPool || it.numberId === senderHint);
          if (!choice.ok) {
            expect(usable.every((it) => fitness(it) === 'unfit')).toBe(true);
            return;
          }
          const chosen = usable.find(({ numberId }) => numberId === choice.numberId);
          if (!chosen) throw new Error('chosen from outside the pool');
          const best = usable.some((it) => fitness(it) === 'ready') ? 'ready' : 'waiting';
          expect(fitness(chosen)).toBe(best);
          if (!choice.rotated) return;
          const inTurn = candidates
            .filter((it) => it.inPool && fitness(it) === best)
            .sort((a, b) => a.place - b.place || a.order - b.order);
          expect(choice.numberId).toBe(inTurn[0]?.numberId);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('a number that changes stands where it belongs, and nowhere else', () => {
    const change = fc.record({
      index: fc.integer({ min: 0, max: 5 }),
      place: fc.integer({ min: 0, max: 9 }),
      weight: fc.constantFrom(0, 10),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const numbers = new SenderPool();
        const there = new Map<string, Known>();
        for (const { index, isGone, ...more } of changes) {
          const candidate = number(`n${index}`, { ...more, order: index });
          if (isGone) {
            numbers.remove(candidate.numberId);
            there.delete(candidate.numberId);
          } else {
            numbers.put(candidate);
            there.set(candidate.numberId, candidate);
          }
          const [ready] = [...there.values()]
            .filter(({ weight }) => weight > 0)
            .sort((a, b) => a.place - b.place || a.order - b.order);
          expect(numbers.next(['ready'], () => true)?.numberId).toBe(ready?.numberId);
        }
      }),
    );
  });
});
