import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { grantSchema, grantTimes } from '../contract/bridge/bridge-frames.ts';

/** Which bridge drives which number, under which epoch. */
interface GrantedLease {
  numberId: string;
  bridgeId: string;
  epoch: number;
}

type Secrets = Pick<Env, 'KEY_CHECKSUM_SECRET' | 'KEY_CHECKSUM_SECRET_PREVIOUS'>;

/** What a bridge opens the link of this number with for a while. Only the fleet makes it. */
export function signedGrant(
  { KEY_CHECKSUM_SECRET: secret }: Secrets,
  lease: GrantedLease,
  now: number,
): string {
  const until = now + grantTimes.validMs;
  return `${until}.${signatureOf(secret, lease, until).toString('base64url')}`;
}

/** Whether the fleet has signed this, with the secret in use or the one before, and it is good still. */
export function isGoodGrant(env: Secrets, lease: GrantedLease, grant: string, now: number): boolean {
  if (!grantSchema.safeParse(grant).success) return false;
  const [until = '', signature = ''] = grant.split('.');
  const { KEY_CHECKSUM_SECRET: secret, KEY_CHECKSUM_SECRET_PREVIOUS: previous } = env;
  const presented = Buffer.from(signature, 'base64url');
  const isOurs = [secret, ...(previous ? [previous] : [])].some((it) =>
    timingSafeEqual(signatureOf(it, lease, Number(until)), presented),
  );
  return isOurs && Number(until) > now;
}

const signatureOf = (secret: string, { numberId, bridgeId, epoch }: GrantedLease, until: number) =>
  createHmac('sha256', derivedKey(secret, 'grant'))
    .update(`${numberId}/${bridgeId}/${epoch}/${until}`)
    .digest();

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
