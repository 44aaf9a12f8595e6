import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { callbackHeaders, newWebhookSecret } from '../../src/worker/features/webhooks/delivery/signature.ts';

/*
 * The receivers that docs/guide/receivers.md gives away, as they stand there, against callbacks that the gateway itself has signed.
 */

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(projectRoot, 'docs', 'guide', 'receivers.md'), 'utf8');
// Inside the project, so that the receivers find its packages.
const scratchRoot = join(projectRoot, 'node_modules', '.cache', 'heliograph');
mkdirSync(scratchRoot, { recursive: true });
const scratch = mkdtempSync(join(scratchRoot, 'receivers-'));
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

/** The code block of docs/guide/receivers.md that begins with this line. */
function codeBlock(firstLine: string): string {
  const block = page.split(/^```/m).find((part) => part.split('\n')[1]?.includes(firstLine));
  if (block === undefined) throw new Error(`docs/guide/receivers.md has no ${firstLine}`);
  return block.slice(block.indexOf('\n') + 1);
}

const body = JSON.stringify({
  id: 'evt_1',
  event: 'message.received',
  data: { from: '1', text: 'ünicode 😀' },
});
const [secret, old] = [newWebhookSecret(), newWebhookSecret()];
const facts = { body, event: 'message.received', eventId: 'evt_1', deliveryId: 'd', attempt: 1 };
const headersOf = (current: string, previous: string | null = null, at = Date.now()) =>
  callbackHeaders({ current, previous }, { ...facts, at });

/** What every receiver must take and refuse; `post` gives the status that it answers. */
async function expectCareful(post: (headers: Record<string, string>, text: string) => Promise<number>) {
  expect(await post(headersOf(secret), body)).toBe(204);
  expect(await post(headersOf(newWebhookSecret(), secret), body)).toBe(204);
  expect(await post(headersOf(old), body)).toBe(400);
  expect(await post(headersOf(secret), `${body} `)).toBe(400);
  expect(await post(headersOf(secret, null, Date.now() - 301_000), body)).toBe(400);
  const { 'X-Service-Signature': _signature, ...unsigned } = headersOf(secret);
  expect(await post(unsigned, body)).toBe(400);
}

/** A port of this machine that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Runs a receiver as a process of its own, and posts to it once it listens. */
async function startedReceiver(command: string, args: (port: number) => string[]) {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  children.push(spawn(command, args(port), { cwd: scratch, env, stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}/webhooks`;
  await expect
    .poll(() =>
      fetch(url, { method: 'HEAD' }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return async (headers: Record<string, string>, text: string) =>
    (await fetch(url, { method: 'POST', headers, body: text })).status;
}

const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;

test('the receiver for Hono takes what is signed and fresh, and nothing else', async () => {
  const file = join(scratch, 'receiver-hono.mjs');
  const sdk = new URL('../../src/sdk/index.ts', import.meta.url).href;
  writeFileSync(file, codeBlock('receiver-hono.js').replace("'heliograph-sdk'", `'${sdk}'`));
  const { default: app } = await import(/* @vite-ignore */ file);
  await expectCareful(async (headers, text) => {
    const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body: text });
    return (await app.fetch(request, { WEBHOOK_SECRET: secret })).status;
  });
});

test.runIf(isInstalled('python3'))(
  'the receiver in Python takes what is signed and fresh, and nothing else',
  async () => {
    const file = join(scratch, 'receiver.py');
    writeFileSync(file, codeBlock('receiver.py'));
    await expectCareful(await startedReceiver('python3', () => [file]));
  },
);

test.runIf(isInstalled('php'))(
  'the receiver in PHP takes what is signed and fresh, and nothing else',
  async () => {
    const file = join(scratch, 'receiver.php');
    writeFileSync(file, codeBlock('receiver.php'));
    await expectCareful(await startedReceiver('php', (port) => ['-S', `127.0.0.1:${port}`, file]));
  },
);

test('the example of a signature is what the gateway signs, and what openssl makes of it', () => {
  const example = codeBlock("secret='whsec_");
  const shown = /# ([0-9a-f]{64})/.exec(example)?.[1];
  expect(execFileSync('sh', ['-c', example]).toString().trim()).toBe(shown);
  const [, current = ''] = /secret='(.*)'/.exec(example) ?? [];
  const [, text = ''] = /body='(.*)'/.exec(example) ?? [];
  const [, timestamp = ''] = /timestamp='(.*)'/.exec(example) ?? [];
  const headers = callbackHeaders(
    { current, previous: null },
    { ...facts, body: text, at: Date.parse(timestamp) },
  );
  expect(headers['X-Service-Signature']).toBe(shown);
});
