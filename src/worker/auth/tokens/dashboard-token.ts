import { jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import { signingKey } from './signing-key.ts';

const issuer = 'heliograph';
const audience = 'heliograph-dashboard';
const tokenLifetimeSeconds = 15 * 60;

type Role = 'owner' | 'admin' | 'agent';
const roles: readonly string[] = ['owner', 'admin', 'agent'] satisfies Role[];

/** Who a dashboard token speaks for, in which session it was issued. */
export interface TokenClaims {
  userId: string;
  accountId: string;
  role: Role;
  sessionId: string;
}

/** A token for the dashboard (EdDSA); lives {@link tokenLifetimeSeconds}. */
export async function issueToken(
  secret: string,
  claims: TokenClaims,
  nowMs: number,
): Promise<{ token: string; expiresAt: string }> {
  const { privateKey, publicJwk } = await signingKey(secret);
  const issuedAt = Math.floor(nowMs / 1000);
  const token = await new SignJWT({ accountId: claims.accountId, role: claims.role, sid: claims.sessionId })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: publicJwk.kid })
    .setSubject(claims.userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetimeSeconds)
    .sign(privateKey);
  return { token, expiresAt: new Date((issuedAt + tokenLifetimeSeconds) * 1000).toISOString() };
}

/** The claims of a token of ours that is still valid, else null. Whether its session still lives is for D1 to say. */
export async function verifyToken(secret: string, token: string): Promise<TokenClaims | null> {
  const { publicKey } = await signingKey(secret);
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp', 'accountId', 'role', 'sid'],
    });
    const { sub, accountId, role, sid } = payload;
    if (typeof sub !== 'string' || typeof accountId !== 'string' || typeof sid !== 'string') return null;
    return isRole(role) ? { userId: sub, accountId, role, sessionId: sid } : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}

const isRole = (role: unknown): role is Role => typeof role === 'string' && roles.includes(role);
