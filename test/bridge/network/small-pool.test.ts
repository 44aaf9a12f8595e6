import { expect, test } from 'vitest';
import '../../../src/session-bridge/bridge.ts';

test('in a bridge a small buffer that is held holds no more than 8 KiB', () => {
  // What is left of the pool that was begun before is used up first.
  const small = Array.from({ length: 100 }, () => Buffer.from('x'.repeat(1_000)));
  expect(small.at(-1)?.buffer.byteLength).toBe(8 * 1024);
});
