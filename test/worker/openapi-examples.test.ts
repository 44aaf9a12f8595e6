import { expect, test } from 'vitest';
import { exampleNumberId, exampleRecipient } from '../../src/worker/openapi/examples/example-values.ts';
import { type Answer, ask } from './front-door.ts';
import { arrangements, openDoor } from './openapi-arrangements.ts';
import { type Call, calls, examplesOf, expectDocumented } from './openapi-document.ts';
import { credentialFor, inWorld, openEmptyWorld, openWorld, type World } from './openapi-world.ts';

const pathOf = ({ path, operation }: Call) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), path);

const examples = calls.flatMap((call) => {
  const media = call.operation.requestBody?.content['application/json'];
  const bodies: [string, unknown][] =
    media === undefined ? [['no body', undefined]] : Object.entries(examplesOf(media));
  return bodies.map(([name, body]) => ({
    title: `${call.operation.operationId} (${name})`,
    call,
    body,
  }));
});

let readWorld: Promise<World> | undefined;

/** A world of its own for whatever changes something; what only reads shares one. */
function worldFor({ method, path, operation }: Call, body: unknown): Promise<World> {
  if (method === 'GET' && !(operation.operationId in arrangements)) {
    readWorld ??= openWorld();
    return readWorld;
  }
  // Who may sign in, and with what, has nothing to do with what is sent.
  const isAboutNumbers = !path.startsWith('/v1/auth/') || JSON.stringify(body)?.includes(exampleNumberId);
  return isAboutNumbers ? openWorld() : openEmptyWorld();
}

/** Sends the example, as it reads in this world, as the document says it is to be sent. */
async function send(
  call: Call,
  body: unknown,
  world: World,
  extra: Record<string, string> = {},
): Promise<Answer> {
  const { operationId } = call.operation;
  await arrangements[operationId]?.(world);
  // Newcomers are welcome only where the gateway is open to them.
  const door = operationId === 'acceptInvitation' ? openDoor() : ask;
  return door(call.method, inWorld(world, pathOf(call)), {
    headers: { ...credentialFor(call, world.account), ...world.headers, ...extra },
    ...(body === undefined ? {} : { json: inWorld(world, body) }),
  });
}

test.for(examples)('$title is answered as the document says', async ({ call, body }) => {
  const answer = await send(call, body, await worldFor(call, body));
  expect(answer.status, answer.text).toBeLessThan(call.operation.operationId === 'checkReady' ? 504 : 300);
  expectDocumented(call, answer);
});

test('a dry run is answered as the document says, whether the send would be accepted or not', async () => {
  const call = calls.find(({ operation }) => operation.operationId === 'sendMessage');
  if (call === undefined) throw new Error('sending is not documented');
  const world = await openWorld();
  const dry = { ...call, path: `${call.path}?dryRun=true` };
  const body = { to: exampleRecipient, text: 'hello' };
  const accepted = await send(dry, body, world);
  expect(accepted).toMatchObject({ status: 200, body: { accepted: true, reasons: [] } });
  expectDocumented(call, accepted);
  await arrangements.listOptOuts?.(world);
  const refused = await send(dry, body, world);
  expect(refused).toMatchObject({
    status: 200,
    body: { accepted: false, reasons: [{ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] }] },
  });
  expectDocumented(call, refused);
});

const media = calls.flatMap((call) =>
  Object.entries(call.operation.responses).flatMap(([status, { content = {} }]) =>
    Object.keys(content)
      .filter((type) => type !== 'application/json')
      .map((type) => ({ title: `${call.operation.operationId} as ${type}`, call, status, type })),
  ),
);

test.for(media)('$title is answered in that type', async ({ call, status, type }) => {
  const answer = await send(call, undefined, await openWorld(), { Accept: type });
  expect(answer.status).toBe(Number(status));
  expect(answer.headers.get('Content-Type')).toContain(type);
});
