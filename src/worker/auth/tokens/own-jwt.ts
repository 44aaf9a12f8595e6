import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';
import { type JwtKeys, signingKey, verifyingKeys } from './signing-key.ts';

const issuer = 'heliograph';

/** What tells tokens of ours apart: one kind cannot stand in for another. */
export interface TokenKind {
  typ: string;
  audience: string;
}

/** A token of this kind (EdDSA), by the key that `JWT_PRIVATE_KEY` holds. `claims`: `exp` is among them. */
export async function signOwnJwt(
  secret: string,
  { typ, audience }: TokenKind,
  claims: JWTPayload & { exp: number },
): Promise<string> {
  const { privateKey, publicJwk } = await signingKey(secret);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: publicJwk.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .sign(privateKey);
}

/** The claims of a token; null when it is none of ours, of another kind, or over. */
export async function verifyOwnJwt(
  keys: JwtKeys,
  { typ, audience }: TokenKind,
  token: string,
): Promise<JWTPayload | null> {
  for (const { publicKey } of await verifyingKeys(keys)) {
    try {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: ['EdDSA'],
        typ,
        issuer,
        audience,
        requiredClaims: ['exp'],
      });
      return payload;
    } catch (error) {
      if (!(error instanceof JOSEError)) throw error;
    }
  }
  return null;
}
