import { type Answer, ask } from '../front-door.ts';
import { openDoor } from './openapi-arrangements.ts';
import { type Call, examplesOf } from './openapi-document.ts';
import { inWorld, type World } from './openapi-world.ts';

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
