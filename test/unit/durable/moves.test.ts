import { expect, test } from 'vitest';
import { type Move, nextMove } from '../../../src/durable/account/moves.ts';

const move = (more: Partial<Move> = {}): Move => ({ move: 1, from: 'a', to: 'b', settled: true, ...more });

test('a message that has never moved goes to whoever is chosen', () => {
  expect(nextMove(null, 1)).toEqual({ kind: 'choose' });
});

test('a move whose outcome nobody knows is repeated to the same number, and one that is over is only confirmed', () => {
  expect(nextMove(move({ settled: false }), 1)).toEqual({ kind: 'again', to: 'b' });
  expect(nextMove(move(), 1)).toEqual({ kind: 'done' });
});

test('a message moves on from its new number, and back; a late repeat of an earlier move changes nothing', () => {
  expect(nextMove(move(), 2)).toEqual({ kind: 'choose' });
  const back = move({ move: 2, from: 'b', to: 'a' });
  expect(nextMove(back, 1)).toEqual({ kind: 'done' });
  expect(nextMove(back, 3)).toEqual({ kind: 'choose' });
  expect(nextMove({ ...back, settled: false }, 1)).toEqual({ kind: 'done' });
});
