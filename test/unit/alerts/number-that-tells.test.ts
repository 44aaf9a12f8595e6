import { expect, test } from 'vitest';
import { numberThatTells } from '../../../src/worker/features/alerts/sending/channel-senders.ts';

const sender = (state: 'connected' | 'banned', status: 'healthy' | 'resting' = 'healthy') => ({
  state,
  health: { status, reason: null, until: null } as never,
});
const none = new Set<string>();

test('the wanted number tells, while it is connected and not the one in trouble', () => {
  const senders = { a: sender('connected'), b: sender('connected') };
  expect(numberThatTells(senders, none, 'b')).toBe('b');
  expect(numberThatTells(senders, new Set(['b']), 'b')).toBe('a');
  expect(numberThatTells({ ...senders, b: sender('banned') }, none, 'b')).toBe('a');
});

test('where any will do, a healthy one tells before one that rests', () => {
  const senders = { a: sender('connected', 'resting'), b: sender('connected') };
  expect(numberThatTells(senders, none, null)).toBe('b');
  expect(numberThatTells(senders, new Set(['b']), null)).toBe('a');
});

test('where the only number is the one in trouble, there is none', () => {
  expect(numberThatTells({ a: sender('connected') }, new Set(['a']), 'a')).toBeNull();
  expect(numberThatTells({ a: sender('banned') }, none, null)).toBeNull();
  expect(numberThatTells({}, none, null)).toBeNull();
});
