import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Rotation, type Turn, weightOf } from '../../../../src/durable/account/senders/rotation.ts';

type Weights = Record<string, number>;

/** A rotation, and the turns of its senders as an account keeps them. */
class Senders {
  readonly turns: Map<string, Turn>;
  readonly #rotation: Rotation;

  constructor(turns: ReadonlyMap<string, Turn> = new Map()) {
    this.turns = new Map(turns);
    this.#rotation = new Rotation(turns.values());
  }

  /** The sender takes a turn. */
  take(id: string, weight: number, rotated: boolean): void {
    const turn = this.#rotation.next(this.#turnOf(id), weight, rotated);
    this.#rotation.note(turn);
    this.turns.set(id, turn);
  }

  /** The sender whose turn it is, which takes it. */
  next(weights: Weights): string {
    const place = (id: string) => this.#rotation.place(this.#turnOf(id), weights[id] ?? 0);
    const [chosen] = Object.keys(weights).sort((a, b) => place(a) - place(b));
    if (chosen === undefined) throw new Error('no sender');
    this.take(chosen, weights[chosen] ?? 0, true);
    return chosen;
  }

  #turnOf(id: string): Turn {
    return this.turns.get(id) ?? { start: 0, end: 0 };
  }
}

function countsOf(senders: Senders, weights: Weights, sends: number): Weights {
  const counts: Weights = Object.fromEntries(Object.keys(weights).map((id) => [id, 0]));
  for (let send = 0; send < sends; send += 1) {
    const chosen = senders.next(weights);
    counts[chosen] = (counts[chosen] ?? 0) + 1;
  }
  return counts;
}

describe('the rotation', () => {
  test('lets equal senders take turns, the least recently used first', () => {
    const senders = new Senders();
    const weights = { a: 50, b: 50, c: 50 };
    const order = Array.from({ length: 7 }, () => senders.next(weights)).join('');
    expect(order).toBe('abcabca');
  });

  test('gives each sender its share by weight, within 5% over 1,000 sends', () => {
    const weight = fc.integer({ min: 20, max: 600 });
    fc.assert(
      fc.property(fc.array(weight, { minLength: 2, maxLength: 8 }), (list) => {
        const weights = Object.fromEntries(list.map((it, index) => [`n${index}`, it]));
        const total = list.reduce((sum, it) => sum + it, 0);
        const counts = countsOf(new Senders(), weights, 1000);
        for (const [id, count] of Object.entries(counts)) {
          const fair = (1000 * (weights[id] ?? 0)) / total;
          expect(Math.abs(count - fair)).toBeLessThanOrEqual(Math.max(2, fair * 0.05));
        }
      }),
    );
  });

  test('goes on where it was when it is built anew from what was stored, after any of the sends', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 40 }), (lives) => {
        const weights = { a: 10, b: 10, c: 10 };
        let stored: ReadonlyMap<string, Turn> = new Map();
        const seen: string[] = [];
        for (const sends of lives) {
          const senders = new Senders(stored);
          for (let send = 0; send < sends; send += 1) seen.push(senders.next(weights));
          stored = senders.turns;
        }
        for (const id of ['a', 'b', 'c']) {
          expect(Math.abs(seen.filter((it) => it === id).length - seen.length / 3)).toBeLessThan(1);
        }
      }),
    );
  });

  test('starts a sender that comes back where the others are: nothing is to be caught up with', () => {
    const senders = new Senders();
    countsOf(senders, { a: 10, b: 10 }, 500);
    const counts = countsOf(senders, { a: 10, b: 10, back: 10 }, 300);
    for (const count of Object.values(counts)) expect(Math.abs(count - 100)).toBeLessThanOrEqual(1);
  });

  test('passes over a sender that conversations keep busy, but not for ever', () => {
    const senders = new Senders();
    for (let send = 0; send < 10_000; send += 1) senders.take('busy', 10, false);
    const counts = countsOf(senders, { busy: 10, idle: 10 }, 400);
    expect(counts.busy).toBeGreaterThan(100);
    expect(counts.busy).toBeLessThan(200);
  });

  test('does not hold a day that was nearly spent against a sender on the next one', () => {
    const senders = new Senders();
    countsOf(senders, { spent: 1, other: 2000 }, 2001);
    const counts = countsOf(senders, { spent: 2000, other: 2000 }, 1000);
    expect(counts.spent).toBeGreaterThan(400);
  });
});

test('the weight is what a sender may send in the next hour', () => {
  expect(weightOf({ dailyRemaining: null, perMinute: 30 })).toBe(1800);
  expect(weightOf({ dailyRemaining: 20, perMinute: 30 })).toBe(20);
  expect(weightOf({ dailyRemaining: 0, perMinute: 30 })).toBe(0);
  expect(weightOf({ dailyRemaining: -3, perMinute: 30 })).toBe(0);
  expect(weightOf({ dailyRemaining: null, perMinute: 0 })).toBe(0);
});
