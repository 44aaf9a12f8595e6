import { createHash } from 'node:crypto';

const nonceBytes = 12;
const keyIdLength = 8;

/** The key that seals, and the one before it, which only opens. Each: base64 of 32 bytes. */
export type SealingKeys = Pick<Env, 'WEBHOOK_SEALING_KEY' | 'WEBHOOK_SEALING_KEY_PREVIOUS'>;

/** Stands before what a key has sealed. It tells nothing of the key, which is random. */
const keyIdOf = (key: string): string =>
  createHash('sha256')
    .update('heliograph/sealing-key-id')
    .update(Buffer.from(key, 'base64'))
    .digest('hex')
    .slice(0, keyIdLength);

/** The ids of the keys, as they stand before what each has sealed, with a dot; null: there is no key before. */
export const sealingKeyIds = (keys: SealingKeys): { current: string; previous: string | null } => ({
  current: keyIdOf(keys.WEBHOOK_SEALING_KEY),
  previous: keys.WEBHOOK_SEALING_KEY_PREVIOUS ? keyIdOf(keys.WEBHOOK_SEALING_KEY_PREVIOUS) : null,
});

const sealingKey = (secret: string) =>
  crypto.subtle.importKey('raw', Buffer.from(secret, 'base64'), 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Bound to whom it belongs to, so that a sealed secret cannot be moved to another row. */
const algorithm = (iv: Uint8Array, ownerId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(ownerId),
});

/**
 * The stored form of a secret of a webhook, a person or a number: the id of the key, a dot, and base64 of nonce and
 * AES-256-GCM ciphertext under `WEBHOOK_SEALING_KEY`.
 */
export async function sealSecret(keys: SealingKeys, ownerId: string, secret: string): Promise<string> {
  const { WEBHOOK_SEALING_KEY: key } = keys;
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    algorithm(nonce, ownerId),
    await sealingKey(key),
    new TextEncoder().encode(secret),
  );
  return `${keyIdOf(key)}.${Buffer.concat([nonce, new Uint8Array(sealed)]).toString('base64')}`;
}

/**
 * Opens what {@link sealSecret} returned, under the current key or the previous one. A secret without the id of a key may be
 * under either. Throws under another key, for another owner, or after any change.
 */
export async function openSecret(keys: SealingKeys, ownerId: string, sealed: string): Promise<string> {
  const { WEBHOOK_SEALING_KEY: current, WEBHOOK_SEALING_KEY_PREVIOUS: previous } = keys;
  const [content = '', keyId] = sealed.split('.').reverse();
  const held = previous ? [current, previous] : [current];
  const fitting = keyId === undefined ? held : held.filter((key) => keyIdOf(key) === keyId);
  let problem: unknown = new Error(
    `sealed under the key ${keyId}, which is neither WEBHOOK_SEALING_KEY nor WEBHOOK_SEALING_KEY_PREVIOUS`,
  );
  for (const key of fitting) {
    try {
      return await open(key, ownerId, Buffer.from(content, 'base64'));
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

async function open(key: string, ownerId: string, bytes: Buffer): Promise<string> {
  const opened = await crypto.subtle.decrypt(
    algorithm(bytes.subarray(0, nonceBytes), ownerId),
    await sealingKey(key),
    bytes.subarray(nonceBytes),
  );
  return new TextDecoder().decode(opened);
}
