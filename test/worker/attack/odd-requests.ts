import fc from 'fast-check';
import { type Call, calls } from '../openapi/openapi-document.ts';
import { exampleBodies, examplePath } from '../openapi/openapi-requests.ts';
import { oddInsteadOf, oddName, oddString, oddValue } from './odd-values.ts';

/** A request as it is sent; the ids of the examples stand for those of the world in which it is sent. */
export interface OddRequest {
  operationId: string;
  /** Whether path and method are those of the operation, so that the answer is one of its own. */
  isRouted: boolean;
  /** Whether a parameter of the query stands there twice. */
  isRepeated: boolean;
  method: string;
  path: string;
  credential: 'right' | 'none' | 'made up';
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/** A value of the body is replaced, left out, or put beside others under an odd name. */
interface Change {
  kind: 'replace' | 'remove' | 'add';
  /** Which of the values, counted through; the remainder counts. */
  at: number;
  /** Which of the odd values of the same kind. */
  turn: number;
  name: string;
  value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  at: fc.nat(1000),
  turn: fc.nat(1000),
  name: oddName,
  value: oddValue,
});

type Holder = Record<string, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Every place in the value: what holds it, and under which name. */
function places(value: unknown, found: [Holder, string][] = []): [Holder, string][] {
  if (!isHolder(value)) return found;
  for (const name of Object.keys(value)) {
    found.push([value, name]);
    places(value[name], found);
  }
  return found;
}

function changed(body: unknown, changes: readonly Change[]): unknown {
  const root: Holder = { body: structuredClone(body) };
  for (const { kind, at, turn, name, value: shared } of changes) {
    const value = structuredClone(shared);
    const all = places(root);
    const [holder, key] = all[at % all.length] ?? [root, 'body'];
    const held = holder[key];
    if (kind === 'add' && isHolder(held))
      Object.defineProperty(held, name, { value, enumerable: true, writable: true, configurable: true });
    else if (kind === 'remove') delete holder[key];
    else holder[key] = oddInsteadOf(held, turn, value);
  }
  return root.body;
}

/** What happens to the text of a body behind its schema's back. */
const textChanges: Record<string, (text: string) => string | Uint8Array> = {
  'as it is': (text) => text,
  'cut short': (text) => text.slice(0, Math.floor(text.length / 2)),
  'twice the same field': (text) => text.replace(/^\{("[^"]+":)/, '{$1null,$1'),
  'no text': () => '',
  'too deep': (text) => text.replace(/^\{/, `{"deep":${'['.repeat(5000)}${']'.repeat(5000)},`),
  'a number without bounds': (text) => text.replace(/:("[^"]*"|\d+)/, ':1e999'),
  'no UTF-8': (text) => new Uint8Array([...new TextEncoder().encode(text), 0xc3, 0x28]),
  'a mark in front': (text) => `\ufeff${text}`,
  'many unknown fields': (text) =>
    text.replace(/^\{/, `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":0,`).join('')}`),
};
const textChange = fc.oneof(
  { weight: 12, arbitrary: fc.constant('as it is') },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(textChanges)) },
);

/** An odd text in a URL; what cannot be written in one is written as bytes that are no UTF-8. */
function inUrl(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80');
}

/** What a header may hold. */
const inHeader = (text: string) => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?').trim();

const pathOf = (call: Call) => {
  const names = call.operation.parameters.filter((it) => it.in === 'path');
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('unknown') },
    { weight: 2, arbitrary: oddString },
  );
  return fc.array(value, { minLength: names.length, maxLength: names.length }).map((values) => {
    let path = names.length === 0 ? call.path : examplePath(call);
    let isRouted = true;
    names.forEach(({ example }, index) => {
      const odd = values[index] ?? null;
      if (odd === null) return;
      const text = odd === 'unknown' ? '019ab0d4-0000-7000-8000-000000000000' : inUrl(odd);
      // The last one: the same id may stand in the path twice.
      const at = path.lastIndexOf(String(example));
      path = path.slice(0, at) + text + path.slice(at + String(example).length);
      if (text === '' || /^(\.|%2e){1,2}$/i.test(text)) isRouted = false;
    });
    return { path, isRouted };
  });
};

/** What a person would write for the parameter, or something else. */
function queryValue({ name, schema }: Call['operation']['parameters'][number]): fc.Arbitrary<string> {
  const {
    enum: allowed,
    example,
    format,
  } = schema as { enum?: string[]; example?: unknown; format?: string };
  // A request that waits as it was asked to is no mistake, and takes its time.
  if (name === 'wait') return fc.constantFrom('0', '-1', 'x', '', '31', '1e9');
  const fitting = [...(allowed ?? []), ...(example === undefined ? [] : [String(example)]), '1', '200'];
  if (format === 'date-time') fitting.push('2026-01-31T09:30:00Z', '9999-12-31T23:59:59-23:59');
  return fc.oneof(fc.constantFrom(...fitting.map(String)), oddString);
}

const queryOf = (call: Call): fc.Arbitrary<[string, string][]> => {
  const known = call.operation.parameters.filter((it) => it.in === 'query');
  const pair = fc.oneof(
    ...known.map((parameter) => fc.tuple(fc.constant(parameter.name), queryValue(parameter))),
    ...(known.length === 0 ? [fc.tuple(oddName, oddString)] : []),
    fc.tuple(fc.constantFrom<string>('unheardOf', 'limit', 'dryRun'), oddString),
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 3, arbitrary: fc.array(pair, { maxLength: 4 }) },
  );
};

const headerNames = [
  'Accept',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Account-Id',
  'X-API-Key',
  'Cookie',
  'Origin',
  'Range',
  'Last-Event-ID',
  'X-Request-Id',
  'X-Forwarded-For',
];
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...headerNames), oddString.map(inHeader), { maxKeys: 2 }),
  },
);

const contentType = fc.oneof(
  { weight: 15, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data', 'x'),
  },
);

const bodyOf = (call: Call): fc.Arbitrary<OddRequest['body']> => {
  if (call.method === 'GET') return fc.constant(null);
  const bases = exampleBodies(call).map(([, body]) => body ?? {});
  const body = fc.tuple(fc.constantFrom(...bases), fc.array(change, { maxLength: 3 }), textChange);
  const written = body.map(([base, changes, asText]) => {
    const text = JSON.stringify(changed(base, changes)) ?? '';
    return textChanges[asText]?.(text) ?? text;
  });
  return call.operation.requestBody === undefined
    ? fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: written })
    : fc.oneof({ weight: 20, arbitrary: written }, { weight: 1, arbitrary: fc.constant(null) });
};

const requestOf = (call: Call): fc.Arbitrary<OddRequest> =>
  fc
    .record({
      path: pathOf(call),
      query: queryOf(call),
      headers,
      type: contentType,
      body: bodyOf(call),
      credential: fc.oneof(
        { weight: 8, arbitrary: fc.constant('right' as const) },
        { weight: 1, arbitrary: fc.constantFrom('none' as const, 'made up' as const) },
      ),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(call.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'REPORT'),
        },
      ),
    })
    .map(({ path, query, type, body, method, ...rest }) => {
      const search = query.map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`).join('&');
      const isBodiless = method === 'GET' || body === null;
      return {
        ...rest,
        operationId: call.operation.operationId,
        method,
        isRouted: path.isRouted && method === call.method,
        isRepeated: new Set(query.map(([name]) => name)).size < query.length,
        path: search === '' ? path.path : `${path.path}?${search}`,
        headers: isBodiless ? rest.headers : { ...rest.headers, 'Content-Type': type },
        body: isBodiless ? null : body,
      };
    });

/** A request to any operation of the document. */
export const oddRequest: fc.Arbitrary<OddRequest> = fc.oneof(...calls.map(requestOf));

const byName = new Map(calls.map((call) => [call.operation.operationId, call]));

export function callNamed(operationId: string): Call {
  const call = byName.get(operationId);
  if (call === undefined) throw new Error(`no operation ${operationId}`);
  return call;
}
