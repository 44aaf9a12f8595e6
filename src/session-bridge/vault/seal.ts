import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** A sealed entry cannot be opened: another key, another number, or damaged. */
export class SealError extends Error {}

/**
 * AES-256-GCM under a key that only bridges hold, bound to the number and the entry, so that an entry cannot be passed
 * off as another. The result is base64 of nonce, ciphertext and tag.
 */
export function seal(vaultKey: CipherKey, numberId: string, entryKey: string, plain: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', vaultKey, nonce);
  cipher.setAAD(Buffer.from(`${numberId}/${entryKey}`));
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** Undoes {@link seal}. Throws {@link SealError}. */
export function unseal(vaultKey: CipherKey, numberId: string, entryKey: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < nonceBytes + tagBytes) throw new SealError('A vault entry is too short to be one.');
  const decipher = createDecipheriv('aes-256-gcm', vaultKey, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(`${numberId}/${entryKey}`));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString(
      'utf8',
    );
  } catch (cause) {
    throw new SealError('A vault entry cannot be opened with this VAULT_KEY.', { cause });
  }
}
