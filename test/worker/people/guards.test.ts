import { describe, expect, test } from 'vitest';
import { keyScopes } from '../../../src/contract/key-scopes.ts';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import { type Caller, callersOf } from '../attack/callers.ts';
import { type Answer, ask } from '../front-door.ts';
import { type Call, calls, expectDocumented } from '../openapi/openapi-document.ts';
import { examplePath } from '../openapi/openapi-requests.ts';
import { inWorld, openWorld } from '../openapi/openapi-world.ts';

/*
 * Everybody who may come to the door, before each kind of guard: what a guard does it does on every route that has it, for
 * it is one piece of code that reads its data. Which route has which is said in `test/unit/worker/guards`.
 */

const world = await openWorld();
const callers = await callersOf(world);
const before = await everythingOf();

/** What the owner sees of the account, but when its keys were used. */
async function everythingOf() {
  const paths = ['numbers', 'webhooks', 'settings', 'messages', 'auth/api-keys', 'auth/members', 'audit-log'];
  const { owner: headers } = world.account;
  const texts = await Promise.all(
    paths.map(async (path) => (await ask('GET', `/v1/${path}?`, { headers })).text),
  );
  // Nor how the webhook does, which is called meanwhile.
  const shown = /"(lastUsedAt|reason|failureStreak|lastDeliveryAt|disabledReason)":("[^"]*"|\d+|null)/g;
  return texts.map((text) => text.replaceAll(shown, ''));
}

const nameOf = ({ method, path }: Call) => `${method} ${path}`;
const kindsOf = ({ operation }: Call) => operation['x-callers'];

const may = (call: Call, { as, scopes }: Caller) =>
  kindsOf(call).includes('anybody') ||
  // Whoever runs the gateway is also the owner of an account, though not of this one.
  (as === 'operatorsPerson' && kindsOf(call).includes('owner')) ||
  (as !== null &&
    kindsOf(call).includes(as) &&
    (scopes === undefined || scopes.some((scope) => scope === call.operation['x-scope'])));

/** How the document says that this caller is refused. */
function refusalOf(call: Call, { as, headers }: Caller): [number, string] {
  const kinds = kindsOf(call);
  const isRole = as === 'agent' || as === 'admin' || as === 'owner' || as === 'operatorsPerson';
  const takesKeys = kinds.includes('apiKey');
  const bringsKey = 'X-API-Key' in headers;
  // Who runs the gateway is not of this account.
  const takesPeople = kinds.includes('owner') || kinds.includes('operatorsPerson');
  if ((isRole && takesPeople) || (as === 'apiKey' && takesKeys)) return [403, 'FORBIDDEN'];
  return [401, takesKeys && (bringsKey || !kinds.includes('owner')) ? 'INVALID_API_KEY' : 'UNAUTHENTICATED'];
}

/** Whether whoever called came past the guard, which alone answers so. */
const isLetIn = ({ status, body }: Answer) =>
  status !== 401 && (body.error as { code?: string } | undefined)?.code !== 'FORBIDDEN';

/** Where somebody without a cookie, or without the right password, is refused behind the guard. */
const asksForMore = ({ operation }: Call) =>
  ['login', 'refresh', 'verifySignUp', 'resetPassword', 'acceptInvitation', 'confirmAlertAddress'].includes(
    operation.operationId,
  );

/** One route for each kind of guard: what is only read, if there is such a route, and needs no more than itself. */
const guards = Map.groupBy(calls, ({ operation }) =>
  JSON.stringify([operation.security, kindsOf({ operation } as Call), operation['x-scope']]),
);
const cost = (call: Call) =>
  Number(asksForMore(call)) * 4 + Number(call.method !== 'GET') * 2 + Number(call.path.includes('{'));
const representatives = [...guards.values()]
  .map((all) => all.toSorted((a, b) => cost(a) - cost(b))[0] as Call)
  .filter((call) => !asksForMore(call))
  .map((call) => ({ title: `${kindsOf(call).join(', ')} (${nameOf(call)})`, call }));

test('each kind of guard is tried, and every scope', () => {
  expect(representatives.length).toBeGreaterThan(15);
  const wanted = representatives.map(({ call }) => call.operation['x-scope']);
  expect(keyScopes.filter((scope) => !wanted.includes(scope))).toEqual([]);
});

describe('a route that is for', () => {
  test.for(representatives)('$title lets in these, and refuses all others', async ({ call }) => {
    const seen: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const caller of callers) {
      const json = call.method === 'GET' ? {} : { json: {} };
      const answer = await ask(call.method, inWorld(world, examplePath(call)), {
        headers: caller.headers,
        ...json,
      });
      const code = (answer.body.error as { code?: string } | undefined)?.code;
      seen[caller.name] = isLetIn(answer) ? 'let in' : [answer.status, code];
      expected[caller.name] = may(call, caller) ? 'let in' : refusalOf(call, caller);
      expectDocumented(call, answer);
    }
    expect(seen).toEqual(expected);
  });
});

test.for(['/bridge/control', '/bridge/numbers/{id}?epoch=1'])(
  'GET %s, which is no part of the document, lets in bridges alone',
  async (path) => {
    for (const { name, headers } of callers) {
      const answer = await ask('GET', path.replace('{id}', world.names.get(example.numberId) ?? ''), {
        headers,
      });
      // To a bridge there is only a WebSocket.
      expect(answer.status, name).toBe(name === 'a bridge' ? 404 : 401);
    }
  },
);

test('after all that the account has what it had: nobody else has taken or changed anything of it', async () => {
  expect(await everythingOf()).toEqual(before);
  const { body } = await ask('GET', '/v1/audit-log/verify', { headers: world.account.owner });
  expect(body).toMatchObject({ valid: true });
});
