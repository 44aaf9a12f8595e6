import { expect, test } from 'vitest';
import {
  hashCost,
  hashPassword,
  needsRehash,
  passwordMatches,
  quickCost,
  slowCost,
} from '../../../src/worker/auth/password.ts';
import { testBindings } from '../../test-bindings.ts';

test('a password matches its own hash only, and the hash says how it was made', async () => {
  const hash = await hashPassword('correct horse battery', slowCost);
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w+/]{22}==\$[\w+/]{43}=$/);
  expect(await passwordMatches('correct horse battery', hash, slowCost)).toBe(true);
  expect(await passwordMatches('correct horse batterx', hash, slowCost)).toBe(false);
  expect(await hashPassword('correct horse battery', slowCost)).not.toBe(hash);
});

test('a hash that cost less than one of today is made anew', async () => {
  const cheaper = await hashPassword('correct horse battery', { N: 16384, r: 16, p: 1 });
  expect(needsRehash(cheaper, slowCost)).toBe(true);
  expect(needsRehash(await hashPassword('correct horse battery', slowCost), slowCost)).toBe(false);
});

test('an umlaut typed as one character or as two is the same password', async () => {
  const hash = await hashPassword('pa\u00dfw\u00f6rter', quickCost);
  expect(await passwordMatches('pa\u00dfwo\u0308rter', hash, quickCost)).toBe(true);
});

test('nobody matches no hash', async () => {
  expect(await passwordMatches('', null, quickCost)).toBe(false);
  expect(await passwordMatches('correct horse battery', null, quickCost)).toBe(false);
});

test('a hash is slow unless the gateway is one for tests', () => {
  expect(hashCost(testBindings())).toBe(slowCost);
  expect(hashCost({ ...testBindings(), PASSWORD_HASHING: 'quick' })).toBe(quickCost);
});
