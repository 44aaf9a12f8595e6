import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { bridgeProtocolVersion, linkCloseCodes } from '../../../src/contract/bridge/bridge-frames.ts';
import { defaultTimings, readConfig } from '../../../src/session-bridge/config.ts';
import { ControlLink } from '../../../src/session-bridge/edge/control-link.ts';
import { Grants } from '../../../src/session-bridge/edge/grants.ts';
import { LeaseClock } from '../../../src/session-bridge/edge/lease-clock.ts';
import { BridgeCounting } from '../../../src/session-bridge/health/counting.ts';

/** A link to this edge, with clocks and ears of its own. */
function linkTo(
  server: WebSocketServer | Server,
  leaseClock: LeaseClock,
  onWelcome = () => {},
  log = pino({ level: 'silent' }),
): ControlLink {
  const link = new ControlLink({
    config: readConfig({
      GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      BRIDGE_TOKEN: 'token',
      VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
      BRIDGE_HOME: '/nowhere',
    }),
    bridgeId: 'bridge',
    token: 'token',
    afterCommit: (action) => action(),
    log,
    heldLeases: () => [],
    leaseClock,
    grants: new Grants(),
    counting: new BridgeCounting(),
    onWelcome,
    onGranted: () => {},
    onRevoked: () => {},
    onExpired: () => {},
  });
  onTestFinished(() => {
    link.close();
    if (server instanceof WebSocketServer) for (const client of server.clients) client.terminate();
    server.close();
  });
  return link;
}

test('leases are not certain by the answers of an edge that has not welcomed the bridge yet', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let answered = 0;
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      if (data.toString() !== 'ping') return;
      socket.send('pong');
      answered += 1;
    });
  });
  const leaseClock = new LeaseClock();
  const welcomed = Promise.withResolvers<void>();
  linkTo(server, leaseClock, () => welcomed.resolve());
  // The second comes once the answer to the first is there.
  await expect.poll(() => answered).toBeGreaterThan(1);
  expect(leaseClock.isValid).toBe(false);
  for (const client of server.clients) {
    client.send(JSON.stringify({ type: 'bridge.welcome', version: bridgeProtocolVersion }));
  }
  await welcomed.promise;
  await expect.poll(() => leaseClock.isValid).toBe(true);
});

/** An edge that notes what comes over each link, and answers no ping. */
async function edgeOf(heard: string[][]): Promise<WebSocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket: WebSocket) => {
    const frames: string[] = [];
    heard.push(frames);
    socket.on('message', (data) => {
      if (data.toString() !== 'ping') frames.push(JSON.parse(data.toString()).type);
    });
  });
  return server;
}

test('a link that is lost ends its welcome and what was asked over it', async () => {
  const heard: string[][] = [];
  const server = await edgeOf(heard);
  const leaseClock = new LeaseClock();
  const linkLost = vi.spyOn(leaseClock, 'linkLost');
  const link = linkTo(server, leaseClock);
  await expect.poll(() => heard).toEqual([['bridge.hello']]);
  for (const client of server.clients)
    client.send(JSON.stringify({ type: 'bridge.welcome', version: bridgeProtocolVersion }));
  await expect.poll(() => link.isWelcome).toBe(true);
  expect(linkLost).not.toHaveBeenCalled();
  for (const client of server.clients) client.terminate();
  await expect.poll(() => heard[1]).toEqual(['bridge.hello']);
  expect(link.isWelcome).toBe(false);
  expect(linkLost).toHaveBeenCalledTimes(1);
});

test('a bridge that hands its numbers over says so over every link until it ends', async () => {
  const heard: string[][] = [];
  const server = await edgeOf(heard);
  const link = linkTo(server, new LeaseClock());
  await expect.poll(() => heard).toEqual([['bridge.hello']]);
  link.drain();
  await expect.poll(() => heard).toEqual([['bridge.hello', 'bridge.draining']]);
  for (const client of server.clients) client.terminate();
  await expect.poll(() => heard[1]).toEqual(['bridge.hello', 'bridge.draining']);
});

test.each(['replaced', 'protocolError', 'revoked'] as const)(
  'a link that was closed as %s comes back slowly: at once it would only fight',
  async (why) => {
    const waits: number[] = [];
    const heard: string[][] = [];
    const server = await edgeOf(heard);
    const log = pino({}, { write: (line: string) => waits.push(JSON.parse(line).waitMs) });
    linkTo(server, new LeaseClock(), () => {}, log);
    await expect.poll(() => heard).toEqual([['bridge.hello']]);
    for (const client of server.clients) client.close(linkCloseCodes[why]);
    await expect.poll(() => waits.filter((waitMs) => waitMs !== undefined)).toHaveLength(1);
    expect(waits).toContain(defaultTimings.edgeReconnectCapMs);
  },
);

test('a bridge whose token the gateway does not accept says so in its log, and what to do', async () => {
  const lines: { msg: string; level: number; reason?: string; code: number }[] = [];
  const heard: string[][] = [];
  const server = await edgeOf(heard);
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  linkTo(server, new LeaseClock(), () => {}, log);
  await expect.poll(() => heard).toEqual([['bridge.hello']]);
  for (const client of server.clients) client.close(linkCloseCodes.revoked);
  await expect
    .poll(() => lines.find(({ msg }) => msg === 'edge.token_refused'))
    .toMatchObject({
      level: 50,
      code: linkCloseCodes.revoked,
      reason: expect.stringContaining('with an empty BRIDGE_HOME'),
    });
  for (const status of [401, 403]) {
    const refusing = createServer().listen(0, '127.0.0.1');
    refusing.on('upgrade', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`));
    await once(refusing, 'listening');
    linkTo(refusing, new LeaseClock(), () => {}, log);
    await expect
      .poll(() => lines.find(({ code }) => code === status))
      .toMatchObject({ msg: 'edge.token_refused' });
  }
});
