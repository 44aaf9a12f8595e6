import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { WASocket } from '@whiskeysockets/baileys';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { writeWhenAllowed } from '../../../../src/session-bridge/network/client/write-when-allowed.ts';

test('a connection is over soon though the network does not answer that it is to end', async () => {
  const network = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const client of network.clients) client.terminate();
    network.close();
  });
  await once(network, 'listening');
  network.on('connection', (_, request) => request.socket.pause());
  const socket = new WebSocket(`ws://127.0.0.1:${(network.address() as AddressInfo).port}`);
  await once(socket, 'open');
  const sock = { ws: { socket } } as unknown as WASocket;
  writeWhenAllowed(sock, (write) => write(), { isOpen: true, onceOpen: (action) => action() });
  socket.close();
  // By itself the socket would wait for 30 s.
  await once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
  expect(socket.readyState).toBe(WebSocket.CLOSED);
});
