import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { fromBase62, toBase62 } from './base62.ts';

const prefix = 'sk_live_';
const accountCharacters = 22;
const secretCharacters = 32;
const checksumCharacters = 6;
const shape = /^sk_live_([0-9A-Za-z]{22})[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;

/** Of the secret, what the shown prefix reaches into: all keys of an account are alike before it. */
const secretCharactersShown = 4;

export interface NewApiKey {
  /** Shown once, never stored. */
  key: string;
  keyHash: string;
  /** The key's first characters, by which a person recognises it. */
  prefix: string;
}

/** Lower-case hex SHA-256: the only form in which a key is stored or handed on. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

/**
 * A new key: `sk_live_`, the account's id (22 characters), 190 random bits (32), and a checksum of all that (6), in
 * base62. The account's id leads to its object without a look-up. The checksum is made with a secret of the gateway, so
 * that a key that somebody has made up, like a typo, is refused before any object or database is asked.
 */
export function newApiKey(accountId: string, checksumSecret: string): NewApiKey {
  const account = toBase62(BigInt(`0x${accountId.replaceAll('-', '')}`), accountCharacters);
  const secret = randomBase62(secretCharacters);
  const body = `${prefix}${account}${secret}`;
  const key = `${body}${checksum(body, checksumSecret)}`;
  const shown = prefix.length + accountCharacters + secretCharactersShown;
  return { key, keyHash: hashApiKey(key), prefix: key.slice(0, shown) };
}

/** The account that a key names, or null when it was made with none of these secrets: so it is none of this gateway's. */
export function accountOfApiKey(key: string, checksumSecrets: readonly string[]): string | null {
  const account = shape.exec(key)?.[1];
  if (account === undefined) return null;
  const body = key.slice(0, -checksumCharacters);
  const presented = Buffer.from(key.slice(-checksumCharacters));
  const isOurs = (secret: string) => timingSafeEqual(Buffer.from(checksum(body, secret)), presented);
  if (!checksumSecrets.some(isOurs)) return null;
  const hex = fromBase62(account).toString(16).padStart(32, '0');
  if (hex.length > 32) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Those with which keys may have been made: the one now in use and, while it is being replaced, the one before. */
export function checksumSecretsOf(env: Env): string[] {
  const { KEY_CHECKSUM_SECRET, KEY_CHECKSUM_SECRET_PREVIOUS: previous } = env;
  return previous ? [KEY_CHECKSUM_SECRET, previous] : [KEY_CHECKSUM_SECRET];
}

function checksum(body: string, secret: string): string {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  return toBase62(BigInt(`0x${digest.slice(0, 16)}`) % 62n ** BigInt(checksumCharacters), checksumCharacters);
}

/** 64 bits more than the characters hold, so that the bias of the remainder is of no account. */
function randomBase62(characters: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(characters));
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return toBase62(value % 62n ** BigInt(characters), characters);
}
