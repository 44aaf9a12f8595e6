import { isoTime } from '../../../contract/times.ts';
import { type JwtKeys, signOwnJwt, type TokenKind, verifyOwnJwt } from './own-jwt.ts';

const kind: TokenKind = { typ: 'JWT', audience: 'heliograph-dashboard' };
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
  const issuedAt = Math.floor(nowMs / 1000);
  const expiresAt = issuedAt + tokenLifetimeSeconds;
  const { userId, accountId, role, sessionId } = claims;
  const token = await signOwnJwt(secret, kind, {
    sub: userId,
    accountId,
    role,
    sid: sessionId,
    iat: issuedAt,
    exp: expiresAt,
  });
  return { token, expiresAt: isoTime(expiresAt * 1000) };
}

/** The claims of a token of ours that is still valid, else null. Whether its session still lives is for D1 to say. */
export async function verifyToken(keys: JwtKeys, token: string): Promise<TokenClaims | null> {
  const { sub, accountId, role, sid } = (await verifyOwnJwt(keys, kind, token)) ?? {};
  if (typeof sub !== 'string' || typeof accountId !== 'string' || typeof sid !== 'string') return null;
  return isRole(role) ? { userId: sub, accountId, role, sessionId: sid } : null;
}

const isRole = (role: unknown): role is Role => typeof role === 'string' && roles.includes(role);
