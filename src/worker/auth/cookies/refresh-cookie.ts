import type { Context } from 'hono';
import { jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import type { AppEnv } from '../../app-env.ts';
import { signingKey } from '../tokens/signing-key.ts';
import { clearOwnCookie, readOwnCookie, setOwnCookie } from './own-cookie.ts';

const name = 'heliograph_refresh';
const issuer = 'heliograph';
/** Another audience than the dashboard token's: neither can stand in for the other. */
const audience = 'heliograph-refresh';

/** What the cookie says: which session, and the how-manyth refresh it is good for. */
export interface RefreshClaims {
  sessionId: string;
  generation: number;
}

/** Signed, so that an old one is known as such for certain: D1 keeps the generation alone, and nothing to present. Ends with its session. */
export async function setRefreshCookie(
  c: Context<AppEnv>,
  { sessionId, generation }: RefreshClaims,
  expiresAtMs: number,
): Promise<void> {
  const { privateKey, publicJwk } = await signingKey(c.env.JWT_PRIVATE_KEY);
  const value = await new SignJWT({ generation })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'refresh+jwt', kid: publicJwk.kid })
    .setSubject(sessionId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(privateKey);
  const maxAgeSeconds = Math.max(0, Math.ceil((expiresAtMs - Date.now()) / 1000));
  setOwnCookie(c, name, value, maxAgeSeconds);
}

/** The claims of the request's cookie; null when there is none, or none of ours. */
export async function readRefreshCookie(c: Context<AppEnv>): Promise<RefreshClaims | null> {
  const value = readOwnCookie(c, name);
  if (value === undefined) return null;
  const { publicKey } = await signingKey(c.env.JWT_PRIVATE_KEY);
  try {
    const { payload } = await jwtVerify(value, publicKey, {
      algorithms: ['EdDSA'],
      typ: 'refresh+jwt',
      issuer,
      audience,
      requiredClaims: ['sub', 'exp', 'generation'],
    });
    const { sub, generation } = payload;
    return typeof sub === 'string' && typeof generation === 'number' ? { sessionId: sub, generation } : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}

export function clearRefreshCookie(c: Context<AppEnv>): void {
  clearOwnCookie(c, name);
}
