import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { bridgeProtocolVersion } from '../../../src/contract/bridge/bridge-frames.ts';
import { readConfig } from '../../../src/session-bridge/config.ts';
import { ControlLink } from '../../../src/session-bridge/edge/control-link.ts';
import { Grants } from '../../../src/session-bridge/edge/grants.ts';
import { LeaseClock } from '../../../src/session-bridge/edge/lease-clock.ts';
import { BridgeCounting } from '../../../src/session-bridge/health/counting.ts';

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
    log: pino({ level: 'silent' }),
    heldLeases: () => [],
    leaseClock,
    grants: new Grants(),
    counting: new BridgeCounting(),
    onWelcome: () => welcomed.resolve(),
    onGranted: () => {},
    onRevoked: () => {},
    onExpired: () => {},
  });
  onTestFinished(() => {
    link.close();
    for (const client of server.clients) client.terminate();
    server.close();
  });
  // The second comes once the answer to the first is there.
  await expect.poll(() => answered).toBeGreaterThan(1);
  expect(leaseClock.isValid).toBe(false);
  for (const client of server.clients) {
    client.send(JSON.stringify({ type: 'bridge.welcome', version: bridgeProtocolVersion }));
  }
  await welcomed.promise;
  await expect.poll(() => leaseClock.isValid).toBe(true);
});
