import { describe, expect, test } from 'vitest';
import { keyScopes } from '../../../src/contract/key-scopes.ts';
import { exampleNumberId } from '../../../src/worker/openapi/examples/example-values.ts';
import { type Caller, callersOf } from '../attack/callers.ts';
import { ask, type TestAccount } from '../front-door.ts';
import { type Call, calls, expectDocumented } from '../openapi/openapi-document.ts';
import { sendIn } from '../openapi/openapi-requests.ts';
import { openEmptyWorld, openWorld } from '../openapi/openapi-world.ts';
import { bodyOf, cases, kindsOf, may, nameOf } from './documented-callers.ts';

/** The account at whose door everybody stands, and another one, whose people know every id of the first. */
const world = await openWorld();
const callers = await callersOf(world);
const stranger: TestAccount = (await openEmptyWorld()).account;
const before = await everythingOf(world.account);

/** What the owner sees of the account, but when its keys were used, and what its phone does elsewhere (all worlds have one). */
async function everythingOf({ owner: headers }: TestAccount) {
  const paths = ['numbers', 'webhooks', 'settings', 'messages', 'auth/api-keys', 'auth/members', 'audit-log'];
  const texts = await Promise.all(
    paths.map(async (path) => (await ask('GET', `/v1/${path}?`, { headers })).text),
  );
  // Nor how the webhook does, which is called meanwhile.
  const shown = /"(lastUsedAt|reason|failureStreak|lastDeliveryAt|disabledReason)":("[^"]*"|\d+|null)/g;
  return texts.map((text) => text.replaceAll(shown, ''));
}

/** How the document says that this caller is refused. */
function refusalOf(call: Call, { as, headers }: Caller): [number, string] {
  const kinds = kindsOf(call);
  const isRole = as === 'agent' || as === 'admin' || as === 'owner';
  const takesKeys = kinds.includes('apiKey');
  const bringsKey = 'X-API-Key' in headers;
  // Who runs the gateway is not of this account.
  const takesPeople = kinds.includes('owner') || kinds.includes('operatorsPerson');
  if ((isRole && takesPeople) || (as === 'apiKey' && takesKeys)) return [403, 'FORBIDDEN'];
  return [401, takesKeys && (bringsKey || !kinds.includes('owner')) ? 'INVALID_API_KEY' : 'UNAUTHENTICATED'];
}

test('every operation of the document says who may call it', () => {
  for (const call of calls) {
    expect(kindsOf(call), nameOf(call)).not.toEqual([]);
    const scope = call.operation['x-scope'];
    if (kindsOf(call).includes('apiKey')) expect(keyScopes, nameOf(call)).toContain(scope);
    else expect(scope, nameOf(call)).toBeUndefined();
  }
});

describe('whom the document does not let in', () => {
  test.for(cases)('$title refuses them', async ({ call }) => {
    const refused = callers.filter((caller) => !may(call, caller));
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const caller of refused) {
      const answer = await sendIn(world, call, bodyOf(call), caller.headers);
      seen[caller.name] = [answer.status, (answer.body.error as { code?: string } | undefined)?.code];
      expected[caller.name] = refusalOf(call, caller);
      expectDocumented(call, answer);
    }
    expect(seen).toEqual(expected);
  });

  test.for(['/bridge/control', '/bridge/numbers/{id}?epoch=1'])(
    'GET %s, which is no part of the document, lets in bridges alone',
    async (path) => {
      for (const { name, headers } of callers) {
        const answer = await ask('GET', path.replace('{id}', world.names.get(exampleNumberId) ?? ''), {
          headers,
        });
        // To a bridge there is only a WebSocket.
        expect(answer.status, name).toBe(name === 'a bridge' ? 404 : 401);
      }
    },
  );

  test('after all that the account has what it had: nobody else has taken or changed anything of it', async () => {
    expect(await everythingOf(world.account)).toEqual(before);
    const log = await ask('GET', '/v1/audit-log?limit=200', { headers: world.account.owner });
    const { user } = (await ask('GET', '/v1/auth/me', { headers: stranger.owner })).body;
    expect(log.text).not.toContain(user.id);
    const { body } = await ask('GET', '/v1/audit-log/verify', { headers: world.account.owner });
    expect(body).toMatchObject({ valid: true });
  });
});
