import { describe, expect, test } from 'vitest';
import { exampleColleagueId, exampleNumberId } from '../../../src/worker/openapi/examples/example-values.ts';
import { asPerson, type Caller, callersOf, keyWith } from '../attack/callers.ts';
import { type Answer, ask, type TestAccount } from '../front-door.ts';
import { arrangements } from '../openapi/openapi-arrangements.ts';
import { type Call, expectDocumented } from '../openapi/openapi-document.ts';
import { sendIn } from '../openapi/openapi-requests.ts';
import { openEmptyWorld, openWorld, type World } from '../openapi/openapi-world.ts';
import { bodyOf, cases, copyOf, kindsOf, may, nameOf } from './documented-callers.ts';

const callers = await callersOf(await openWorld());

/** With whatever they bring: of those who are let in anyway, some. */
const whoeverComes = ['nobody', 'a revoked key', "a token of somebody else's signature"];

/** One world for whatever leaves it as it was; one that does not work any more is replaced. */
let common = await openWorld();

const isAboutPeople = (call: Call, body: unknown) =>
  call.path.startsWith('/v1/auth/') && !JSON.stringify(body)?.includes(exampleNumberId);
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
