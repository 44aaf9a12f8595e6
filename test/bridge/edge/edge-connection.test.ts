import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { defaultTimings } from '../../../src/session-bridge/config.ts';
import {
  EdgeConnection,
  type EdgeConnectionOptions,
} from '../../../src/session-bridge/edge/edge-connection.ts';
import type { AfterCommit } from '../../../src/session-bridge/journal/database.ts';

/** What waits for the commit; a test runs it. */
let waiting: (() => void)[];
let server: WebSocketServer;
let received: string[];
let connection: EdgeConnection | null;

beforeEach(async () => {
  waiting = [];
  received = [];
  connection = null;
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});

afterEach(async () => {
  connection?.close();
  commit();
  for (const client of server.clients) client.terminate();
  server.close();
  await once(server, 'close');
});

function commit(): void {
  for (const action of waiting.splice(0)) action();
}

async function connected(
  afterCommit: AfterCommit,
  more: Partial<EdgeConnectionOptions> = {},
): Promise<EdgeConnection> {
  const opened = Promise.withResolvers<void>();
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data) => received.push(data.toString()));
  });
  connection = new EdgeConnection({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'token',
    timings: { ...defaultTimings, keepaliveMs: 3_600_000 },
    afterCommit,
    log: pino({ level: 'silent' }),
    onOpen: () => opened.resolve(),
    onFrame: () => {},
    onClose: () => {},
    afterClose: () => 'stay closed',
    ...more,
  });
  await opened.promise;
  return connection;
}

test('nothing is said to the edge before the journal has committed it, and all of it in order after', async () => {
  const link = await connected((action) => waiting.push(action));
  link.send({ n: 1 });
  link.send({ n: 2 });
  // A ping tells of nothing that a crash could undo.
  link.ping();
  await expect.poll(() => received).toContain('ping');
  expect(received).toEqual(['ping']);
  commit();
  await expect.poll(() => received).toEqual(['ping', '{"n":1}', '{"n":2}']);
});

test('a link is closed behind what was said before, not before that is committed, and for good', async () => {
  const gone = Promise.withResolvers<void>();
  const afterClose = vi.fn<EdgeConnectionOptions['afterClose']>(() => 'reconnect');
  const link = await connected((action) => waiting.push(action), { onClose: gone.resolve, afterClose });
  const [socket] = server.clients;
  const ended = once(socket as WebSocket, 'close');
  link.send({ n: 1 });
  link.close();
  expect(link.isOpen).toBe(true);
  commit();
  await Promise.all([ended, gone.promise]);
  expect(received).toEqual(['{"n":1}']);
  expect(afterClose).not.toHaveBeenCalled();
});

test('a link that answers no ping is given up at the third, and the one after it is given the same time', async () => {
  const pings: number[] = [];
  server.on('connection', (socket: WebSocket) => {
    const link = pings.push(0) - 1;
    socket.on('message', () => (pings[link] = (pings[link] ?? 0) + 1));
  });
  await connected((action) => action(), {
    timings: { ...defaultTimings, keepaliveMs: 20, reconnectBaseMs: 1, edgeReconnectCapMs: 1 },
    afterClose: () => 'reconnect',
  });
  await expect.poll(() => pings.length).toBeGreaterThan(3);
  expect(pings.slice(0, 2)).toEqual([2, 2]);
});

test('a link whose pings are answered stays, however many there are', async () => {
  let pings = 0;
  let links = 0;
  server.on('connection', (socket: WebSocket) => {
    links += 1;
    socket.on('message', () => {
      pings += 1;
      socket.send('pong');
    });
  });
  await connected((action) => action(), {
    timings: { ...defaultTimings, keepaliveMs: 20, reconnectBaseMs: 1 },
    afterClose: () => 'reconnect',
  });
  await expect.poll(() => pings).toBeGreaterThan(5);
  expect(links).toBe(1);
});

test('what comes over a link that was closed here is not heard any more', async () => {
  const heard: string[] = [];
  const link = await connected((action) => waiting.push(action), { onFrame: (text) => heard.push(text) });
  const [socket] = server.clients;
  const ended = once(socket as WebSocket, 'close');
  socket?.send('{"n":1}');
  await expect.poll(() => heard).toEqual(['{"n":1}']);
  link.close();
  socket?.send('{"n":2}');
  commit();
  await ended;
  expect(heard).toEqual(['{"n":1}']);
});

test('each link that is lost is waited for twice as long as the one before, until the edge was heard of', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
  onTestFinished(() => random.mockRestore());
  const waits: number[] = [];
  server.on('connection', (socket: WebSocket) => socket.terminate());
  const link = await connected((action) => action(), {
    timings: { ...defaultTimings, reconnectBaseMs: 1, edgeReconnectCapMs: 8 },
    afterClose: () => 'reconnect',
    log: pino({}, { write: (line: string) => waits.push(JSON.parse(line).waitMs) }),
  });
  await expect.poll(() => waits.length).toBeGreaterThan(5);
  expect(waits.slice(0, 6)).toEqual([0, 1, 3, 7, 7, 7]);
  const before = waits.length;
  link.resetBackoff();
  await expect.poll(() => waits.length).toBeGreaterThan(before);
  expect(waits[before]).toBe(0);
});

test('a link that is closed while it waits to come back does not come back, nor does one that is over', async () => {
  const opened: string[] = [];
  const options = (name: string, edgeReconnectCapMs: number, onClose = () => {}) => ({
    timings: { ...defaultTimings, edgeReconnectCapMs },
    headers: () => ({ name }),
    onClose,
    afterClose: () => 'reconnect slowly' as const,
  });
  server.on('connection', (_socket, request) => opened.push(String(request.headers.name)));
  const closing = () => queueMicrotask(() => link.close());
  const link = await connected((action) => action(), options('closed', 20, closing));
  const over = { ...options('over', 20), afterClose: () => 'stay closed' as const };
  await connected((action) => action(), over);
  const other = await connected((action) => action(), options('other', 200));
  onTestFinished(() => other.close());
  for (const client of server.clients) client.terminate();
  // It waits for longer than the others would have.
  await expect.poll(() => opened.filter((name) => name === 'other').length).toBe(2);
  expect(opened.filter((name) => name !== 'other').toSorted()).toEqual(['closed', 'over']);
});
