const nonceBytes = 12;

const sealingKey = (secret: string) =>
  crypto.subtle.importKey('raw', Buffer.from(secret, 'base64'), 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Bound to whom it belongs to, so that a sealed secret cannot be moved to another row. */
const algorithm = (iv: Uint8Array, ownerId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(ownerId),
});

/** A secret of a webhook, a person or a number as it may be stored: base64 of nonce and AES-256-GCM ciphertext under `WEBHOOK_SEALING_KEY`. */
export async function sealSecret(key: string, ownerId: string, secret: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    algorithm(nonce, ownerId),
    await sealingKey(key),
    new TextEncoder().encode(secret),
  );
  return Buffer.concat([nonce, new Uint8Array(sealed)]).toString('base64');
}

/** Opens what {@link sealSecret} made. Throws under another key, for another owner, or after any change. */
export async function openSecret(key: string, ownerId: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64');
  const opened = await crypto.subtle.decrypt(
    algorithm(bytes.subarray(0, nonceBytes), ownerId),
    await sealingKey(key),
    bytes.subarray(nonceBytes),
  );
  return new TextDecoder().decode(opened);
}
