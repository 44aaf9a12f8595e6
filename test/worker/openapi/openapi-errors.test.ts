import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newApiKey } from '../../../src/worker/keys/api-key.ts';
import { type Ask, ask, openAccount } from '../front-door.ts';
import { addAgent } from './openapi-arrangements.ts';
import { type Call, calls, examplesOf, expectDocumented } from './openapi-document.ts';
import { credentialFor } from './openapi-world.ts';

const account = await openAccount();
const { email, password } = await addAgent(account);
const signedIn = await ask('POST', '/v1/auth/login', { json: { email, password } });
const agent = { Authorization: `Bearer ${signedIn.body.token}` };

const schemesOf = ({ operation }: Call) => operation.security.flatMap((it) => Object.keys(it));
const hasScheme = (call: Call, scheme: string) => schemesOf(call).includes(scheme);
const isOptional = ({ operation }: Call) =>
  operation.security.length === 0 || operation.security.some((it) => Object.keys(it).length === 0);

/** The codes that the document names for the operation. */
const codesOf = ({ operation }: Call): string[] =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content = {} }]) => Object.values(content))
    .filter(({ schema }) => schema.$ref?.endsWith('/ErrorAnswer'))
    .flatMap((media) => Object.keys(examplesOf(media)));

/** The codes that its request brings along, whether or not the document names them. */
function codesBroughtBy(call: Call): string[] {
  return [
    'VALIDATION_ERROR',
    ...(bodyOf(call) === undefined ? [] : ['INVALID_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE']),
    ...(hasScheme(call, 'apiKey') ? ['INVALID_API_KEY'] : []),
    ...(hasScheme(call, 'dashboardToken') ? ['UNAUTHENTICATED'] : []),
    ...(call.path.includes('{') ? ['NOT_FOUND'] : []),
  ];
}

const bodyOf = ({ operation }: Call): unknown => {
  const media = operation.requestBody?.content['application/json'];
  return media === undefined ? undefined : Object.values(examplesOf(media))[0];
};

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

const tagOf = ({ operation }: Call) => operation.tags[0] ?? '';
const tags = [...new Set(calls.map(tagOf))];
/** An account a tag, so that nobody asks too fast, however fast the machine is. */
const accounts = new Map(await Promise.all(tags.map(async (tag) => [tag, await openAccount()] as const)));

const credential = (call: Call) => credentialFor(call, accounts.get(tagOf(call)) ?? account);

/** A request that must fail with this code, or undefined where no such request is known. */
type Provoke = (call: Call) => (Ask & { query?: string }) | undefined;

const json = (call: Call) => (bodyOf(call) === undefined ? {} : { json: bodyOf(call) });
const whole = (call: Call) => ({ headers: credential(call), ...json(call) });
const raw = (call: Call, body: BodyInit, type = 'application/json') => ({
  headers: { ...credential(call), 'Content-Type': type },
  raw: body,
});

const provocations: Record<string, Provoke> = {
  INVALID_JSON: (call) => raw(call, '{"'),
  UNSUPPORTED_MEDIA_TYPE: (call) => raw(call, 'to=1', 'application/x-www-form-urlencoded'),
  PAYLOAD_TOO_LARGE: (call) =>
    bodyOf(call) === undefined ? undefined : raw(call, ' '.repeat(1024 * 1024 + 1)),
  VALIDATION_ERROR: (call) => {
    if (bodyOf(call) !== undefined) return { headers: credential(call), json: { unheardOf: 1 } };
    const takesQuery = call.operation.parameters.some((parameter) => parameter.in === 'query');
    const query = takesQuery ? '?unheardOf=1' : `?${'x'.repeat(9000)}`;
    return { headers: credential(call), query };
  },
  INVALID_API_KEY: (call) => ({
    headers: { 'X-API-Key': newApiKey(account.accountId, env.KEY_CHECKSUM_SECRET).key },
    ...json(call),
  }),
  UNAUTHENTICATED: (call) =>
    hasScheme(call, 'dashboardToken')
      ? { headers: { Authorization: 'Bearer nonsense' }, ...json(call) }
      : { ...json(call) },
  FORBIDDEN: (call) =>
    hasScheme(call, 'dashboardToken') && call.operation.description.includes('owner or admin')
      ? { headers: agent, ...json(call) }
      : undefined,
  NOT_FOUND: (call) => (call.path.includes('{') ? whole(call) : undefined),
};

const cases = calls.flatMap((call) =>
  [...new Set([...codesOf(call), ...codesBroughtBy(call)])].flatMap((code) => {
    const request = provocations[code]?.(call);
    return request === undefined
      ? []
      : [{ title: `${call.operation.operationId} answers ${code}`, call, code, request }];
  }),
);

test('every operation with a credential or a body has an error that can be provoked', () => {
  expect(cases.length).toBeGreaterThan(calls.length);
  for (const call of calls) {
    if (isOptional(call) && call.operation.requestBody === undefined) continue;
    expect(
      cases.some((it) => it.call === call),
      call.operation.operationId,
    ).toBe(true);
  }
});

test.for(cases)(
  '$title as the document says',
  async ({ call, code, request: { query = '', ...request } }) => {
    // The request is judged before anything is looked for, so the thing need not exist.
    const answer = await ask(call.method, `${emptyPath(call)}${query}`, request);
    expect(answer.body, `${answer.status}`).toMatchObject({ error: { code } });
    expectDocumented(call, answer);
  },
);
