import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin } from '../../../src/durable/account/configuration/key-ring.ts';
import { accountOfApiKey, hashApiKey, newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';

const secret = 'the secret of the gateway';

test('a key names its account, whatever the account is called', () => {
  fc.assert(
    fc.property(fc.uuid(), (accountId) => {
      const { key, keyHash, prefix } = newApiKey(accountId, secret);
      expect(key).toMatch(/^sk_live_[0-9A-Za-z]{60}$/);
      expect(accountOfApiKey(key, [secret])).toBe(accountId);
      expect(keyHash).toBe(hashApiKey(key));
      expect(key.startsWith(prefix)).toBe(true);
      expect(prefix.length).toBeLessThan(40);
    }),
  );
});

test('two keys of one account differ, already in what is shown of them', () => {
  const accountId = '01a1fd2f-a494-7618-a549-11b5c21406f2';
  const prefixes = Array.from({ length: 20 }, () => newApiKey(accountId, secret).prefix);
  expect(new Set(prefixes).size).toBe(20);
});

test('a key that was made with another secret is no key', () => {
  const { key } = newApiKey('01a1fd2f-a494-7618-a549-11b5c21406f2', 'what somebody has guessed');
  expect(accountOfApiKey(key, [secret])).toBeNull();
});

test('one wrong character anywhere makes it no key', () => {
  const { key } = newApiKey('01a1fd2f-a494-7618-a549-11b5c21406f2', secret);
  for (let at = 0; at < key.length; at += 1) {
    const wrong = key[at] === 'x' ? 'y' : 'x';
    expect(
      accountOfApiKey(key.slice(0, at) + wrong + key.slice(at + 1), [secret]),
      `character ${at}`,
    ).toBeNull();
  }
});

test.each(['', 'sk_live_', 'sk_test_', ' ', 'sk_live_0000'])('%j is no key', (key) => {
  expect(accountOfApiKey(key, [secret])).toBeNull();
});

test('a key with something before or after it is no key', () => {
  const { key } = newApiKey('01a1fd2f-a494-7618-a549-11b5c21406f2', secret);
  expect(accountOfApiKey(`${key}0`, [secret])).toBeNull();
  expect(accountOfApiKey(` ${key}`, [secret])).toBeNull();
  expect(accountOfApiKey(`${key}\n`, [secret])).toBeNull();
});

test('while a secret is replaced, keys of both are keys', () => {
  const accountId = '01a1fd2f-a494-7618-a549-11b5c21406f2';
  const next = 'the next secret of the gateway';
  for (const madeWith of [secret, next]) {
    const { key } = newApiKey(accountId, madeWith);
    expect(accountOfApiKey(key, [next, secret])).toBe(accountId);
  }
  expect(accountOfApiKey(newApiKey(accountId, secret).key, [next])).toBeNull();
});

test('an address that a key names is that one alone, in IPv6 as in IPv4', () => {
  const named = ['198.51.100.7', '2001:db8:9::1'];
  for (const address of ['198.51.100.7', '2001:db8:9::1', '2001:0DB8:9:0::1'])
    expect(isWithin(address, named), address).toBe(true);
  for (const address of ['198.51.100.6', '2001:db8:9::2', '2001:db8:9:0:8000::1'])
    expect(isWithin(address, named), address).toBe(false);
});
