import { expect, test } from 'vitest';
import { eventNames } from '../../../src/contract/events.ts';
import { app } from '../../../src/worker/app.ts';
import { describedOperations } from '../../../src/worker/features/all.ts';
import { requestOf } from '../../../src/worker/openapi/request.ts';
import { ask } from '../front-door.ts';
import { type Call, calls, examplesOf, misfits, served } from './openapi-document.ts';
import { patternsShown } from './shown-patterns.ts';

const operations = await describedOperations();

/** Routes that are no part of the API. */
const internalRoutes = [
  // Session bridges dial in here: a protocol of its own.
  'POST /bridge/enrol',
  'GET /bridge/control',
  'GET /bridge/numbers/{numberId}',
  'GET /bridge/numbers/{numberId}/media/{mediaId}',
  'PUT /bridge/numbers/{numberId}/media/{mediaId}',
  // The command that makes a backup asks these.
  'GET /operator/backup',
  'POST /operator/backup/objects',
  'GET /operator/backup/database',
  'GET /operator/backup/kept',
  'GET /operator/backup/kept/{name}',
  'GET /operator/backup/files/{bucket}',
  'GET /operator/backup/files/{bucket}/{key}{.+}',
  // The command that replaces secrets asks these.
  'GET /operator/secrets',
  'GET /operator/secrets/vaults',
  // The files of the reference's page.
  'GET /docs/{file}',
  // The files of the dashboard.
  'GET /dashboard/{file}',
  'GET /dashboard/assets/{file}',
];

test('every route is documented, and what is documented is a route', () => {
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const documented = calls.map(({ method, path }) => `${method} ${path}`);
  expect([...documented, ...internalRoutes].sort()).toEqual([...new Set(routes)].sort());
});

test('the document is OpenAPI 3.1, and every operation has a name of its own', () => {
  expect(served.openapi).toMatch(/^3\.1\./);
  const ids = [...calls.map(({ operation }) => operation), ...callbacks()].map((it) => it.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('no refusal shows a regular expression: every form that a field must have is said in words', () => {
  const shown = operations.flatMap((operation) => {
    const { json, query } = requestOf(operation, app.routes);
    return [json, query].flatMap((schema) =>
      schema === undefined ? [] : patternsShown(schema, operation.id),
    );
  });
  expect(shown).toEqual([]);
});

const callbacks = () => Object.values(served.webhooks).map(({ post }) => post);

/** Every example of a request or an answer, with its schema. */
function* exampleBodies({ path, method, operation }: Pick<Call, 'path' | 'method' | 'operation'>) {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  for (const { content = {} } of bodies.filter((it) => it !== undefined)) {
    for (const [type, media] of Object.entries(content)) {
      const examples = Object.entries(examplesOf(media));
      expect(examples, `${method} ${path} has no example of ${type}`).not.toEqual([]);
      for (const [name, value] of examples) yield { name: `${method} ${path} ${name}`, media, value };
    }
  }
}

test('every request and every answer has examples, and they fit their schemas', () => {
  const events = Object.entries(served.webhooks).map(([path, { post }]) => ({
    path,
    method: 'on',
    operation: post,
  }));
  const misfitting = [...calls, ...events]
    .flatMap((call) => [...exampleBodies(call)])
    .map(({ name, media, value }) => ({ name, misfits: misfits(media.schema, value) }))
    .filter(({ misfits }) => misfits.length > 0);
  expect(misfitting).toEqual([]);
});

interface Described {
  description?: string;
  $ref?: string;
  properties?: Record<string, Described>;
  oneOf?: Described[];
  anyOf?: Described[];
  items?: Described;
}

const variants = ({ oneOf = [], anyOf = [], items }: Described) => [
  ...oneOf,
  ...anyOf,
  ...(items === undefined ? [] : [items]),
];

function* undescribed(schema: Described, at: string): Generator<string> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.description === undefined) yield `${at}.${name}`;
    yield* undescribed(property, `${at}.${name}`);
  }
  for (const variant of variants(schema)) yield* undescribed(variant, at);
}

function* paths(schema: Described, prefix = ''): Generator<string> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield `${prefix}${name}`;
    yield* paths(property, `${prefix}${name}.`);
  }
  for (const variant of variants(schema)) yield* paths(variant, prefix);
}

test('every field of a request and every parameter says what it means', () => {
  const requests = Object.entries(served.components.schemas).filter(([name]) => name.endsWith('Request'));
  expect(requests.length).toBeGreaterThan(5);
  const fields = requests.flatMap(([name, schema]) => [...undescribed(schema as Described, name)]);
  const parameters = calls.flatMap(({ operation }) =>
    operation.parameters
      .filter(({ description }) => description === undefined)
      .map(({ name }) => `${operation.operationId}: ${name}`),
  );
  expect([...fields, ...parameters]).toEqual([]);
});

test('what is said of a field is said of one that is there', () => {
  const stale = operations.flatMap(({ id, fields = {} }) => {
    const schema = served.components.schemas[`${id[0]?.toUpperCase()}${id.slice(1)}Request`];
    const known = schema === undefined ? [] : [...paths(schema as Described)];
    return Object.keys(fields)
      .filter((field) => !known.includes(field))
      .map((field) => `${id}: ${field}`);
  });
  expect(stale).toEqual([]);
});

test('a stream of events says where it begins when it is not told', () => {
  const streams = calls.filter(({ path }) => /^\/v1\/(?:events|conversations\/live)/.test(path));
  expect(streams).toHaveLength(3);
  for (const { path, operation } of streams) {
    const after = operation.parameters.find(({ name }) => name === 'after');
    expect(after?.description, path).toContain('Omitted: start with the oldest event that is kept.');
  }
});

test('a 503 speaks of a pinned key where a key sends, and not where a number asks the network', () => {
  const told = calls.flatMap(({ path, operation }) => {
    const { description = '', content = {} } = operation.responses['503'] ?? {};
    const examples = Object.values(content).flatMap((media) => examplesOf(media).SENDER_UNAVAILABLE ?? []);
    return examples.length === 0 ? [] : [{ path, words: `${description} ${JSON.stringify(examples)}` }];
  });
  expect(told.filter(({ words }) => words.includes('key is pinned')).map(({ path }) => path)).toEqual([
    '/v1/messages/send',
  ]);
  const ofNumbers = told.filter(({ path }) => path.startsWith('/v1/numbers/'));
  expect(ofNumbers.length).toBeGreaterThan(10);
  for (const { path, words } of ofNumbers) {
    expect(words, path).toMatch(/did not answer in time/);
    expect(words, path).toMatch(/The number is not connected/);
    expect(words, path).not.toMatch(/pinned/);
  }
});

test('every event is described with the headers that its receiver verifies', () => {
  expect(Object.keys(served.webhooks).sort()).toEqual([...eventNames].sort());
  for (const operation of callbacks()) {
    expect(operation.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['X-Service-Signature', 'X-Service-Timestamp', 'webhook-signature']),
    );
  }
});

/** Where a page leads, and what it loads. */
const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');

test('the reference is a page that loads nothing from any other host', async () => {
  const page = await ask('GET', '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('Content-Type')).toMatch(/^text\/html/);
  const policy = page.headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  const links = linksOf(page.text).filter((link) => !link.startsWith('#'));
  expect(links).toEqual(
    expect.arrayContaining(['/docs/swagger-ui-bundle.js', '/docs/reference.js', '/docs/first-message']),
  );
  for (const link of new Set(links)) {
    expect(link).toMatch(/^\//);
    const file = await ask('GET', link);
    expect(file.status, link).toBe(200);
    expect(file.text.length, link).toBeGreaterThan(100);
    expect(file.headers.get('X-Content-Type-Options'), link).toBe('nosniff');
    expect(file.headers.get('X-Request-Id'), link).toMatch(/^req_/);
  }
  const missing = await ask('GET', '/docs/missing.js');
  expect(missing).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});

test('the guide is pages of their own, and every link in them leads somewhere', async () => {
  const pages = new Map<string, string>();
  const open = async (path: string) => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const { status, text } = await ask('GET', path);
    expect(status, path).toBe(200);
    pages.set(path, text);
    return text;
  };
  const guide = linksOf(await open('/docs')).filter((link) => /^\/docs\/[\w-]+$/.test(link));
  expect(new Set(guide).size).toBeGreaterThanOrEqual(7);
  for (const path of new Set(guide)) {
    const html = await open(path);
    expect(html).toContain('<html lang="en">');
    expect(html, 'the page of the navigation that is open').toContain(`href="${path}" aria-current="page"`);
    for (const link of linksOf(html).filter((to) => !to.startsWith('https://'))) {
      const [to = '', fragment] = link.split('#');
      const target = await open(to === '' ? path : to);
      if (fragment !== undefined) expect(target, `${path} → ${link}`).toContain(` id="${fragment}"`);
    }
  }
});
