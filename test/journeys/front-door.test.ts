import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestJson } from '../../src/local/json-client.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { freePorts } from '../free-ports.ts';
import { waitUntil } from '../wait-until.ts';
import { GatewayProcess } from './stage/gateway-process.ts';

const run = promisify(execFile);

let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await GatewayProcess.start({ HELIOGRAPH_DEMO: '1' });
  await waitUntil('The demo did not end', async () =>
    gateway.terminalText.includes('Ctrl-C stops everything') ? true : null,
  );
});
afterAll(() => gateway?.discard());

const port = () => Number(gateway.environment.PORT);

/** Sends bytes as they are, and resolves all that comes back until the other end closes, or `enough` of it. */
function raw(bytes: string | Buffer, enough: (answer: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port: port(), host: '127.0.0.1' }, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (enough(answer)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

async function ownerHeaders(): Promise<Record<string, string>> {
  const { baseUrl, admin } = gateway.local;
  const { token } = await requestJson<{ token: string }>(baseUrl, 'POST', '/v1/auth/login', { body: admin });
  return { authorization: `Bearer ${token}` };
}

describe('what a newcomer does first', () => {
  test('the path to a webhook of their own works as the README has it, from the command to the verified event', async () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    const block = readme.split(/^```/m).find((part) => part.split('\n')[1] === '// my-receiver.mjs') ?? '';
    const { port: receiverPort } = await freePorts();
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-receiver-'));
    const code = block.slice(block.indexOf('\n') + 1).replace('3000', String(receiverPort));
    writeFileSync(join(folder, 'my-receiver.mjs'), code);
    let receiver: ChildProcess | null = null;
    try {
      const shown = await run(process.execPath, ['scripts/webhook.js', `http://127.0.0.1:${receiverPort}`], {
        cwd: projectRoot,
        env: { ...process.env, HELIOGRAPH_HOME: gateway.home },
      });
      const secret = /WEBHOOK_SECRET=(whsec_\S+)/.exec(shown.stdout)?.[1] ?? '';
      receiver = spawn(process.execPath, ['my-receiver.mjs'], {
        cwd: folder,
        env: { ...process.env, WEBHOOK_SECRET: secret },
      });
      let received = '';
      receiver.stdout?.on('data', (chunk) => {
        received += chunk;
      });
      await waitUntil('The receiver does not listen', async () => {
        const answer = await fetch(`http://127.0.0.1:${receiverPort}`, { method: 'POST', body: '{}' }).catch(
          () => null,
        );
        return answer?.status === 400 ? true : null;
      });
      const curl = shown.stdout.slice(shown.stdout.indexOf('curl -X POST'));
      const { stdout } = await run('/bin/sh', ['-c', curl]);
      const { messageId } = JSON.parse(stdout);
      for (const step of ['queued', 'sent', 'delivered', 'read'])
        await waitUntil(`${step} did not arrive`, async () =>
          received.includes(`signature verified ✓ message.${step}`) ? true : null,
        );
      // The terminal of the gateway shows it too.
      await waitUntil('The terminal does not show it', async () =>
        new RegExp(`message\\.read +signature verified ✓ +${messageId}`).test(gateway.terminalText)
          ? true
          : null,
      );
      expect(gateway.terminalText).toContain(`${gateway.local.baseUrl}/docs`);
      expect(gateway.terminalText).toContain('npm run webhook http://127.0.0.1:3000');
    } finally {
      receiver?.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  });

  test('the command for an address that is registered already shows a new secret, and registers no second one', async () => {
    const { port: receiverPort } = await freePorts();
    const url = `http://127.0.0.1:${receiverPort}`;
    const secrets: string[] = [];
    for (const _ of ['first', 'again']) {
      const { stdout } = await run(process.execPath, ['scripts/webhook.js', url], {
        cwd: projectRoot,
        env: { ...process.env, HELIOGRAPH_HOME: gateway.home },
      });
      secrets.push(/WEBHOOK_SECRET=(whsec_\S+)/.exec(stdout)?.[1] ?? '');
    }
    expect(new Set(secrets).size).toBe(2);
    const { data } = await requestJson<{ data: { url: string; previousSecretExpiresAt: string | null }[] }>(
      gateway.local.baseUrl,
      'GET',
      '/v1/webhooks?limit=100',
      { headers: await ownerHeaders() },
    );
    const registered = data.filter((one) => one.url.startsWith(url));
    expect(registered).toMatchObject([{ previousSecretExpiresAt: expect.any(String) }]);
  });

  test('the command says what is wrong where no gateway runs, and where the address may not be called', async () => {
    const refusedBy = (url: string, home: string) =>
      run(process.execPath, ['scripts/webhook.js', url], {
        cwd: projectRoot,
        env: { ...process.env, HELIOGRAPH_HOME: home },
      }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await refusedBy('http://127.0.0.1:3000', '/nowhere')).toContain('No gateway is running');
    expect(await refusedBy('http://10.0.0.1', gateway.home)).toContain('url: Only https is allowed.');
  });
});

describe('what is no valid HTTP', () => {
  const host = () => `Host: 127.0.0.1:${port()}\r\n`;

  test('a login whose chunk has the wrong size answers 400, and no log holds its password', async () => {
    const password = 'a-very-private-password';
    const answer = await raw(
      `POST /v1/auth/login HTTP/1.1\r\n${host()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `5\r\n{"email":"admin@heliograph.local","password":"${password}"}\r\n0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/connection: close/i);
    for (const { name, text } of gateway.logs()) expect(text, name).not.toContain(password);
  });

  test.for([
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['a host that is none', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a host with an impossible port', 'GET /healthz HTTP/1.1\r\nHost: a:99999\r\n\r\n'],
    ['a host with half an address', 'GET /healthz HTTP/1.1\r\nHost: [::::]\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a length that is none', 'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n{}'],
    ['a negative length', 'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n{}'],
    [
      'two lengths',
      'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a request to another proxy', 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\r\n\r\n'],
  ] as const)('%s answers 400', async ([, bytes]) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const { error } = JSON.parse(body);
    expect(error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'This is not a valid HTTP request.',
      requestId: expect.stringMatching(/^req_[0-9a-f-]{36}$/),
    });
    expect(head).toContain(`x-request-id: ${error.requestId}`);
  });

  test('chunk extensions, which mean nothing, are passed over', async () => {
    const answer = await raw(
      `POST /v1/auth/login HTTP/1.1\r\n${host()}Content-Type: application/json\r\nConnection: close\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n2;name=value\r\n{}\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('This field is required.');
  });

  test('a refusal before the body was read leaves the connection as it was', async () => {
    const size = 3_000_000;
    const answer = await raw(
      Buffer.from(
        `POST /v1/numbers HTTP/1.1\r\n${host()}Content-Type: application/json\r\nContent-Length: ${size}\r\n\r\n` +
          `${'x'.repeat(size)}GET /healthz HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`,
      ),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('a client that hangs up within its body is not logged as a fault', async () => {
    const before = gateway.logs().find(({ name }) => name === 'gateway.log')?.text.length ?? 0;
    const { apiKey } = gateway.local;
    const socket = connect({ port: port(), host: '127.0.0.1' });
    socket.write(
      `POST /v1/messages/send HTTP/1.1\r\n${host()}X-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 100\r\n\r\n{"to":',
      () => socket.destroy(),
    );
    const logged = await waitUntil('The request was not logged', async () => {
      const text =
        gateway
          .logs()
          .find(({ name }) => name === 'gateway.log')
          ?.text.slice(before) ?? '';
      return text.includes('CLIENT_GONE') ? text : null;
    });
    expect(logged).not.toContain('request.failed');
  });

  test('the address of a client is that of its connection, whatever it claims', async () => {
    const { baseUrl } = gateway.local;
    const headers = { ...(await ownerHeaders()), 'cf-connecting-ip': '198.51.100.1' };
    await requestJson(baseUrl, 'PATCH', '/v1/settings', { headers, body: { stickyHours: 3 } });
    const { data } = await requestJson<{ data: { action: string; address: string }[] }>(
      baseUrl,
      'GET',
      '/v1/audit-log?limit=10',
      { headers },
    );
    expect(data.find(({ action }) => action === 'settings.updated')?.address).toBe('127.0.0.1');
  });
});
