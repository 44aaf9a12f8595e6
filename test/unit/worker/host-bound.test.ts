import { expect, test } from 'vitest';
import { withinHostBound } from '../../../src/worker/features/webhooks/delivery/attempt.ts';

const boundary = 300;

test('a host is called so often at a time and no more, whatever path is called, and other hosts all the same', async () => {
  const host = 'https://bound.example.com';
  const answer = Promise.withResolvers<string>();
  const calls = Array.from({ length: boundary }, (_, index) =>
    withinHostBound(`${host}/${index}`, () => answer.promise),
  );
  expect(await withinHostBound(`${host}/again`, async () => 'called')).toBeNull();
  expect(await withinHostBound('https://other.example.com/', async () => 'called')).toBe('called');
  answer.resolve('done');
  expect(await Promise.all(calls)).toEqual(Array(boundary).fill('done'));
  // What has ended has left nothing behind: there is room for as many again.
  const again = Array.from({ length: boundary }, () =>
    withinHostBound(`${host}/again`, () => answer.promise),
  );
  expect(await Promise.all(again)).toEqual(Array(boundary).fill('done'));
});

test('a call that fails is over too', async () => {
  const host = 'https://failing.example.com/';
  for (let call = 0; call < boundary + 1; call += 1) {
    const failing = withinHostBound(host, () => Promise.reject(new Error('unreachable')));
    await expect(failing).rejects.toThrow('unreachable');
  }
  expect(await withinHostBound(host, async () => 'called')).toBe('called');
});
