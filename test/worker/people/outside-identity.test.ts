import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, inject, test } from 'vitest';
import { doorWith } from '../configured-door.ts';
import { openAccount } from '../front-door.ts';

const audience = 'heliograph-test';
const issuer = () => inject('identityServers').oidcIssuer;
const door = (variables: object = {}) =>
  doorWith({ OIDC_ISSUER: issuer(), OIDC_AUDIENCE: audience, ...variables });

/** A token that the provider has signed. */
async function outsideToken(claims: Record<string, unknown>): Promise<{ Authorization: string }> {
  const body = JSON.stringify({ aud: audience, sub: 'provider|1', email_verified: true, ...claims });
  const response = await fetch(`${inject('identityServers').deskUrl}/token`, { method: 'POST', body });
  const { token } = await response.json<{ token: string }>();
  return { Authorization: `Bearer ${token}` };
}

const me = (headers: Record<string, string>, variables: object = {}) =>
  door(variables)('GET', '/v1/auth/me', { headers });
const refused = { status: 401, body: { error: { code: 'UNAUTHENTICATED' } } };

test('the token of the configured provider is taken for the user with its verified e-mail address', async () => {
  const account = await openAccount();
  const headers = await outsideToken({ email: account.email.toUpperCase() });
  const answer = await me(headers);
  expect(answer).toMatchObject({
    status: 200,
    body: { user: { email: account.email }, account: { id: account.accountId, role: 'owner' } },
  });
  // Their rate is that of everybody who is signed in.
  expect(answer.headers.get('RateLimit-Policy')).toBe('"person";q=100;w=5');
  expect(await door()('POST', '/v1/auth/api-keys', { headers, json: { name: 'by OIDC' } })).toMatchObject({
    status: 201,
  });
});

test('a token of the provider opens nothing when it is not verified, not for us, over, never over, or of nobody', async () => {
  const { email } = await openAccount();
  const tokens = [
    { email, email_verified: false },
    { email, email_verified: 'true' },
    { email, aud: 'another application' },
    { email, aud: undefined },
    { email, expiresIn: -60 },
    { email, expiresIn: null },
    { email: `${crypto.randomUUID()}@example.com` },
    {},
  ];
  for (const claims of tokens) {
    expect(await me(await outsideToken(claims)), JSON.stringify(claims)).toMatchObject(refused);
  }
});

test('a token that only claims to be of the provider opens nothing', async () => {
  const { email } = await openAccount();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const claims = { email, email_verified: true };
  const sign = (algorithm: string, key: CryptoKey | Uint8Array) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(issuer())
      .setAudience(audience)
      .setExpirationTime('10m')
      .sign(key);
  // The well-known forgery: the public key, taken for the secret of an HMAC.
  const published = await (await fetch(`${issuer()}/jwks`)).json<{ keys: object[] }>();
  const asSecret = new TextEncoder().encode(JSON.stringify(published.keys[0]));
  expect(await exportJWK(privateKey)).toHaveProperty('d');
  for (const token of [await sign('RS256', privateKey), await sign('HS256', asSecret)]) {
    expect(await me({ Authorization: `Bearer ${token}` })).toMatchObject(refused);
  }
});

test('without a configured provider no outside token opens anything, and one without an audience is a wrong setting', async () => {
  const { email } = await openAccount();
  const headers = await outsideToken({ email });
  expect(await me(headers, { OIDC_ISSUER: undefined })).toMatchObject(refused);
  expect(await me(headers, { OIDC_AUDIENCE: undefined })).toMatchObject({ status: 500 });
  expect(await me(headers, { OIDC_ISSUER: `${issuer()}/` })).toMatchObject(refused);
});

test('an outside token names the account in X-Account-Id, of those that the person belongs to', async () => {
  const [account, other] = [await openAccount(), await openAccount()];
  const headers = await outsideToken({ email: account.email });
  expect(await me({ ...headers, 'X-Account-Id': account.accountId })).toMatchObject({ status: 200 });
  expect(await me({ ...headers, 'X-Account-Id': other.accountId })).toMatchObject(refused);
  expect(await me({ ...headers, 'X-Account-Id': 'nonsense' })).toMatchObject(refused);
  const json = { accountId: account.accountId };
  expect(await door()('POST', '/v1/auth/switch-account', { headers, json })).toMatchObject({ status: 409 });
});
