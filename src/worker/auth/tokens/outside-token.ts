import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { JOSEError } from 'jose/errors';
import { z } from 'zod';
import { settingsOf } from '../../../settings/worker-settings.ts';

/** Public-key signatures only: nobody but the provider can make one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

const timeoutMs = 5000;
const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });
const claimsSchema = z.object({
  email: z
    .string()
    .transform((email) => email.trim().toLowerCase())
    .pipe(z.email()),
  email_verified: z.literal(true),
});

/** One provider's keys, once an isolate; jose fetches them anew when a token names one that is not there. */
let cached: { issuer: string; keys: JWTVerifyGetKey } | null = null;

async function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
  if (cached?.issuer !== issuer) cached = { issuer, keys: await discoverKeys(issuer) };
  return cached.keys;
}

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error(`the identity provider answered its discovery with ${response.status}`);
  const found = discoverySchema.parse(await response.json());
  if (found.issuer !== issuer) throw new Error('the identity provider calls itself by another issuer');
  return createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: timeoutMs });
}

/** Whether a token claims to come from the outside provider; nothing is verified yet. */
export function isOutsideToken(env: Env, token: string): boolean {
  const { OIDC_ISSUER: issuer } = settingsOf(env);
  if (issuer === undefined) return false;
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** The verified e-mail address that the provider's token is for; null when the token is not valid, or has none. */
export async function outsideEmail(env: Env, token: string): Promise<string | null> {
  // One is never set without the other: without an audience the token of any application of the provider would do.
  const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = settingsOf(env);
  if (issuer === undefined || audience === undefined) return null;
  try {
    const { payload } = await jwtVerify(token, await keysOf(issuer), {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: 5,
    });
    const claims = claimsSchema.safeParse(payload);
    return claims.success ? claims.data.email : null;
  } catch (error) {
    if (error instanceof JOSEError) return null;
    throw error;
  }
}
