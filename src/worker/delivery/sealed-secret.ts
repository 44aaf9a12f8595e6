const nonceBytes = 12;

const sealingKey = (secret: string) =>
  crypto.subtle.importKey('raw', Buffer.from(secret, 'base64'), 'AES-GCM', false, ['encrypt', 'decrypt']);

/** Bound to the webhook, so that a sealed secret cannot be moved to another row. */
const algorithm = (iv: Uint8Array, webhookId: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(webhookId),
});

/** A webhook's secret as D1 may hold it: base64 of nonce and AES-256-GCM ciphertext under `WEBHOOK_SEALING_KEY`. */
export async function sealSecret(key: string, webhookId: string, secret: string): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const sealed = await crypto.subtle.encrypt(
    algorithm(nonce, webhookId),
    await sealingKey(key),
    new TextEncoder().encode(secret),
  );
  return Buffer.concat([nonce, new Uint8Array(sealed)]).toString('base64');
}

/** Opens what {@link sealSecret} made. Throws under another key, for another webhook, or after any change. */
export async function openSecret(key: string, webhookId: string, sealed: string): Promise<string> {
  const bytes = Buffer.from(sealed, 'base64');
  const opened = await crypto.subtle.decrypt(
    algorithm(bytes.subarray(0, nonceBytes), webhookId),
    await sealingKey(key),
    bytes.subarray(nonceBytes),
  );
  return new TextDecoder().decode(opened);
}
