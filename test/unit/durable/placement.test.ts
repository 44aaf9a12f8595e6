import { expect, test } from 'vitest';
import { placeNumber } from '../../../src/durable/bridge-fleet/bridge-rows.ts';

const bridge = (bridgeId: string, leases: number, capacity = 10, draining = false) => ({
  bridgeId,
  leases,
  capacity,
  draining,
});

test('a number goes to the bridge with the largest free share', () => {
  const bridges = [bridge('a', 5), bridge('b', 4, 5), bridge('c', 30, 100), bridge('d', 100, 200)];
  expect(placeNumber(bridges)).toBe('c');
});

test('a bridge that is full or draining takes no number', () => {
  expect(placeNumber([bridge('full', 10), bridge('leaving', 0, 10, true)])).toBeNull();
});
