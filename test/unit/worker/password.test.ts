import { expect, test } from 'vitest';
import { hashPassword, needsRehash, passwordMatches } from '../../../src/worker/auth/password.ts';

test('a password matches its own hash only, and the hash says how it was made', async () => {
  const hash = await hashPassword('correct horse battery');
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w+/]{22}==\$[\w+/]{43}=$/);
  expect(await passwordMatches('correct horse battery', hash)).toBe(true);
  expect(await passwordMatches('correct horse batterx', hash)).toBe(false);
  expect(await hashPassword('correct horse battery')).not.toBe(hash);
});

test('a hash that cost less than one of today is made anew', async () => {
  expect(needsRehash(await hashPassword('correct horse battery', { N: 16384, r: 16, p: 1 }))).toBe(true);
  expect(needsRehash(await hashPassword('correct horse battery'))).toBe(false);
});

test('an umlaut typed as one character or as two is the same password', async () => {
  expect(await passwordMatches('pa\u00dfwo\u0308rter', await hashPassword('pa\u00dfw\u00f6rter'))).toBe(true);
});

test('nobody matches no hash', async () => {
  expect(await passwordMatches('', null)).toBe(false);
  expect(await passwordMatches('correct horse battery', null)).toBe(false);
});
