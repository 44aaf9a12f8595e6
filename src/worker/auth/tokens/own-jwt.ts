import { calculateJwkThumbprint, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { JOSEError } from 'jose/errors';

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

interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK & { kty: string; kid: string };
}

/** The key that signs, and the one before it, whose tokens are good until they are over. */
export type JwtKeys = Pick<Env, 'JWT_PRIVATE_KEY' | 'JWT_PRIVATE_KEY_PREVIOUS'>;

/** Imported once an isolate, by the secret they came from. */
const imported = new Map<string, SigningKey>();

/** The Ed25519 key of a JWK, such as `JWT_PRIVATE_KEY` holds. Throws when it is another. */
async function signingKey(secret: string): Promise<SigningKey> {
  const known = imported.get(secret);
  if (known !== undefined) return known;
  const { d: _private, key_ops: _ops, ext: _ext, ...rest }: JWK = JSON.parse(secret);
  const kid = rest.kid ?? (await calculateJwkThumbprint(rest));
  const publicJwk = { ...rest, kty: 'OKP', kid, alg: 'EdDSA', use: 'sig' };
  const privateKey = await importJWK(JSON.parse(secret), 'EdDSA');
  const publicKey = await importJWK(publicJwk, 'EdDSA');
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) {
    throw new Error('JWT_PRIVATE_KEY, or the one before it, is no Ed25519 key');
  }
  const key = { privateKey, publicKey, publicJwk };
  imported.set(secret, key);
  return key;
}

/** By which a token may be signed: the key in use comes first. */
async function verifyingKeys(keys: JwtKeys): Promise<SigningKey[]> {
  const { JWT_PRIVATE_KEY: current, JWT_PRIVATE_KEY_PREVIOUS: previous } = keys;
  return Promise.all((previous ? [current, previous] : [current]).map(signingKey));
}

/** The public keys, for whoever wants to verify a dashboard token. */
export async function publicKeys(keys: JwtKeys): Promise<{ keys: SigningKey['publicJwk'][] }> {
  return { keys: (await verifyingKeys(keys)).map(({ publicJwk }) => publicJwk) };
}
