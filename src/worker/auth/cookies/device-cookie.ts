import type { Context } from 'hono';
import { jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import { newUuid } from '../../../durable/new-ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { hashSecretToken } from '../tokens/secret-token.ts';
import { signingKey } from '../tokens/signing-key.ts';
import { readOwnCookie, setOwnCookie } from './own-cookie.ts';

const lifetimeSeconds = 365 * 24 * 3600;
const name = 'heliograph_device';
const issuer = 'heliograph';
/** Another audience than the other tokens': none can stand in for another. */
const audience = 'heliograph-device';

/**
 * After a sign-in: this browser belongs to somebody who knows the password of this e-mail address. It opens nothing; its
 * attempts are only counted apart from those of strangers.
 */
export async function rememberDevice(c: Context<AppEnv>, email: string): Promise<void> {
  const { privateKey, publicJwk } = await signingKey(c.env.JWT_PRIVATE_KEY);
  const value = await new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA', typ: 'device+jwt', kid: publicJwk.kid })
    .setJti((await readDevice(c, email)) ?? newUuid())
    .setSubject(hashSecretToken(email))
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
    .sign(privateKey);
  setOwnCookie(c, name, value, lifetimeSeconds);
}

/** The id of the device, if somebody has signed in on it with this e-mail address before. */
export async function readDevice(c: Context<AppEnv>, email: string): Promise<string | null> {
  const value = readOwnCookie(c, name);
  if (value === undefined) return null;
  const { publicKey } = await signingKey(c.env.JWT_PRIVATE_KEY);
  try {
    const { payload } = await jwtVerify(value, publicKey, {
      algorithms: ['EdDSA'],
      typ: 'device+jwt',
      issuer,
      audience,
      subject: hashSecretToken(email),
      requiredClaims: ['exp', 'jti'],
    });
    return payload.jti ?? null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}
