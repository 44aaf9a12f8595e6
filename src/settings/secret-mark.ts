import { hkdfSync } from 'node:crypto';

const markBytes = 8;

/**
 * By which it is known whether two have the same secret of this name: 16 hexadecimal digits, the same as current one and as the one
 * before. It tells nothing of the secret, which is random.
 */
export const secretMark = (name: string, secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `heliograph/backup/${name}`, markBytes)).toString('hex');
