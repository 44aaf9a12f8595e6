import { calculateJwkThumbprint, importJWK, type JWK } from 'jose';

export interface SigningKey {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK & { kty: string; kid: string };
}

/** Imported once an isolate; the secret it came from stands beside it. */
let cached: { secret: string; key: SigningKey } | null = null;

/** The Ed25519 key that `JWT_PRIVATE_KEY` holds. Throws when it holds another. */
export async function signingKey(secret: string): Promise<SigningKey> {
  if (cached?.secret === secret) return cached.key;
  const { d: _private, key_ops: _ops, ext: _ext, ...rest }: JWK = JSON.parse(secret);
  const kid = rest.kid ?? (await calculateJwkThumbprint(rest));
  const publicJwk = { ...rest, kty: 'OKP', kid, alg: 'EdDSA', use: 'sig' };
  const privateKey = await importJWK(JSON.parse(secret), 'EdDSA');
  const publicKey = await importJWK(publicJwk, 'EdDSA');
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array) {
    throw new Error('JWT_PRIVATE_KEY is no Ed25519 key');
  }
  cached = { secret, key: { privateKey, publicKey, publicJwk } };
  return cached.key;
}

/** The public keys, for whoever wants to verify a dashboard token. */
export async function publicKeys(secret: string): Promise<{ keys: SigningKey['publicJwk'][] }> {
  return { keys: [(await signingKey(secret)).publicJwk] };
}
