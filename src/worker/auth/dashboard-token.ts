import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';

const issuer = 'heliograph';
const audience = 'heliograph-dashboard';
const tokenLifetimeSeconds = 15 * 60;

type Role = 'owner' | 'admin' | 'agent';
const roles: readonly string[] = ['owner', 'admin', 'agent'] satisfies Role[];

/** Who a dashboard token speaks for. */
export interface TokenClaims {
  userId: string;
  accountId: string;
  role: Role;
}

interface SigningKey {
  secret: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
}

/** Imported once an isolate; the secret it came from stands beside it. */
let cached: SigningKey | null = null;

async function signingKey(secret: string): Promise<SigningKey> {
  if (cached?.secret === secret) return cached;
  const { d: _private, key_ops: _ops, ext: _ext, ...rest }: JWK = JSON.parse(secret);
  const kid = rest.kid ?? (await calculateJwkThumbprint(rest));
  const publicJwk = { ...rest, kid, alg: 'EdDSA', use: 'sig' };
  const privateKey = await importJWK(JSON.parse(secret), 'EdDSA');
  const publicKey = await importJWK(publicJwk, 'EdDSA');
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) {
    throw new Error('JWT_PRIVATE_KEY is no Ed25519 key');
  }
  cached = { secret, privateKey, publicKey, publicJwk };
  return cached;
}

/** A token for the dashboard (EdDSA); lives {@link tokenLifetimeSeconds}. */
export async function issueToken(
  secret: string,
  claims: TokenClaims,
  nowMs: number,
): Promise<{ token: string; expiresAt: string }> {
  const { privateKey, publicJwk } = await signingKey(secret);
  const issuedAt = Math.floor(nowMs / 1000);
  const token = await new SignJWT({ accountId: claims.accountId, role: claims.role })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: publicJwk.kid })
    .setSubject(claims.userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + tokenLifetimeSeconds)
    .sign(privateKey);
  return { token, expiresAt: new Date((issuedAt + tokenLifetimeSeconds) * 1000).toISOString() };
}

/** The claims of a token of ours that is still valid, else null. */
export async function verifyToken(secret: string, token: string): Promise<TokenClaims | null> {
  const { publicKey } = await signingKey(secret);
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['EdDSA'],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp', 'accountId', 'role'],
    });
    const { sub, accountId, role } = payload;
    if (typeof sub !== 'string' || typeof accountId !== 'string' || !isRole(role)) return null;
    return { userId: sub, accountId, role };
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}

const isRole = (role: unknown): role is Role => typeof role === 'string' && roles.includes(role);

/** The public keys, for whoever wants to verify a dashboard token. */
export async function publicKeys(secret: string): Promise<{ keys: JWK[] }> {
  return { keys: [(await signingKey(secret)).publicJwk] };
}
