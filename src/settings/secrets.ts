import { hkdfSync } from 'node:crypto';

/*
 * What every secret has to be, in the Worker, in a session bridge and on one machine. Nobody can see whether a text was drawn
 * at random; that it has few signs shows that it was not.
 */

/** As many characters at least: what nobody guesses, also offline from the checksum of an API key. */
const charactersMin = 32;
/** One of 32 hexadecimal digits drawn at random has less once in a million. */
const differentCharactersMin = 8;
const keyBytes = 32;
/** Of 32 bytes drawn at random about 30 differ. */
const differentBytesMin = 16;

/** Completes "X must be …". */
export const strongTextMust = `at least ${charactersMin} characters, drawn at random (openssl rand -base64 32)`;
export const strongKeyMust = 'base64 of 32 bytes, drawn at random (openssl rand -base64 32)';

export const isStrongText = (text: string): boolean =>
  text.length >= charactersMin && new Set(text).size >= differentCharactersMin;

export const isStrongKey = (text: string): boolean => {
  try {
    const bytes = atob(text);
    return bytes.length === keyBytes && new Set(bytes).size >= differentBytesMin;
  } catch {
    return false;
  }
};

/** What stands in a header: no token has anything else. */
export const isTokenText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text.trim());
/** Completes "X …". */
export const noTokenText = 'has a character that no token has: copy it once more';

const markBytes = 8;

/**
 * By which it is known whether two have the same secret of this name: 16 hexadecimal digits, the same as current one and as the one
 * before. It tells nothing of the secret, which is random.
 */
export const secretMark = (name: string, secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `heliograph/backup/${name}`, markBytes)).toString('hex');
