import { describe, expect, test } from 'vitest';
import { type KeyScope, keyScopes } from '../../../src/contract/key-scopes.ts';
import { exampleColleagueId, exampleNumberId } from '../../../src/worker/openapi/examples/example-values.ts';
import { asPerson, type Caller, callersOf, keyWith } from '../attack/callers.ts';
import { type Answer, ask, openAccount, type TestAccount } from '../front-door.ts';
import { arrangements } from '../openapi/openapi-arrangements.ts';
import { type Call, calls, expectDocumented } from '../openapi/openapi-document.ts';
import { exampleBodies, examplePath, sendIn } from '../openapi/openapi-requests.ts';
import { inWorld, openEmptyWorld, openWorld, type World } from '../openapi/openapi-world.ts';

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

const kindsOf = ({ operation }: Call) => operation['x-callers'];
const mayAs = (call: Call, { as, scopes }: Caller) =>
  as !== null && kindsOf(call).includes(as) && (scopes === undefined || hasScope(call, scopes));
const hasScope = ({ operation }: Call, scopes: readonly KeyScope[]) =>
  scopes.some((scope) => scope === operation['x-scope']);
const may = (call: Call, caller: Caller) => kindsOf(call).includes('anybody') || mayAs(call, caller);

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

const bodyOf = (call: Call) => exampleBodies(call)[0]?.[1];
const nameOf = ({ method, path }: Call) => `${method} ${path}`;
const cases = calls.map((call) => ({ title: nameOf(call), call }));

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

/** With whatever they bring: of those who are let in anyway, some. */
const whoeverComes = ['nobody', 'a revoked key', "a token of somebody else's signature"];

/** One world for whatever leaves it as it was; one that does not work any more is replaced. */
let common = await openWorld();

const isAboutPeople = (call: Call, body: unknown) =>
  call.path.startsWith('/v1/auth/') && !JSON.stringify(body)?.includes(exampleNumberId);
/** A world of which another call may change what is named. */
const copyOf = (own: World): World => ({ ...own, headers: {}, names: new Map(own.names) });
const isAnswered = (call: Call, { status }: Answer) =>
  status < 300 || call.operation.operationId === 'checkReady';

/** Calls, as somebody whom the document lets in, what was made for them; the answer. */
async function callAs(call: Call, caller: Caller): Promise<Answer> {
  if (isAboutPeople(call, bodyOf(call))) return callIn(await openEmptyWorld(), call, caller);
  const answer = call.method === 'DELETE' ? null : await callIn(common, call, caller);
  if (answer !== null && isAnswered(call, answer)) return answer;
  // Somebody before has used up what the operation needs.
  common = await openWorld();
  return callIn(common, call, caller);
}

async function callIn(theirs: World, call: Call, caller: Caller): Promise<Answer> {
  const person = copyOf(
    caller.as === 'admin' || caller.as === 'agent' ? await asPerson(theirs, caller.as) : theirs,
  );
  await arrangements[call.operation.operationId]?.(person);
  // An agent removes nobody but themselves.
  if (caller.as === 'agent' && call.operation.operationId === 'removeMember') {
    person.names.set(exampleColleagueId, await userIdOf(person.account));
  }
  let credential = isPerson(caller) ? person.account.owner : caller.headers;
  if (caller.as === 'apiKey') credential = await keyWith(theirs, caller.scopes);
  return sendIn(person, call, bodyOf(call), { ...person.headers, ...credential });
}

const userIdOf = async ({ owner: headers }: TestAccount): Promise<string> =>
  (await ask('GET', '/v1/auth/me', { headers })).body.user.id;

const isPerson = ({ as }: Caller) => as === 'owner' || as === 'admin' || as === 'agent';

describe('whom the document lets in', () => {
  test.for(cases)('$title is answered to them', async ({ call }) => {
    const allowed = callers.filter((caller) =>
      kindsOf(call).includes('anybody') ? whoeverComes.includes(caller.name) : may(call, caller),
    );
    for (const caller of allowed) {
      const answer = await callAs(call, caller);
      expect(isAnswered(call, answer), `${nameOf(call)} by ${caller.name}: ${answer.text}`).toBe(true);
      expectDocumented(call, answer);
    }
  });
});

/** The same names, of things that nobody has. */
const nowhere = ({ names, ...rest }: World): World => ({
  ...rest,
  names: new Map(
    [...names].map(([example, actual]) => [
      example,
      isId(actual) ? actual.replace(/[0-9a-f-]{36}$/, crypto.randomUUID()) : actual,
    ]),
  ),
});
const isId = (name: string) => /^(?:[a-z]+_)?[0-9a-f-]{36}$/.test(name);

/** The answer without what differs by itself: ids. */
const withoutIds = ({ status, text }: Answer) => ({
  status,
  text: text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'an id'),
});

describe("another account's things", () => {
  // Whoever tries changes nothing of it, so one is enough.
  const foreign = world;
  const naming = calls.flatMap((call) =>
    exampleBodies(call).flatMap(([name, body]) => {
      const text = `${examplePath(call)} ${JSON.stringify(body)}`;
      const isNaming = /[0-9a-f]{8}-[0-9a-f-]{27}/.test(text);
      return isNaming ? [{ title: `${nameOf(call)} (${name})`, call, body }] : [];
    }),
  );

  test.for(naming)('$title: ids of another account are answered as ids of nobody', async ({ call, body }) => {
    const theirs = copyOf(foreign);
    await arrangements[call.operation.operationId]?.(theirs);
    // Nobody is refused for being too fast.
    const someone = await openAccount();
    const credentials = [
      ...(kindsOf(call).includes('apiKey') ? [someone.server] : []),
      ...(kindsOf(call).includes('owner') ? [someone.owner] : []),
    ];
    const named = inWorld(theirs, { path: examplePath(call), body });
    expect(named).not.toEqual(inWorld(nowhere(theirs), { path: examplePath(call), body }));
    for (const credential of credentials) {
      const [known, unknown] = [
        await sendIn(theirs, call, body, credential),
        await sendIn(nowhere(theirs), call, body, credential),
      ];
      expect(withoutIds(known)).toEqual(withoutIds(unknown));
      if (examplePath(call) !== call.path) expect(known.status, known.text).toBe(404);
      else expect(known.body.error, known.text).toBeDefined();
    }
  });
});
