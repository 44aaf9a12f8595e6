import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueToken, verifyToken } from '../../../src/worker/auth/tokens/dashboard-token.ts';
import { publicKeys } from '../../../src/worker/auth/tokens/own-jwt.ts';

const newKey = (kid?: string) =>
  JSON.stringify({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid });
const claims = { userId: randomUUID(), accountId: randomUUID(), role: 'owner', sessionId: 'one' } as const;
const tokenBy = async (key: string) => (await issueToken(key, claims, Date.now())).token;

test('a person stays signed in while the key of the tokens is replaced', async () => {
  const [former, current] = [newKey('same'), newKey('same')];
  const token = await tokenBy(former);
  const replaced = { JWT_PRIVATE_KEY: current, JWT_PRIVATE_KEY_PREVIOUS: former };
  expect(await verifyToken(replaced, token)).toEqual(claims);
  expect(await verifyToken(replaced, await tokenBy(current))).toEqual(claims);
});

test('a token of a key that has been taken away, or of a stranger, is refused', async () => {
  const [former, current] = [newKey(), newKey()];
  expect(await verifyToken({ JWT_PRIVATE_KEY: current }, await tokenBy(former))).toBeNull();
  const replaced = { JWT_PRIVATE_KEY: current, JWT_PRIVATE_KEY_PREVIOUS: former };
  expect(await verifyToken(replaced, await tokenBy(newKey()))).toBeNull();
});

test('whoever verifies tokens finds both keys, and nothing private, while the key is replaced', async () => {
  const { keys } = await publicKeys({
    JWT_PRIVATE_KEY: newKey('new'),
    JWT_PRIVATE_KEY_PREVIOUS: newKey('old'),
  });
  expect(keys.map(({ kid }) => kid)).toEqual(['new', 'old']);
  expect(keys.every((key) => !('d' in key))).toBe(true);
});
