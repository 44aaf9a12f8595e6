import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { outsideEmail } from '../../../src/worker/auth/tokens/outside-token.ts';

const audience = 'heliograph-test';
const env = (issuer: string) =>
  ({
    JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
    WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
    BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
    KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
    MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
  }) as unknown as Env;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A provider that calls itself by this name, and a token that names `issuer`, signed with its key. */
async function tokenOf(issuer: string, discovered: object): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'one' }];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) =>
    String(input).endsWith('/jwks') ? Response.json({ keys }) : Response.json(discovered),
  );
  return new SignJWT({ email: ' Ada@Example.com', email_verified: true })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('10m')
    .sign(privateKey);
}

test('the keys of a provider that calls itself by the name of the configured one are trusted', async () => {
  const issuer = 'https://id.example.com';
  const token = await tokenOf(issuer, { issuer, jwks_uri: `${issuer}/jwks` });
  expect(await outsideEmail(env(issuer), token)).toBe('ada@example.com');
});

test('the keys of a provider that calls itself by another name are not', async () => {
  const issuer = 'https://other-name.example.com';
  const discovered = { issuer: 'https://evil.example.com', jwks_uri: `${issuer}/jwks` };
  const token = await tokenOf(issuer, discovered);
  await expect(outsideEmail(env(issuer), token)).rejects.toThrow('by another issuer');
});
