import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { VaultKey, VaultKeys } from './vault-keys.ts';

const nonceBytes = 12;
const tagBytes = 16;
/** The format of an entry: this byte, then the id of the key. Entries of the first format have neither. */
const formVersion = 1;

/** A sealed entry cannot be opened: another key, another number, or damaged. */
export class SealError extends Error {}

/**
 * Seals the entries of one number by AES-256-GCM, under keys that only bridges hold, bound to the number and the entry,
 * so that an entry cannot be passed off as another. The result is base64 of form, key id, nonce, ciphertext and tag.
 */
export class NumberSeal {
  readonly #keys: VaultKeys;
  readonly #numberId: string;
  readonly #derived = new Map<VaultKey, KeyObject>();
  readonly #header: Buffer;

  constructor(keys: VaultKeys, numberId: string) {
    this.#keys = keys;
    this.#numberId = numberId;
    this.#header = vaultBeginning(keys.current);
  }

  /** How each entry begins that this seals, in base64. */
  get beginning(): string {
    return this.#header.toString('base64');
  }

  seal(entryKey: string, plain: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(this.#keys.current), nonce);
    cipher.setAAD(this.#bound(entryKey, this.#header));
    const text = [cipher.update(plain, 'utf8'), cipher.final()];
    return Buffer.concat([this.#header, nonce, ...text, cipher.getAuthTag()]).toString('base64');
  }

  /** Opens an entry of either format, under either key. Throws {@link SealError}. */
  open(entryKey: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    for (const key of this.#keys.all) {
      const header = vaultBeginning(key);
      if (!bytes.subarray(0, header.length).equals(header)) continue;
      const rest = bytes.subarray(header.length);
      const plain = opened(this.#keyOf(key), this.#bound(entryKey, header), rest);
      if (plain !== null) return plain;
    }
    // The first format begins with its nonce, which can have any value.
    for (const key of this.#keys.all) {
      const plain = opened(key.bare, this.#bound(entryKey), bytes);
      if (plain !== null) return plain;
    }
    throw new SealError(`A vault entry cannot be opened: ${this.#whyNot(bytes)}.`);
  }

  #keyOf(key: VaultKey): KeyObject {
    const known = this.#derived.get(key) ?? key.sealing(this.#numberId);
    this.#derived.set(key, known);
    return known;
  }

  #bound(entryKey: string, header?: Buffer): Buffer {
    const place = Buffer.from(`${this.#numberId}/${entryKey}`);
    return header ? Buffer.concat([header, place]) : place;
  }

  #whyNot(bytes: Buffer): string {
    const known = this.#keys.all.find((key) =>
      bytes.subarray(0, vaultBeginning(key).length).equals(vaultBeginning(key)),
    );
    if (known) return `it is sealed under ${known.setting}, and is damaged or belongs elsewhere`;
    const settings = this.#keys.all.map(({ setting }) => setting).join(' nor ');
    return this.#keys.previous
      ? `it was sealed neither under ${settings}`
      : `it was not sealed under ${settings}, and VAULT_KEY_PREVIOUS is not set`;
  }
}

/** How each entry begins that is sealed under this key. */
export const vaultBeginning = (key: VaultKey): Buffer => Buffer.concat([Buffer.of(formVersion), key.id]);

function opened(key: KeyObject, bound: Buffer, bytes: Buffer): string | null {
  if (bytes.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    return null;
  }
}
