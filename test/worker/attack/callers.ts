import { env } from 'cloudflare:workers';
import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { defaultKeyScopes, type KeyScope, keyScopes } from '../../../src/contract/key-scopes.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { issueToken } from '../../../src/worker/auth/tokens/dashboard-token.ts';
import { newApiKey } from '../../../src/worker/features/account/keys/api-key.ts';
import { bridgeToken } from '../../../src/worker/features/bridges/bridge-tokens.ts';
import type { CallerKind } from '../../../src/worker/openapi/security.ts';
import { ask } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';
import type { World } from '../openapi/openapi-world.ts';

/** Somebody who calls, and as what the document would let them in; null when as nothing. */
export interface Caller {
  name: string;
  as: CallerKind | null;
  /** What the key may do; only of keys. */
  scopes?: readonly KeyScope[];
  headers: Record<string, string>;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Where the world's account is that of the caller themselves, what is theirs alone is made for them. */
export async function asPerson(world: World, role: 'owner' | 'admin' | 'agent'): Promise<World> {
  if (role === 'owner') return world;
  const { password } = world.account;
  const { email } = await addMember(world.account, role, password);
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  return {
    ...world,
    account: { ...world.account, email, password, owner: bearer(body.token) as { Authorization: string } },
  };
}

async function tokensOf(world: World) {
  const { sub = '', sid } = decodeJwt<{ sid: string }>(world.account.owner.Authorization.slice(7));
  const claims = {
    userId: sub,
    accountId: world.account.accountId,
    role: 'owner' as const,
    sessionId: sid,
  };
  const foreign = await exportJWK((await generateKeyPair('EdDSA', { extractable: true })).privateKey);
  return {
    expired: (await issueToken(env.JWT_PRIVATE_KEY, claims, Date.now() - 16 * 60_000)).token,
    forged: (await issueToken(JSON.stringify(foreign), claims, Date.now())).token,
  };
}

/** A key of the account that may do just that, or what a key may that names nothing. */
export async function keyWith(
  { account: { owner: headers } }: World,
  scopes?: readonly KeyScope[],
): Promise<{ 'X-API-Key': string }> {
  const json = { name: 'scoped', ...(scopes !== undefined && { scopes }) };
  const { body } = await ask('POST', '/v1/auth/api-keys', { headers, json });
  return { 'X-API-Key': body.key };
}

async function revokedKey({ account: { owner: headers } }: World): Promise<string> {
  const { body } = await ask('POST', '/v1/auth/api-keys', { headers, json: { name: 'revoked' } });
  await ask('DELETE', `/v1/auth/api-keys/${body.id}`, { headers });
  return body.key;
}

/** The last character of a key belongs to its checksum. */
const misspelt = (key: string) => `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;

/** Somebody of another account whom `OPERATOR_EMAILS` names. */
async function operatorsPerson() {
  const [email, password] = ['operator@gateway.test', 'correct horse battery'];
  const json = { email, password, name: 'Op', accountName: 'The gateway' };
  await ask('POST', '/v1/auth/sign-up', { headers: bearer(env.BOOTSTRAP_TOKEN), json });
  return bearer((await ask('POST', '/v1/auth/login', { json: { email, password } })).body.token);
}

/** Everybody who may come to this account's door. */
export async function callersOf(world: World): Promise<Caller[]> {
  const { accountId, owner, server } = world.account;
  const { expired, forged } = await tokensOf(world);
  const [admin, agent] = [await asPerson(world, 'admin'), await asPerson(world, 'agent')];
  const key = (value: string) => ({ 'X-API-Key': value });
  const scoped: Caller[] = [];
  for (const scope of keyScopes) {
    const headers = await keyWith(world, [scope]);
    scoped.push({ name: `a key with ${scope}`, as: 'apiKey', scopes: [scope], headers });
  }
  return [
    { name: 'nobody', as: null, headers: {} },
    { name: 'a made-up key', as: null, headers: key(`sk_live_${'x'.repeat(60)}`) },
    { name: 'a misspelt key', as: null, headers: key(misspelt(server['X-API-Key'])) },
    {
      name: 'a key with a right checksum that nobody was given',
      as: null,
      headers: key(newApiKey(accountId, env.KEY_CHECKSUM_SECRET).key),
    },
    { name: 'a revoked key', as: null, headers: key(await revokedKey(world)) },
    { name: 'a key as a token', as: null, headers: bearer(server['X-API-Key']) },
    { name: 'an expired token', as: null, headers: bearer(expired) },
    { name: "a token of somebody else's signature", as: null, headers: bearer(forged) },
    { name: 'a bridge', as: null, headers: bearer(bridgeToken(newUuid(), env.KEY_CHECKSUM_SECRET)) },
    { name: 'a person who runs the gateway', as: 'operatorsPerson', headers: await operatorsPerson() },
    { name: 'the operator', as: 'operator', headers: bearer(env.BOOTSTRAP_TOKEN) },
    { name: 'a key', as: 'apiKey', scopes: defaultKeyScopes, headers: await keyWith(world) },
    ...scoped,
    { name: 'an agent', as: 'agent', headers: agent.account.owner },
    { name: 'an admin', as: 'admin', headers: admin.account.owner },
    { name: 'the owner', as: 'owner', headers: owner },
    { name: 'the owner, with an empty key', as: 'owner', headers: { ...owner, 'X-API-Key': '' } },
  ];
}
