import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { expect } from 'vitest';
import type { KeyScope } from '../../../src/contract/key-scopes.ts';
import type { CallerKind } from '../../../src/worker/openapi/security.ts';
import { type Answer, ask } from '../front-door.ts';

interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; summary?: string; value?: unknown }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: string | number;
}

interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  'x-callers': CallerKind[];
  'x-scope'?: KeyScope;
  parameters: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { description: string; content?: Record<string, MediaType> }>;
}

/** What the tests read of the document. */
export interface ServedDocument {
  openapi: string;
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: { schemas: Record<string, Schema>; examples: Record<string, { value: unknown }> };
}

/** The document as anybody gets it. */
export const served = await getDocument();

async function getDocument(): Promise<ServedDocument> {
  const { status, body, text } = await ask<ServedDocument>('GET', '/openapi.json');
  if (status !== 200) throw new Error(`/openapi.json is answered ${status}, see the log: ${text}`);
  return body;
}

export interface Call {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

export const calls: Call[] = Object.entries(served.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** Fields that are not documented count as mistakes here, though clients are told to ignore them. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isObjectSchema = copy.type === 'object' && 'properties' in copy;
  return isObjectSchema && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

const documentUrl = 'https://gateway.test/openapi.json';
/** All schemas by their addresses: to look through the components takes longer than most values. */
const known = dereference({ $id: documentUrl, components: { schemas: closed(served.components.schemas) } });
const schemas = new WeakMap<Schema, Schema>();
let addresses = 0;

/** What is wrong with the value by the schema; empty when it fits. */
export function misfits(schema: Schema, value: unknown): string[] {
  const { valid, errors } = validate(value, addressed(schema), '2020-12', known, false);
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

/** The schema with an address of its own, and that of the document in its references. */
function addressed(schema: Schema): Schema {
  const before = schemas.get(schema);
  if (before !== undefined) return before;
  const made: Schema = JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', `"${documentUrl}#/`));
  dereference(made, known, new URL(`https://gateway.test/${addresses}`));
  addresses += 1;
  schemas.set(schema, made);
  return made;
}

/** The examples of a media type, with references followed. */
export function examplesOf({ example, examples = {} }: MediaType): Record<string, unknown> {
  const named = Object.entries(examples).map(([name, { $ref, value }]) => [
    name,
    $ref === undefined ? value : served.components.examples[$ref.split('/').at(-1) ?? '']?.value,
  ]);
  return Object.fromEntries(example === undefined ? named : [...named, ['example', example]]);
}

const fileType = 'application/octet-stream';

/** The answer has a documented status, a documented body, and if it is an error a documented code. */
export function expectDocumented({ method, path, operation }: Call, answer: Answer): void {
  const what = `${method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
  const response = operation.responses[String(answer.status)];
  expect(Object.keys(operation.responses), what).toContain(String(answer.status));
  expect(answer.headers.get('X-Request-Id'), what).toMatch(/^req_[0-9a-f-]{36}$/);
  const content = response?.content;
  if (content === undefined) {
    expect(answer.text, what).toBe('');
    return;
  }
  const type = (answer.headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const media = content[type];
  // A file comes under its own type.
  if (!(fileType in content)) expect(Object.keys(content), what).toContain(type);
  if (media === undefined || type !== 'application/json') return;
  expect(misfits(media.schema, answer.body), what).toEqual([]);
  if (answer.status >= 400 && 'error' in answer.body) {
    const { code } = answer.body.error as { code: string };
    expect(Object.keys(examplesOf(media)), what).toContain(code);
  }
}
