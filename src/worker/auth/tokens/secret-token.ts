import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, for links in e-mails. Of a token only its hash is stored. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url');

/** Lower-case hex SHA-256. */
export const hashSecretToken = (token: string): string => createHash('sha256').update(token).digest('hex');
