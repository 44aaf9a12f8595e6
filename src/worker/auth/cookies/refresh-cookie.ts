import type { Context } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { signOwnJwt, type TokenKind, verifyOwnJwt } from '../tokens/own-jwt.ts';
import { clearOwnCookie, readOwnCookie, setOwnCookie } from './own-cookie.ts';

const name = 'heliograph_refresh';
const kind: TokenKind = { typ: 'refresh+jwt', audience: 'heliograph-refresh' };

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
  const value = await signOwnJwt(c.env.JWT_PRIVATE_KEY, kind, {
    sub: sessionId,
    generation,
    exp: Math.floor(expiresAtMs / 1000),
  });
  const maxAgeSeconds = Math.max(0, Math.ceil((expiresAtMs - Date.now()) / 1000));
  setOwnCookie(c, name, value, maxAgeSeconds);
}

/** The claims of the request's cookie; null when there is none, or none of ours. */
export async function readRefreshCookie(c: Context<AppEnv>): Promise<RefreshClaims | null> {
  const value = readOwnCookie(c, name);
  if (value === undefined) return null;
  const { sub, generation } = (await verifyOwnJwt(c.env, kind, value)) ?? {};
  return typeof sub === 'string' && typeof generation === 'number' ? { sessionId: sub, generation } : null;
}

export function clearRefreshCookie(c: Context<AppEnv>): void {
  clearOwnCookie(c, name);
}
