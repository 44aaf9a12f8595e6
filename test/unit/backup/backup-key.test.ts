import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { identityOf, recipientOf } from '../../../src/backup/backup-key.ts';

test('either half of a backup key makes backups, and the secret half opens them, blanks around it left out', async () => {
  const key = await generateX25519Identity();
  const half = await identityToRecipient(key);
  expect(await recipientOf(key)).toBe(half);
  expect(await recipientOf(`${half}\n`)).toBe(half);
  expect(identityOf(` ${key}\n`)).toBe(key);
});

test('without a backup key, both commands say how one is made', async () => {
  for (const nothing of [undefined, '', '\n']) {
    await expect(recipientOf(nothing)).rejects.toThrow('npm run backup -- --new-key makes one');
    expect(() => identityOf(nothing)).toThrow('npm run backup -- --new-key makes one');
  }
});

test('what is no whole backup key is refused by a sentence that does not show it', async () => {
  const key = await generateX25519Identity();
  const half = await identityToRecipient(key);
  for (const broken of [key.slice(0, -3), half.slice(0, -3), `${half.slice(0, -1)}b`, 'age1foo', 'secret']) {
    const said: Error = await recipientOf(broken).catch((error) => error);
    expect(said.message).toMatch(/^BACKUP_KEY is no key/);
    expect(said.message).not.toContain(broken);
  }
  expect(() => identityOf(key.slice(0, -3))).toThrow(/^BACKUP_KEY is no key/);
  expect(() => identityOf(half)).toThrow('BACKUP_KEY must be the secret one');
});
