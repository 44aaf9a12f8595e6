import type { Context } from 'hono';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { signOwnJwt, type TokenKind, verifyOwnJwt } from '../tokens/own-jwt.ts';
import { hashSecretToken } from '../tokens/secret-token.ts';
import { readOwnCookie, setOwnCookie } from './own-cookie.ts';

const lifetimeSeconds = 365 * 24 * 3600;
const name = 'heliograph_device';
const kind: TokenKind = { typ: 'device+jwt', audience: 'heliograph-device' };

/**
 * After a sign-in: this browser belongs to somebody who knows the password of this e-mail address. It opens nothing; its
 * attempts are only counted apart from those of strangers.
 */
export async function rememberDevice(c: Context<AppEnv>, email: string): Promise<void> {
  const value = await signOwnJwt(c.env.JWT_PRIVATE_KEY, kind, {
    jti: (await readDevice(c, email)) ?? newUuid(),
    sub: hashSecretToken(email),
    exp: Math.floor(Date.now() / 1000) + lifetimeSeconds,
  });
  setOwnCookie(c, name, value, lifetimeSeconds);
}

/** The id of the device, if somebody has signed in on it with this e-mail address before. */
export async function readDevice(c: Context<AppEnv>, email: string): Promise<string | null> {
  const value = readOwnCookie(c, name);
  if (value === undefined) return null;
  const claims = await verifyOwnJwt(c.env, kind, value);
  return claims?.sub === hashSecretToken(email) ? (claims.jti ?? null) : null;
}
