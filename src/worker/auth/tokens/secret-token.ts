import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, for links in e-mails. Of a token only its hash is stored. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url');

/** Lower-case hex SHA-256. */
export const hashSecretToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether a presented secret is the expected one, in a time that tells nothing about either, their lengths included. */
export function secretEqual(presented: string, expected: string): boolean {
  return expected !== '' && timingSafeEqual(digest(presented), digest(expected));
}

/** The token behind `Authorization: Bearer`, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
