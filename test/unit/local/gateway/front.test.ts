import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openFront } from '../../../../src/local/gateway/front.ts';
import { knownHosts } from '../../../../src/local/gateway/front-rules.ts';

/** What came through to the runtime. */
const seen: IncomingMessage[] = [];
let runtime: Server;
let front: Server[];
let isDiskFull = false;
/** A connection that has been used already is closed by the runtime the moment that something more comes. */
let closesUsedOnes = false;

beforeAll(async () => {
  const used = new WeakSet<Duplex>();
  runtime = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    if (closesUsedOnes) used.add(request.socket);
    seen.push(request);
    response.end('from the runtime');
  });
  runtime.on('upgrade', (request, socket) => {
    seen.push(request);
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  await new Promise<void>((resolve) => runtime.listen(0, '127.0.0.1', resolve));
  front = await openFront({
    port: 0,
    hosts: ['127.0.0.1'],
    runtime: new URL(`http://127.0.0.1:${(runtime.address() as AddressInfo).port}`),
    addressHeader: undefined,
    isKnownHost: knownHosts({
      publicUrl: 'https://gateway.example',
      publicHosts: [],
      listens: ['127.0.0.1'],
    }),
    isDiskFull: () => isDiskFull,
    checksumSecrets: ['x'.repeat(32)],
  });
});
beforeEach(() => {
  seen.length = 0;
  vi.spyOn(console, 'log').mockImplementation(() => {});
  return () => vi.restoreAllMocks();
});
afterAll(() => {
  for (const server of [runtime, ...front]) {
    server.close();
    server.closeAllConnections();
  }
});

/** Sends a head as it is, and resolves all that comes back. */
function raw(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const [port = 0] = front.map((server) => (server.address() as AddressInfo).port);
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(`${head}\r\n\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';

test.for(['Connection: close', upgrade])(
  'of what belongs to the runtime nothing passes (%s)',
  async (connection) => {
    for (const target of [
      '/cdn-cgi/local/r2/public/media/x',
      '/./cdn-cgi/x',
      '//cdn-cgi/x',
      '/%63dn-cgi/x',
      '/\\cdn-cgi/x',
    ]) {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${connection}`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*"code":"NOT_FOUND"/);
    }
    for (const target of ['http://localhost/cdn-cgi/x', 'localhost/cdn-cgi/x']) {
      const answer = await raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${connection}`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(seen).toEqual([]);
  },
);

test.for(['Connection: close', upgrade])(
  'headers that the runtime obeys are left out, in whatever case (%s)',
  async (connection) => {
    await raw(
      `GET /x HTTP/1.1\r\nHost: gateway.example\r\nMF-Original-URL: http://localhost/metrics\r\nmf-cf-blob: {}\r\n` +
        `Mf-Route-Override: steward\r\nCF-Worker: a\r\nCF-Connecting-IP: 198.51.100.1\r\nX-Own: yes\r\n${connection}`,
    );
    const [request] = seen;
    expect(Object.keys(request?.headers ?? {}).filter((name) => /^(mf|cf)-/.test(name))).toEqual([
      'cf-connecting-ip',
    ]);
    expect(request?.headers).toMatchObject({ 'cf-connecting-ip': '127.0.0.1', 'x-own': 'yes' });
  },
);

test.for(['Connection: close', upgrade])('it answers to no host but its own (%s)', async (connection) => {
  const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: evil.example\r\n${connection}`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*PUBLIC_HOSTS/);
  expect(answer).not.toContain('evil');
  expect(seen).toEqual([]);
});

test('a body in a transfer coding that nobody knows is refused, and does not come through', async () => {
  for (const coding of ['rot13, chunked', 'gzip, chunked']) {
    const head = `POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: ${coding}`;
    expect(await raw(`${head}\r\n\r\n0`), coding).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(seen).toEqual([]);
  await raw(
    'POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n0',
  );
  expect(seen).toHaveLength(1);
});

test('a gateway whose disk is almost full is not ready, whatever its runtime says', async () => {
  const ask = () => raw('GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close');
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
  isDiskFull = true;
  expect(await ask()).toMatch(/^HTTP\/1\.1 503 [\s\S]*"not ready"/);
  expect(await raw('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close')).toMatch(
    /^HTTP\/1\.1 200 /,
  );
  isDiskFull = false;
});

test('what is read is asked again where the connection to the runtime was closed meanwhile, and what changes something is not', async () => {
  const ask = (method: string, body?: string) => {
    const [port = 0] = front.map((server) => (server.address() as AddressInfo).port);
    return fetch(`http://127.0.0.1:${port}/x`, { method, body: body ?? null });
  };
  closesUsedOnes = true;
  onTestFinished(() => {
    closesUsedOnes = false;
  });
  for (const method of ['GET', 'HEAD', 'GET']) {
    // One that is kept, and then used.
    expect((await ask('POST', 'a')).status).toBe(200);
    expect((await ask(method)).status).toBe(200);
  }
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'HEAD', 'POST', 'GET']);
  await ask('POST', 'a');
  await expect(ask('POST', 'b')).rejects.toThrow('fetch failed');
});
