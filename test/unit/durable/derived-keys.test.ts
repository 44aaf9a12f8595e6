import { expect, test } from 'vitest';
import { derivedKey } from '../../../src/durable/bridge-grants.ts';

test('what is signed for one purpose is worth nothing for another, nor under another secret', () => {
  const keys = (['bridge', 'enrolment', 'grant'] as const).flatMap((purpose) =>
    ['one secret', 'another secret'].map((secret) => derivedKey(secret, purpose).export().toString('hex')),
  );
  expect(new Set(keys).size).toBe(6);
  expect(derivedKey('one secret', 'bridge').export().toString('hex')).toBe(keys[0]);
});
