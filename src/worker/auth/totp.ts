import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { openSecret, sealSecret } from '../../durable/sealed-secret.ts';
import { hashSecretToken } from './tokens/secret-token.ts';

const issuer = 'Heliograph';
const periodSeconds = 30;
/** Steps of 30 s that a person's clock may be off, either way. */
const stepsTolerated = 1;
const secretBytes = 20;

const totp = (secret: string, label: string) =>
  new TOTP({
    issuer,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  });

/** A new secret in base32, and the URL of the QR code that authenticator apps read. */
export function newTotpSecret(email: string): { secret: string; otpauthUrl: string } {
  const secret = new Secret({ size: secretBytes }).base32;
  return { secret, otpauthUrl: totp(secret, email).toString() };
}

/** The time step that a code of 6 digits is for, or null when it is none of now. Compared in constant time. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const delta = totp(secret, '').validate({ token: code, timestamp: nowMs, window: stepsTolerated });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}

/** For whom it is sealed. */
export const ownerOfTotp = (userId: string) => `totp:${userId}`;
/** A secret as D1 may hold it: sealed under the Worker's key, for this user alone. */
export const sealTotpSecret = (env: Env, userId: string, secret: string) =>
  sealSecret(env, ownerOfTotp(userId), secret);
export const openTotpSecret = (env: Env, userId: string, sealed: string) =>
  openSecret(env, ownerOfTotp(userId), sealed);

const recoveryCodeCount = 10;
/** No letters or digits that are easily taken for each other; 16 of them are 77 bits. */
const recoveryAlphabet = '23456789abcdefghjkmnpqrstuvwxy';
const recoveryCharacters = 16;

/** Ten codes, each good for one sign-in without the app: `xxxx-xxxx-xxxx-xxxx`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const characters = Array.from(
      { length: recoveryCharacters },
      () => recoveryAlphabet[randomInt(recoveryAlphabet.length)],
    );
    return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** In whatever way it was typed. */
export const hashRecoveryCode = (code: string): string =>
  hashSecretToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));
