import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import type { AppEnv } from '../app-env.ts';
import { sessionLifetimeMs } from '../db/people/sessions.ts';
import { signingKey } from './tokens/signing-key.ts';

const cookieName = 'heliograph_refresh';
const issuer = 'heliograph';
/** Another audience than the dashboard token's: neither can stand in for the other. */
const audience = 'heliograph-refresh';

/** What the cookie says: which session, and the how-manyth refresh it is good for. */
export interface RefreshClaims {
  sessionId: string;
  generation: number;
}

/** On a loopback address by http the browser would not take a Secure cookie; anywhere else there is no other. */
function isLocalHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

const attributes = (c: Context<AppEnv>) => ({
  path: '/v1/auth',
  httpOnly: true,
  secure: !isLocalHttp(c.req.url),
  sameSite: 'Strict' as const,
});

/** Signed, so that an old one is known as such for certain: D1 keeps the generation alone, and nothing to present. */
export async function setRefreshCookie(
  c: Context<AppEnv>,
  { sessionId, generation }: RefreshClaims,
  nowMs: number,
): Promise<void> {
  const { privateKey, publicJwk } = await signingKey(c.env.JWT_PRIVATE_KEY);
  const expiresAtMs = nowMs + sessionLifetimeMs;
  const value = await new SignJWT({ generation })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'refresh+jwt', kid: publicJwk.kid })
    .setSubject(sessionId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(Math.floor(expiresAtMs / 1000))
    .sign(privateKey);
  setCookie(c, cookieName, value, { ...attributes(c), maxAge: sessionLifetimeMs / 1000 });
}

/** The claims of the request's cookie; null when there is none, or none of ours. */
export async function readRefreshCookie(c: Context<AppEnv>): Promise<RefreshClaims | null> {
  const value = getCookie(c, cookieName);
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
  deleteCookie(c, cookieName, attributes(c));
}
