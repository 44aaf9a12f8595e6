import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { NumberSeal, SealError } from '../../../src/session-bridge/vault/seal.ts';
import { VaultKeys } from '../../../src/session-bridge/vault/vault-keys.ts';

const key = Buffer.alloc(32, 3);
const other = Buffer.alloc(32, 4);
const numberId = '019a0000-0000-7000-8000-000000000001';
const anotherNumberId = '019a0000-0000-7000-8000-000000000002';

const sealUnder = (current: Buffer, previous: Buffer | null = null, number = numberId) =>
  new NumberSeal(new VaultKeys(current, previous), number);

/** An entry as deployments have them from before keys had ids: no prefix, and the vault's key itself. */
function sealedInFirstForm(under: Buffer, entryKey: string, plain: string, nonce = randomBytes(12)): string {
  const cipher = createCipheriv('aes-256-gcm', under, nonce);
  cipher.setAAD(Buffer.from(`${numberId}/${entryKey}`));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64');
}

test.each([
  ['first', 'AAECAwQFBgcICQoLPJMXbvXRIBuDaiJ2aUfbq15JXsirCVU='],
  ["today's", 'ASfSv8sbandnG05p0eIC5Zj+s0EMXqpABjBWspukAdZ34vnDydTHsg=='],
])('an entry of the %s form opens in every later version', (_, sealed) => {
  expect(sealUnder(key).open('creds', sealed)).toBe('{"a":1}');
  expect(sealUnder(other, key).open('creds', sealed)).toBe('{"a":1}');
});

test('a sealed entry says under which key it is, and nothing of that key', () => {
  const sealed = sealUnder(key).seal('creds', 'secret');
  expect(sealed.slice(0, 6)).toBe(sealUnder(key).beginning.slice(0, 6));
  expect(sealUnder(key, null, anotherNumberId).beginning).toBe(sealUnder(key).beginning);
  expect(sealUnder(other).beginning).not.toBe(sealUnder(key).beginning);
  expect(Buffer.from(sealed, 'base64').includes(key.subarray(0, 4))).toBe(false);
});

test('a sealed entry opens only under its key, its number and its name', () => {
  const sealed = sealUnder(key).seal('creds', 'secret');
  expect(sealUnder(key).open('creds', sealed)).toBe('secret');
  expect(() => sealUnder(other).open('creds', sealed)).toThrow(SealError);
  expect(() => sealUnder(key, null, anotherNumberId).open('creds', sealed)).toThrow(SealError);
  expect(() => sealUnder(key).open('session/1', sealed)).toThrow(SealError);
  expect(() => sealUnder(key).open('creds', sealed.slice(0, 20))).toThrow(SealError);
  const damaged = Buffer.from(sealed, 'base64');
  damaged[damaged.length - 20] = (damaged[damaged.length - 20] ?? 0) ^ 1;
  expect(() => sealUnder(key).open('creds', damaged.toString('base64'))).toThrow(SealError);
});

test('an entry of the first form opens only under its key, its number and its name', () => {
  const sealed = sealedInFirstForm(key, 'creds', 'secret');
  expect(() => sealUnder(other).open('creds', sealed)).toThrow(SealError);
  expect(() => sealUnder(key, null, anotherNumberId).open('creds', sealed)).toThrow(SealError);
  expect(() => sealUnder(key).open('session/1', sealed)).toThrow(SealError);
});

test("an entry of the first form whose nonce looks like today's form opens all the same", () => {
  const nonce = Buffer.concat([Buffer.from(sealUnder(key).beginning, 'base64'), randomBytes(7)]);
  expect(sealUnder(key).open('creds', sealedInFirstForm(key, 'creds', 'secret', nonce))).toBe('secret');
});

test('two seals of one entry never look alike', () => {
  expect(sealUnder(key).seal('creds', 'same')).not.toBe(sealUnder(key).seal('creds', 'same'));
});

test('two numbers do not share a key', () => {
  const keys = new VaultKeys(key);
  const ofOne = keys.current.sealing(numberId).export();
  expect(ofOne).not.toEqual(keys.current.sealing(anotherNumberId).export());
  expect(ofOne).not.toEqual(keys.current.naming(numberId).export());
  expect(ofOne).not.toEqual(key);
});

test('an error names the settings that were tried, and shows no key', () => {
  const sealed = sealUnder(Buffer.alloc(32, 9)).seal('creds', 'secret');
  const why = (attempt: () => unknown) => {
    try {
      attempt();
    } catch (error) {
      return String(error);
    }
    throw new Error('it opened');
  };
  const one = why(() => sealUnder(key).open('creds', sealed));
  const two = why(() => sealUnder(key, other).open('creds', sealed));
  const moved = why(() => sealUnder(other, key).open('session/1', sealUnder(key).seal('creds', 'secret')));
  expect(one).toContain('not sealed under VAULT_KEY, and VAULT_KEY_PREVIOUS is not set');
  expect(two).toContain('neither under VAULT_KEY nor VAULT_KEY_PREVIOUS');
  expect(moved).toContain('sealed under VAULT_KEY_PREVIOUS, and is damaged or belongs elsewhere');
  for (const text of [one, two, moved]) {
    for (const secret of [key, other]) {
      expect(text).not.toContain(secret.toString('base64').slice(0, 8));
      expect(text).not.toContain(secret.toString('hex').slice(0, 8));
    }
  }
});
