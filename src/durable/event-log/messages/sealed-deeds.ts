import { createDecipheriv, createHmac } from 'node:crypto';

/**
 * What is done to a message, sealed by the network's clients: AES-256-GCM under a key that follows from the message's
 * secret, its id, its author, and whoever does it. Only who has read the message can do it, and only in their own name.
 */
export interface SealedDeed {
  targetId: string;
  /** 32 bytes, base64. */
  secret: string;
  payload: string;
  iv: string;
  /** Every form in which the author of the message, and who does something to it, may have been named. */
  authors: readonly string[];
  doers: readonly string[];
}

/** What it is sealed for, as it stands in the key. */
type SealedFor = 'Poll Vote' | 'Message Edit' | 'Enc Reaction';

const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
const tagBytes = 16;

/** The plaintext; null for what the secret does not open. */
export function openSealed(sealedFor: SealedFor, deed: SealedDeed): Buffer | null {
  const { targetId, secret, payload, iv, authors, doers } = deed;
  const sealed = Buffer.from(payload, 'base64');
  if (sealed.length < tagBytes) return null;
  const prk = hmac(Buffer.alloc(32), Buffer.from(secret, 'base64'));
  for (const author of authors) {
    for (const doer of doers) {
      const info = Buffer.concat([Buffer.from(`${targetId}${author}${doer}${sealedFor}`), Buffer.from([1])]);
      try {
        const decipher = createDecipheriv('aes-256-gcm', hmac(prk, info), Buffer.from(iv, 'base64'));
        // Of all these only votes bear associated data.
        if (sealedFor === 'Poll Vote') decipher.setAAD(Buffer.from(`${targetId}\0${doer}`));
        decipher.setAuthTag(sealed.subarray(-tagBytes));
        return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
      } catch {
        // Another form of the addresses was used.
      }
    }
  }
  return null;
}
