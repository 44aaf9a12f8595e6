import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { settingsOf } from '../../settings/worker-settings.ts';

/** Characters of a password: enough to resist guessing, few enough to hash. */
export const passwordCharactersMin = 8;
export const passwordCharactersMax = 128;

interface Cost {
  N: number;
  r: number;
  p: number;
}
/**
 * One of the settings that OWASP's cheat sheet rates as equal. N=2^17, r=8, p=1 would take 128 MiB, which is all that an
 * isolate has. This one takes 32 MiB (docs/decisions/0001-sign-in.md).
 */
export const slowCost: Cost = { N: 32768, r: 8, p: 3 };
/** For tests: a few milliseconds. */
export const quickCost: Cost = { N: 1024, r: 8, p: 1 };
const hashBytes = 32;

/** What a hash is to cost on this gateway: `PASSWORD_HASHING`. */
export const hashCost = (env: object): Cost =>
  settingsOf(env).PASSWORD_HASHING === 'quick' ? quickCost : slowCost;

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One Unicode form, so that a password typed on another keyboard is the same one.
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}

/** `scrypt$N$r$p$salt$hash`: it says itself how it was made, so that the cost can rise without a migration. */
export async function hashPassword(password: string, { N, r, p }: Cost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether a hash was made at less than this cost. */
export function needsRehash(stored: string, wanted: Cost): boolean {
  const [N = 0, r = 0, p = 0] = stored.split('$').slice(1, 4).map(Number);
  return N * r * p < wanted.N * wanted.r * wanted.p;
}

/** Stands in for the hash of a user who does not exist, so that the answer takes as long as for one who does. */
const nobodysHash = ({ N, r, p }: Cost) => `scrypt$${N}$${r}$${p}$${'A'.repeat(22)}==$${'A'.repeat(43)}=`;

/**
 * Whether the password is the one that was hashed. With null (no such user) it says no, after the time that a hash of this
 * `cost` takes.
 */
export async function passwordMatches(password: string, stored: string | null, cost: Cost): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? nobodysHash(cost)).split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined)
    throw new Error('Unknown password hash');
  const expected = Buffer.from(hash, 'base64');
  const actual = await derive(password, Buffer.from(salt, 'base64'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(actual, expected) && stored !== null;
}
