import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

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
 * A new key: `sk_live_`, the account's id (22 characters), 190 random bits (32), and a checksum of all that (6), in base62.
 * The account's id leads to its object without a look-up. The checksum is made with a secret of the gateway, so a made-up key
 * is refused like a typo, before any object or database is called.
 */
export function newApiKey(accountId: string, checksumSecret: string): NewApiKey {
  const account = toBase62(BigInt(`0x${accountId.replaceAll('-', '')}`), accountCharacters);
  const secret = randomBase62(secretCharacters);
  const body = `${prefix}${account}${secret}`;
  const key = `${body}${toBase62(BigInt(checksum(body, checksumSecret)), checksumCharacters)}`;
  const shown = prefix.length + accountCharacters + secretCharactersShown;
  return { key, keyHash: hashApiKey(key), prefix: key.slice(0, shown) };
}

/** The account that a key names, or null when it was made with none of these secrets: so it is none of this gateway's. */
export function accountOfApiKey(key: string, checksumSecrets: readonly string[]): string | null {
  const account = shape.exec(key)?.[1];
  if (account === undefined) return null;
  const body = key.slice(0, -checksumCharacters);
  const presented = Number(fromBase62(key.slice(-checksumCharacters)));
  // Numbers are compared in one step: how long that takes tells nothing.
  if (!checksumSecrets.some((secret) => checksum(body, secret) === presented)) return null;
  const hex = fromBase62(account).toString(16).padStart(32, '0');
  if (hex.length > 32) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const checksums = 62n ** BigInt(checksumCharacters);
/** The one or two secrets of a gateway. To read a secret anew takes longer than the rest of a checksum. */
const hmacKeys = new Map<string, KeyObject>();

function checksum(body: string, secret: string): number {
  const key = hmacKeys.get(secret) ?? createSecretKey(Buffer.from(secret));
  hmacKeys.set(secret, key);
  const digest = createHmac('sha256', key).update(body).digest();
  return Number(digest.readBigUInt64BE() % checksums);
}

/** 64 bits more than the characters hold, so that the bias of the remainder is of no account. */
function randomBase62(characters: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(characters));
  const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return toBase62(value % 62n ** BigInt(characters), characters);
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A whole number in base 62, filled up with leading zeros. */
function toBase62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`;
  return text.padStart(characters, '0');
}

/** The number that base-62 digits stand for; the caller has checked that they are such digits. */
function fromBase62(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(digits.indexOf(character));
  return value;
}
