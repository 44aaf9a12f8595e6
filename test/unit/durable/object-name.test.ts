import { expect, test } from 'vitest';
import { objectName } from '../../../src/durable/storage/object-name.ts';

/** An object as the platform wakes it: an alarm may not say its name. */
function woken(stored: Map<string, unknown>, name?: string): Parameters<typeof objectName>[0] {
  const kv = {
    get: (key: string) => stored.get(key),
    put: (key: string, value: unknown) => stored.set(key, value),
  };
  return { id: { name }, storage: { kv } } as unknown as Parameters<typeof objectName>[0];
}

test('an object that was once asked for by its name knows it also when an alarm wakes it', () => {
  const stored = new Map<string, unknown>();
  expect(objectName(woken(stored, 'an account'))).toBe('an account');
  expect(objectName(woken(stored))).toBe('an account');
});

test('an object whose name nobody has said does nothing, rather than to be the account without a name', () => {
  expect(() => objectName(woken(new Map()))).toThrow('nobody’s');
  expect(() => objectName(woken(new Map(), ''))).toThrow('nobody’s');
});
