import { exampleNumberId } from '../../../src/worker/openapi/examples/example-values.ts';
import { type Answer, ask } from '../front-door.ts';
import { arrangements, openDoor } from './openapi-arrangements.ts';
import { type Call, examplesOf } from './openapi-document.ts';
import { credentialFor, inWorld, openEmptyWorld, openWorld, type World } from './openapi-world.ts';

/** The path with the ids of the examples. */
export function examplePath({ path, operation }: Call): string {
  const filled = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((whole, { name, example }) => whole.replace(`{${name}}`, String(example)), path);
  // What a query must have, it has.
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** A body that is no JSON. */
class RawBody {
  readonly bytes: string;

  constructor(bytes: string) {
    this.bytes = bytes;
  }
}

/** The bodies of the examples by name; one that is none where the operation takes none. */
export function exampleBodies({ operation }: Call): [string, unknown][] {
  const content = operation.requestBody?.content ?? {};
  const raw = content['application/octet-stream']?.example;
  if (typeof raw === 'string') return [['raw bytes', new RawBody(raw)]];
  const media = content['application/json'];
  return media === undefined ? [['no body', undefined]] : Object.entries(examplesOf(media));
}

let readWorld: Promise<World> | undefined;

/** A world of its own for whatever changes something; what only reads shares one. */
export function worldFor({ method, path, operation }: Call, body: unknown): Promise<World> {
  if (method === 'GET' && !(operation.operationId in arrangements)) {
    readWorld ??= openWorld();
    return readWorld;
  }
  // Who may sign in, and with what, has nothing to do with what is sent.
  const isAboutNumbers = !path.startsWith('/v1/auth/') || JSON.stringify(body)?.includes(exampleNumberId);
  return isAboutNumbers ? openWorld() : openEmptyWorld();
}

/** Sends the example, as it reads in this world. */
export function sendIn(
  world: World,
  { method, path, operation }: Call,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  // Newcomers are welcome only where the gateway is open to them.
  const door = operation.operationId === 'acceptInvitation' ? openDoor() : ask;
  const where = inWorld(world, examplePath({ method, path, operation }));
  if (body instanceof RawBody) {
    const type = { 'Content-Type': 'application/octet-stream' };
    return door(method, where, {
      headers: { ...type, ...headers },
      raw: new TextEncoder().encode(body.bytes),
    });
  }
  return door(method, where, {
    headers,
    ...(body === undefined ? {} : { json: inWorld(world, body) }),
  });
}

/** Sends the example, as it reads in this world, as the document says it is to be sent. */
export async function sendExample(
  call: Call,
  body: unknown,
  world: World,
  extra: Record<string, string> = {},
): Promise<Answer> {
  await arrangements[call.operation.operationId]?.(world);
  const headers = { ...credentialFor(call, world.account), ...world.headers, ...extra };
  return sendIn(world, call, body, headers);
}
