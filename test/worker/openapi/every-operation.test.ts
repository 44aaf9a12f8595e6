import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RateLimits } from '../../../src/durable/account/admission/rate-limits.ts';
import { example } from '../../../src/worker/openapi/examples/example-values.ts';
import type { CallerKind } from '../../../src/worker/openapi/security.ts';
import { asPerson, keyWith } from '../attack/callers.ts';
import { type Answer, type Ask, ask, openAccount, type TestAccount } from '../front-door.ts';
import { arrangements } from './openapi-arrangements.ts';
import { type Call, calls, examplesOf, expectDocumented } from './openapi-document.ts';
import { exampleBodies, examplePath, sendIn } from './openapi-requests.ts';
import { credentialFor, inWorld, needAllOf, openEmptyWorld, type World } from './openapi-world.ts';

/*
 * Every operation is asked over HTTP once for each kind of caller whom the document lets in: its examples are answered as
 * documented, what is another account's is not there, and its errors are those that are documented. Who is let in is the
 * matter of `guards.test.ts`. A tag has a world, of which what is used up is made again; what deletes comes last.
 */

// Nobody is refused for being too fast: each request comes a second after the one before.
beforeAll(() => {
  const { consume, takeForPerson } = RateLimits.prototype;
  let later = 0;
  const inAWhile = (now: number) => now + 1000 * later++;
  vi.spyOn(RateLimits.prototype, 'consume').mockImplementation(function (
    this: RateLimits,
    id,
    now,
    messages,
  ) {
    return consume.call(this, id, inAWhile(now), messages);
  });
  vi.spyOn(RateLimits.prototype, 'takeForPerson').mockImplementation(function (this: RateLimits, id, now) {
    return takeForPerson.call(this, id, inAWhile(now));
  });
});
afterAll(() => void vi.restoreAllMocks());

const nameOf = ({ method, path }: Call) => `${method} ${path}`;
const callersOf = ({ operation }: Call) => operation['x-callers'];

/** Who is asked for what: a gateway that is open to newcomers, and people who run one, have tests of their own. */
const kindsOf = (call: Call): CallerKind[] =>
  callersOf(call).filter((kind) => kind !== 'newcomer' && kind !== 'operatorsPerson');

/** A world of which another call may change what is named. */
const copyOf = (world: World): World => ({ ...world, headers: {}, names: new Map(world.names) });

/** Worlds by tag, with their people, who are made when they are needed. */
class Tag {
  readonly world: World;
  readonly #people = new Map<CallerKind, World>();
  readonly #keys = new Map<string, { 'X-API-Key': string }>();

  constructor(world: World) {
    this.world = world;
  }

  /** The world as somebody of that kind has it, and what they call with. */
  async as(kind: CallerKind, call: Call): Promise<{ own: World; credential: Record<string, string> }> {
    if (kind === 'anybody') return { own: copyOf(this.world), credential: {} };
    if (kind === 'operator')
      return { own: copyOf(this.world), credential: credentialFor(call, this.world.account) };
    if (kind === 'apiKey') return { own: copyOf(this.world), credential: await this.#keyFor(call) };
    const role = kind as 'owner' | 'admin' | 'agent';
    const known = this.#people.get(role) ?? (await asPerson(this.world, role));
    this.#people.set(role, known);
    return { own: copyOf({ ...known, names: this.world.names }), credential: known.account.owner };
  }

  /** That can do just this. */
  async #keyFor({ operation }: Call): Promise<{ 'X-API-Key': string }> {
    const scope = operation['x-scope'];
    if (scope === undefined) throw new Error('it takes keys, and names no scope');
    const known = this.#keys.get(scope) ?? (await keyWith(this.world, [scope]));
    this.#keys.set(scope, known);
    return known;
  }
}

/** Who may sign in, and with what, has nothing to do with what is sent; but each is done to whoever does it. */
const isAboutPeople = ({ path }: Call) => path.startsWith('/v1/auth/') && !path.includes('/api-keys');

/** What there can be once of a name, or a few times: each is made in an account of its own. */
const areUnique = [
  'createContact',
  'createSegment',
  'updateSegment',
  'createLabel',
  'createCannedReply',
  'createWebhook',
];
const hasOwnAccount = (call: Call) => isAboutPeople(call) || areUnique.includes(call.operation.operationId);

/** What an operation takes away beside what it deletes, by the names of the examples. */
const usedUp: Record<string, string[]> = {
  disconnectNumber: [example.numberId],
  logoutNumber: [example.numberId],
  leaveGroup: [example.numberId],
  getContactErasure: [example.contactId],
  mergeContacts: [example.contactId],
};

/** What is not there any more is made again when it is needed. */
function forget(world: World, call: Call): void {
  const { operationId } = call.operation;
  const gone = call.method === 'DELETE' ? [...(examplePath(call).match(ids) ?? [])] : [];
  for (const name of [...gone, ...(usedUp[operationId] ?? [])]) world.names.delete(name);
}

const ids = /(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f-]{27}/g;

const isAnswered = ({ operation }: Call, { status }: Answer) =>
  status < 300 || operation.operationId === 'checkReady';

async function arrange(world: World, own: World, call: Call, body: unknown): Promise<void> {
  await needAllOf(world, [examplePath(call), body]);
  for (const [name, id] of world.names) if (!own.names.has(name)) own.names.set(name, id);
  await arrangements[call.operation.operationId]?.(own);
}

/** Each example by the first who may, and the first one by everybody who may. */
async function expectExamplesAnswered(tag: Tag, call: Call): Promise<void> {
  const kinds = kindsOf(call);
  let read: World['names'] | null = null;
  for (const [index, [name, body]] of exampleBodies(call).entries()) {
    for (const kind of index === 0 ? kinds : kinds.slice(0, 1)) {
      const within = hasOwnAccount(call) ? new Tag(await openEmptyWorld()) : tag;
      const { own, credential } = await within.as(kind, call);
      // What is only read is there for the next one, too.
      if (call.method === 'GET' && read !== null && !hasOwnAccount(call)) own.names = read;
      else await arrange(within.world, own, call, body);
      read = own.names;
      // An agent removes nobody but themselves.
      if (kind === 'agent' && call.operation.operationId === 'removeMember')
        own.names.set(example.colleagueId, await userIdOf(own.account));
      if (kind === kinds[0]) await expectNotThereForOthers(call, body, own);
      const answer = await sendIn(own, call, body, { ...own.headers, ...credential });
      const what = `${nameOf(call)} (${name}) by ${kind}: ${answer.status} ${answer.text}`;
      expect(isAnswered(call, answer), what).toBe(true);
      expectDocumented(call, answer);
      forget(within.world, call);
    }
  }
}

const userIdOf = async ({ owner: headers }: TestAccount): Promise<string> =>
  (await ask('GET', '/v1/auth/me', { headers })).body.user.id;

const isId = (name: string) => /^(?:[a-z]+_)?[0-9a-f-]{36}$/.test(name);

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

/** The answer without what differs by itself: ids. */
const withoutIds = ({ status, text }: Answer) => ({ status, text: text.replaceAll(ids, 'an id') });

const stranger = await openAccount();

/** To another account the ids of this one are ids of nobody; and it takes nothing away, for the owner is answered after it. */
async function expectNotThereForOthers(call: Call, body: unknown, theirs: World): Promise<void> {
  const named = { path: examplePath(call), body };
  if (JSON.stringify(named).match(ids) === null) return;
  expect(inWorld(theirs, named), 'it names nothing').not.toEqual(inWorld(nowhere(theirs), named));
  const credentials = [
    ...(callersOf(call).includes('apiKey') ? [stranger.server] : []),
    ...(callersOf(call).includes('owner') ? [stranger.owner] : []),
  ];
  for (const credential of credentials) {
    const known = await sendIn(theirs, call, body, credential);
    const unknown = await sendIn(nowhere(theirs), call, body, credential);
    expect(withoutIds(known), nameOf(call)).toEqual(withoutIds(unknown));
    if (examplePath(call) !== call.path) expect(known.status, known.text).toBe(404);
    else expect(known.body.error, known.text).toBeDefined();
  }
}

/** Answers in other media types than JSON. */
async function expectOtherMedia(tag: Tag, call: Call): Promise<void> {
  for (const [status, { content = {} }] of Object.entries(call.operation.responses)) {
    for (const type of Object.keys(content).filter((it) => it !== 'application/json')) {
      const own = copyOf(tag.world);
      await arrange(tag.world, own, call, undefined);
      const headers = { Accept: type, ...(status === '206' && { Range: 'bytes=0-4' }) };
      const answer = await sendIn(own, call, undefined, { ...credentialFor(call, own.account), ...headers });
      expect(answer.status, `${nameOf(call)} as ${type}: ${answer.text}`).toBe(Number(status));
      expect(answer.headers.get('Content-Type')).toContain(type);
    }
  }
}

/** What a tag's lists show; where nothing is named, what its own operations have made before. */
const seeds: Record<string, string[]> = {
  Messages: [example.messageId],
  Usage: [example.messageId],
  Numbers: [example.numberId],
  Contacts: [example.numberId, example.contactId],
  Conversations: [
    example.messageId,
    example.conversationId,
    example.teamId,
    example.labelId,
    example.cannedReplyId,
  ],
  Support: [example.conversationId],
  Assistants: [example.conversationId],
  Webhooks: [example.deliveryId],
  Events: [example.messageId],
  Alerts: [example.alertChannelId],
  'Request log': [example.requestId],
};

const tags = [...new Set(calls.map(({ operation }) => operation.tags[0] ?? ''))];
const isDelete = ({ method }: Call) => Number(method === 'DELETE');

describe.for(tags)('%s', (name) => {
  const own = calls.filter(({ operation }) => operation.tags[0] === name);
  const cases = own
    .toSorted((a, b) => isDelete(a) - isDelete(b))
    .map((call) => ({ title: nameOf(call), call }));
  let tag: Tag;
  beforeAll(async () => {
    tag = new Tag(await openEmptyWorld());
    await needAllOf(tag.world, seeds[name] ?? []);
  });

  test.for(cases)(
    '$title is answered as documented, and nothing of it to another account',
    async ({ call }) => {
      await expectExamplesAnswered(tag, call);
      await expectOtherMedia(tag, call);
    },
  );

  test.for(cases)('$title refuses as documented', async ({ call }) => {
    await expectErrors(call);
  });
});

/** The codes that the document names for the operation. */
const codesOf = ({ operation }: Call): string[] =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content = {} }]) => Object.values(content))
    .filter(({ schema }) => schema.$ref?.endsWith('/ErrorAnswer'))
    .flatMap((media) => Object.keys(examplesOf(media)));

const bodyOf = ({ operation }: Call): unknown => {
  const media = operation.requestBody?.content['application/json'];
  return media === undefined ? undefined : Object.values(examplesOf(media))[0];
};

/** The codes that its request brings along, whether or not the document names them. */
const codesBroughtBy = (call: Call): string[] => [
  'VALIDATION_ERROR',
  ...(bodyOf(call) === undefined ? [] : ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']),
  ...(call.path.includes('{') ? ['NOT_FOUND'] : []),
];

/** Ids that are no plain UUIDs. */
const unknownIds: Record<string, string> = {
  groupId: '120363000000000000@g.us',
  messageId: `msg_${crypto.randomUUID()}`,
};

/** A path on which nothing is: ids that nobody has. */
const emptyPath = ({ path, operation }: Call) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name }) => filled.replace(`{${name}}`, unknownIds[name] ?? crypto.randomUUID()), path);

type Provocation = Ask & { query?: string };

/** A request that must fail with this code, or undefined where no such request is known. */
function provocation(call: Call, code: string): Provocation | undefined {
  const headers = credentialFor(call, stranger);
  const json = bodyOf(call);
  const raw = (body: BodyInit, type = 'application/json') => ({
    headers: { ...headers, 'Content-Type': type },
    raw: body,
  });
  switch (code) {
    case 'INVALID_JSON':
      return raw('{"');
    case 'UNSUPPORTED_MEDIA_TYPE':
      return raw('to=1', 'application/x-www-form-urlencoded');
    case 'PAYLOAD_TOO_LARGE':
      return json === undefined ? undefined : raw(' '.repeat(1024 * 1024 + 1));
    case 'VALIDATION_ERROR': {
      if (json !== undefined) return { headers, json: { unheardOf: 1 } };
      const takesQuery = call.operation.parameters.some((parameter) => parameter.in === 'query');
      return { headers, query: takesQuery ? '?unheardOf=1' : `?${'x'.repeat(9000)}` };
    }
    case 'NOT_FOUND':
      return call.path.includes('{') ? { headers, ...(json === undefined ? {} : { json }) } : undefined;
    default:
      return undefined;
  }
}

async function expectErrors(call: Call): Promise<void> {
  for (const code of new Set([...codesOf(call), ...codesBroughtBy(call)])) {
    const request = provocation(call, code);
    if (request === undefined) continue;
    const { query = '', ...rest } = request;
    // The request is judged before anything is looked for, so the thing need not exist.
    const answer = await ask(call.method, `${emptyPath(call)}${query}`, rest);
    expect(answer.body, `${nameOf(call)}: ${answer.status}`).toMatchObject({ error: { code } });
    expectDocumented(call, answer);
  }
}

test('a dry run is answered as the document says, whether the send would be accepted or not', async () => {
  const call = calls.find(({ operation }) => operation.operationId === 'sendMessage');
  if (call === undefined) throw new Error('sending is not documented');
  const world = await openEmptyWorld();
  const body = { to: example.recipient, text: 'hello' };
  await needAllOf(world, example.numberId);
  const dry = { ...call, path: `${call.path}?dryRun=true` };
  const accepted = await sendIn(world, dry, body, world.account.server);
  expect(accepted).toMatchObject({ status: 200, body: { accepted: true, reasons: [] } });
  expectDocumented(call, accepted);
  await arrangements.listOptOuts?.(world);
  const refused = await sendIn(world, dry, body, world.account.server);
  expect(refused).toMatchObject({
    status: 200,
    body: { accepted: false, reasons: [{ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] }] },
  });
  expectDocumented(call, refused);
});

const nobodys = crypto.randomUUID();

test.each([
  ['listContacts', { query: `?segmentId=${nobodys}` }],
  ['exportContacts', { query: `?segmentId=${nobodys}` }],
  ['addOptOut', { json: { contactId: nobodys } }],
  ['mergeContacts', { json: { contactId: nobodys, otherContactId: crypto.randomUUID() } }],
])(
  '%s answers as documented when its query or body names what is not there',
  async (operationId, request) => {
    const call = calls.find(({ operation }) => operation.operationId === operationId);
    if (call === undefined) throw new Error(`${operationId} is not documented`);
    const { query = '', ...rest }: Partial<Provocation> = request;
    const { owner: headers } = await openAccount();
    const answer = await ask(call.method, `${call.path}${query}`, { headers, ...rest });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    expectDocumented(call, answer);
  },
);

const namedInBody = calls.flatMap((call) =>
  exampleBodies(call).flatMap(([name, body]) =>
    [...new Set(JSON.stringify(body ?? null).match(ids) ?? [])].map((id) => ({
      title: `${call.operation.operationId} (${name})`,
      ...{ call, body, id },
    })),
  ),
);

test.for(namedInBody)(
  '$title is refused as documented when $id is of nothing',
  async ({ call, body, id }) => {
    const world = await openEmptyWorld();
    await arrange(world, world, call, body);
    world.names.set(id, id.replace(/[0-9a-f-]{36}$/, crypto.randomUUID()));
    const headers = { ...world.headers, ...credentialFor(call, world.account) };
    const answer = await sendIn(world, call, body, headers);
    expect([400, 404]).toContain(answer.status);
    const path = expect.stringMatching(/[iI]ds?\b|senderHint/);
    if (answer.status === 400) expect(answer.body).toMatchObject({ error: { details: [{ path }] } });
  },
);
