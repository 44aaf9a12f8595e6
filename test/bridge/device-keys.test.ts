import { expect, test } from 'vitest';
import { DeviceKeys } from '../../src/session-bridge/network/auth-state.ts';
import type { VaultPort } from '../../src/session-bridge/vault/vault.ts';

function memoryVault(): VaultPort {
  const entries = new Map<string, string | null>();
  return {
    read: async (keys) => new Map(keys.map((key) => [key, entries.get(key) ?? null])),
    write: (written) => {
      for (const [key, json] of written) entries.set(key, json);
    },
  };
}

test('a key that the client goes on holding keeps no more memory than its own', async () => {
  const { keys } = DeviceKeys.fresh(memoryVault(), 'pairing').auth;
  await keys.set({ tctoken: { '1@lid': { token: Buffer.from('a token of a contact') } } });
  const { '1@lid': found } = await keys.get('tctoken', ['1@lid']);
  expect(found?.token.toString()).toBe('a token of a contact');
  expect(found?.token.buffer.byteLength).toBe(found?.token.length);
});
