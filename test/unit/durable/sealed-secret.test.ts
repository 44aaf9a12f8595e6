import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSecret, sealSecret } from '../../../src/durable/sealed-secret.ts';

const newKey = () => randomBytes(32).toString('base64');
const [former, current] = [newKey(), newKey()];
const before = { WEBHOOK_SEALING_KEY: former };
const meanwhile = { WEBHOOK_SEALING_KEY: current, WEBHOOK_SEALING_KEY_PREVIOUS: former };
const after = { WEBHOOK_SEALING_KEY: current };
const withoutId = (sealed: string) => sealed.split('.')[1] ?? '';

test('while the key is replaced, what either has sealed opens, and the new one alone seals', async () => {
  const old = await sealSecret(before, 'one', 'secret');
  expect(await openSecret(meanwhile, 'one', old)).toBe('secret');
  const anew = await sealSecret(meanwhile, 'one', 'secret');
  expect(await openSecret(after, 'one', anew)).toBe('secret');
});

test('what was sealed before keys had ids opens under the key in use or the one before it', async () => {
  for (const keys of [before, after]) {
    const sealed = withoutId(await sealSecret(keys, 'one', 'secret'));
    expect(await openSecret(meanwhile, 'one', sealed)).toBe('secret');
  }
});

test('what another key has sealed does not open: the error names the settings, and no secret', async () => {
  const sealed = await sealSecret(before, 'one', 'secret');
  await expect(openSecret(after, 'one', sealed)).rejects.toThrow(
    /^sealed under the key [0-9a-f]{8}, which is neither WEBHOOK_SEALING_KEY nor WEBHOOK_SEALING_KEY_PREVIOUS$/,
  );
  await expect(openSecret(after, 'one', withoutId(sealed))).rejects.toThrow();
  await expect(openSecret(before, 'two', sealed)).rejects.toThrow();
});
