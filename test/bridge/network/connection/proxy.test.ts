import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { defaultSessionSettings } from '../../../../src/contract/bridge/session-settings.ts';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

const credentials = 'user:secret-of-the-proxy';

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.atEnd(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy that lets through who knows the credentials; `through` counts them. */
async function httpProxy() {
  const proxy = { url: '', through: 0 };
  const server = createServer();
  server.on('connect', (request, client: Socket) => {
    const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    proxy.through += 1;
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const end of [client, upstream]) end.on('error', () => client.destroy());
  });
  proxy.url = `http://${credentials}@127.0.0.1:${await listening(server)}`;
  return proxy;
}

/** The least of SOCKS 5 (RFC 1928): no credentials, addresses by IPv4 or by name. */
async function socksProxy() {
  const proxy = { url: '', through: 0 };
  const server = createTcpServer(async (client) => {
    client.on('error', () => client.destroy());
    await once(client, 'data');
    client.write(Buffer.from([5, 0]));
    const [request] = (await once(client, 'data')) as [Buffer];
    const byName = request[3] === 3;
    const length = request[4] ?? 0;
    const host = byName ? request.subarray(5, 5 + length).toString() : [...request.subarray(4, 8)].join('.');
    const port = request.readUInt16BE(byName ? 5 + length : 8);
    proxy.through += 1;
    const upstream = connect(port, host, () => {
      client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
  });
  proxy.url = `socks5://127.0.0.1:${await listening(server)}`;
  return proxy;
}

async function goThrough(number: FakeNumber, proxyUrl: string | null): Promise<void> {
  const before = number.factsOf('session.connected').length;
  number.want({ type: 'session.start', settings: { ...defaultSessionSettings, proxyUrl } });
  await until('it reconnects', () => number.factsOf('session.connected').length > before);
}

test.each([
  ['HTTP', httpProxy],
  ['SOCKS', socksProxy],
])(
  'a number reaches the network through its %s proxy from the moment on that it is set, and not after',
  async (_, open) => {
    const { number } = await stage.pairedNumber(stage.bridgeId);
    const proxy = await open();
    await goThrough(number, proxy.url);
    expect(proxy.through).toBe(1);
    expect(number.factsOf('session.disconnected').at(-1)?.reason).toBe('proxy_changed');
    const [message] = number.send({ to: newPhone(), text: 'by another way' });
    await until('it is sent', () => message && number.outcomeOf(message));
    await goThrough(number, null);
    expect(proxy.through).toBe(1);
  },
);

test('a proxy that does not let the number through is a lost connection, and its password is in no log', async () => {
  const { number } = await stage.pairedNumber(stage.bridgeId);
  const proxy = await httpProxy();
  const wrong = proxy.url.replace('user:secret', 'user:wrong-secret');
  const closed = () =>
    stage.logLines.filter((line) => line.includes(number.numberId) && line.includes('"session.closed"'));
  const before = closed().length;
  number.want({ type: 'session.start', settings: { ...defaultSessionSettings, proxyUrl: wrong } });
  await expect.poll(() => closed().length).toBeGreaterThan(before + 1);
  expect(number.factsOf('session.ended')).toEqual([]);
  await goThrough(number, proxy.url);
  expect(proxy.through).toBe(1);
  expect(stage.logLines.join('')).not.toContain('secret-of-the-proxy');
});
