import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** What one secret of the gateway makes keys for, beside the checksums of API keys. */
type KeyPurpose = 'bridge' | 'enrolment' | 'grant';

const keyBytes = 32;
/** The one or two secrets of a gateway, by purpose: to derive a key takes longer than to use it. */
const known = new Map<string, KeyObject>();

/** The key for this purpose alone (HKDF-SHA256, RFC 5869): what is signed for one is worth nothing for another. */
export function derivedKey(secret: string, purpose: KeyPurpose): KeyObject {
  const name = `${purpose}/${secret}`;
  const key =
    known.get(name) ??
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `heliograph/${purpose}`, keyBytes)));
  known.set(name, key);
  return key;
}
