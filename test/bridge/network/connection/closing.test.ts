import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { WASocket } from '@whiskeysockets/baileys';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { writeWhenAllowed } from '../../../../src/session-bridge/network/client/make-client.ts';
import { waitUntil } from '../../../wait-until.ts';

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

test('what a connection was about to say is not said when its lease has ended meanwhile, and goes out once, in order, when that is certain again', async () => {
  const network = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const client of network.clients) client.terminate();
    network.close();
  });
  await once(network, 'listening');
  const heard: string[] = [];
  network.on('connection', (peer) => peer.on('message', (data) => heard.push(String(data))));
  const socket = new WebSocket(`ws://127.0.0.1:${(network.address() as AddressInfo).port}`);
  await once(socket, 'open');
  let isOpen = true;
  const opens: (() => void)[] = [];
  writeWhenAllowed({ ws: { socket } } as unknown as WASocket, (write) => write(), {
    get isOpen() {
      return isOpen;
    },
    onceOpen: (action) => opens.push(action),
  });
  socket.send('before it stood still');
  isOpen = false;
  // What the network answers to comes after all that was written before.
  const answered = once(socket, 'pong');
  await new Promise((resolve) => process.nextTick(resolve));
  socket.ping();
  await answered;
  expect(heard).toEqual([]);
  socket.send('after');
  isOpen = true;
  for (const open of opens.splice(0)) open();
  await waitUntil('It was not said', async () => (heard.length === 2 ? true : null));
  expect(heard).toEqual(['before it stood still', 'after']);
});

test('what a connection had ready when its process stood still past the lease is dropped with the connection', async () => {
  const network = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => network.close());
  await once(network, 'listening');
  const heard: string[] = [];
  const left = new Promise((resolve) => {
    network.on('connection', (peer) => {
      peer.on('message', (data) => heard.push(String(data)));
      peer.on('close', resolve);
    });
  });
  const socket = new WebSocket(`ws://127.0.0.1:${(network.address() as AddressInfo).port}`);
  await once(socket, 'open');
  const answers = [true];
  writeWhenAllowed({ ws: { socket } } as unknown as WASocket, (write) => write(), {
    get isOpen() {
      return answers.shift() ?? false;
    },
    onceOpen: () => {},
  });
  socket.send('ready, and never said');
  await once(socket, 'close');
  await left;
  expect(heard).toEqual([]);
});
