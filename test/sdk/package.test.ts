import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callbackHeaders, newWebhookSecret } from '../../src/worker/features/webhooks/delivery/signature.ts';
import { faultyGateway, json, refusal } from './faulty-gateway.ts';

/*
 * The package as a customer gets it: packed, and installed into a folder that knows nothing of this project.
 */

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'heliograph-sdk-'));
const built = join(scratch, 'built');
const customer = join(scratch, 'customer');
const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
const run = promisify(execFile);

const npm = (cwd: string, ...args: string[]) =>
  execFileSync('npm', [...args, ...quiet], { cwd, encoding: 'utf8' });

beforeAll(() => {
  execFileSync(process.execPath, [join(projectRoot, 'scripts', 'build', 'sdk.js'), built]);
  npm(scratch, 'pack', built);
  const [tarball = ''] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'));
  mkdirSync(customer);
  writeFileSync(join(customer, 'package.json'), '{"name": "customer", "private": true}');
  npm(customer, 'install', join(scratch, tarball));
}, 180_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const useIt = `
const sent = await client.messages.send({ to: '628123456789', text: 'hello' });
const refused = await client.messages.get('msg_2').catch((error) => error);
const body = process.env.BODY;
const event = await verifyWebhook(body, JSON.parse(process.env.HEADERS), process.env.SECRET);
console.log(JSON.stringify({ sent, isNotFound: refused instanceof NotFoundError, code: refused.code, event: event.event }));
`;
const names = '{ Heliograph, NotFoundError, verifyWebhook }';
const newClient = "const client = new Heliograph({ baseUrl: process.env.BASE_URL, apiKey: 'sk_live_test' });";

test.for([
  ['an ES module', 'send.mjs', `import ${names} from 'heliograph-sdk';\n${newClient}${useIt}`],
  [
    'CommonJS',
    'send.cjs',
    `const ${names} = require('heliograph-sdk');\n${newClient}\n(async () => {${useIt}})();`,
  ],
])('the installed package sends and verifies from %s', async ([, file = '', source = '']) => {
  writeFileSync(join(customer, file), source);
  const gateway = await faultyGateway(
    refusal(503, 'NO_HEALTHY_SENDER'),
    json(202, { messageId: 'msg_1' }),
    refusal(404, 'NOT_FOUND'),
  );
  const secret = newWebhookSecret();
  const body = JSON.stringify({ id: 'evt_1', event: 'message.sent', data: {} });
  const facts = {
    body,
    event: 'message.sent',
    eventId: 'evt_1',
    deliveryId: 'd',
    attempt: 1,
    at: Date.now(),
  };
  const headers = callbackHeaders({ current: secret, previous: null }, facts);
  const { stdout } = await run(process.execPath, [file], {
    cwd: customer,
    env: { BASE_URL: gateway.baseUrl, BODY: body, SECRET: secret, HEADERS: JSON.stringify(headers) },
  });
  expect(JSON.parse(stdout)).toEqual({
    sent: { messageId: 'msg_1' },
    isNotFound: true,
    code: 'NOT_FOUND',
    event: 'message.sent',
  });
  expect(gateway.heard).toHaveLength(3);
});

const typedUse = `
import { ApiError, Heliograph, verifyWebhook, type WebhookEvent } from 'heliograph-sdk';

export async function use(): Promise<string> {
  const client = new Heliograph({ baseUrl: 'http://localhost', apiKey: 'sk_live_…', retryForMs: 5_000 });
  const { messageId } = await client.messages.send({ to: '628123456789', text: 'hello' });
  const person = await Heliograph.login({ baseUrl: 'http://localhost', email: 'a@b.c', password: 'p', code: '1' });
  const { secret } = await person.webhooks.create({ url: 'https://example.com', numberIds: 'all', events: 'all' });
  const role: 'owner' | 'admin' | 'agent' = person.session.account.role;
  try {
    for await (const event of client.events.follow()) if (event.event === 'message.received') return event.data.from;
  } catch (error) {
    if (error instanceof ApiError) return error.code + error.requestId + error.details.length;
  }
  const event: WebhookEvent = await verifyWebhook('{}', new Headers(), secret);
  // @ts-expect-error: there is no such field
  client.messages.send({ to: '628123456789', txt: 'hello' });
  return messageId + role + event.id;
}
`;

test('its types hold for ES modules and for CommonJS, with those of Node or of the web', async () => {
  writeFileSync(join(customer, 'typed.mts'), typedUse);
  writeFileSync(join(customer, 'typed.cts'), typedUse);
  const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
  const common = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
    '--module',
    'nodenext',
  ];
  const runtimes = [
    ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(projectRoot, 'node_modules', '@types')],
    ['--lib', 'es2022,dom,dom.iterable', '--types', ''],
  ];
  for (const runtime of runtimes) {
    const checked = await run(tsc, [...common, ...runtime, 'typed.mts', 'typed.cts'], {
      cwd: customer,
    }).catch((error: { stdout: string }) => error);
    expect(checked.stdout).toBe('');
  }
});

test('the built folder installs as well', async () => {
  const neighbour = join(scratch, 'neighbour');
  mkdirSync(neighbour);
  writeFileSync(join(neighbour, 'package.json'), '{"name": "neighbour", "private": true}');
  npm(neighbour, 'install', built);
  const source = "import('heliograph-sdk').then(({ Heliograph }) => console.log(typeof Heliograph.login))";
  expect((await run(process.execPath, ['-e', source], { cwd: neighbour })).stdout).toBe('function\n');
});

test('it brings no dependency, no script and no source', () => {
  const installed = join(customer, 'node_modules', 'heliograph-sdk');
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('scripts');
  expect(manifest).not.toHaveProperty('dependencies');
  expect(readdirSync(join(customer, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'heliograph-sdk',
  ]);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
});

test('the types of the package need no newer TypeScript than what its customers have', () => {
  const folder = join(customer, 'node_modules', 'heliograph-sdk');
  const types = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.d.ts'),
  );
  expect(types.length).toBeGreaterThan(20);
  // `Uint8Array` has a parameter since 5.7 alone, and `Buffer` of the types of Node 22 is none of an `ArrayBuffer`.
  const newer = types.filter((file) => /Uint8Array</.test(readFileSync(join(folder, file), 'utf8')));
  expect(newer).toEqual([]);
});
