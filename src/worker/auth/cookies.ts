import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { newUuid } from '../../durable/new-ids.ts';
import type { AppEnv } from '../app-env.ts';
import { isReachedByHttps } from '../http/public-url.ts';
import { signOwnJwt, type TokenKind, verifyOwnJwt } from './tokens/own-jwt.ts';
import { hashSecretToken } from './tokens/secret-token.ts';

/**
 * Cookies that scripts and other sites never see. Their names begin with `__Host-`, so that no other host of the domain can
 * set them. That requires https and the path `/`; over http they have their plain names.
 */
const prefixOf = (c: Context<AppEnv>) => (isReachedByHttps(c) ? ('host' as const) : undefined);

const attributesOf = (c: Context<AppEnv>) => {
  const prefix = prefixOf(c);
  return {
    path: '/',
    httpOnly: true,
    secure: prefix === 'host',
    sameSite: 'Strict' as const,
    ...(prefix && { prefix }),
  };
};

const readOwnCookie = (c: Context<AppEnv>, name: string): string | undefined =>
  getCookie(c, name, prefixOf(c));

const setOwnCookie = (c: Context<AppEnv>, name: string, value: string, maxAgeSeconds: number): void =>
  setCookie(c, name, value, { ...attributesOf(c), maxAge: maxAgeSeconds });

function clearOwnCookie(c: Context<AppEnv>, name: string): void {
  deleteCookie(c, name, attributesOf(c));
}

const lifetimeSeconds = 365 * 24 * 3600;
const name = 'heliograph_device';
const kind: TokenKind = { typ: 'device+jwt', audience: 'heliograph-device' };

/**
 * Set after a sign-in: this browser belongs to somebody who knows the password of this e-mail address. It gives no access. It
 * only separates this device's attempts from those of strangers.
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

const refreshName = 'heliograph_refresh';
const refreshKind: TokenKind = { typ: 'refresh+jwt', audience: 'heliograph-refresh' };

/** What the cookie says: which session, and the how-manyth refresh it is good for. */
interface RefreshClaims {
  sessionId: string;
  generation: number;
}

/**
 * Signed, so that an old cookie is certainly recognised: D1 has only the generation, and nothing that could be presented. Ends
 * with its session.
 */
export async function setRefreshCookie(
  c: Context<AppEnv>,
  { sessionId, generation }: RefreshClaims,
  expiresAtMs: number,
): Promise<void> {
  const value = await signOwnJwt(c.env.JWT_PRIVATE_KEY, refreshKind, {
    sub: sessionId,
    generation,
    exp: Math.floor(expiresAtMs / 1000),
  });
  const maxAgeSeconds = Math.max(0, Math.ceil((expiresAtMs - Date.now()) / 1000));
  setOwnCookie(c, refreshName, value, maxAgeSeconds);
}

/** The claims of the request's cookie; null when there is none, or none of ours. */
export async function readRefreshCookie(c: Context<AppEnv>): Promise<RefreshClaims | null> {
  const value = readOwnCookie(c, refreshName);
  if (value === undefined) return null;
  const { sub, generation } = (await verifyOwnJwt(c.env, refreshKind, value)) ?? {};
  return typeof sub === 'string' && typeof generation === 'number' ? { sessionId: sub, generation } : null;
}

export function clearRefreshCookie(c: Context<AppEnv>): void {
  clearOwnCookie(c, refreshName);
}
