import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { bridgeProtocolVersion, type NumberDownFrame } from '../../../src/contract/bridge/bridge-frames.ts';
import { readConfig } from '../../../src/session-bridge/config.ts';
import { EdgeLink } from '../../../src/session-bridge/edge/edge-link.ts';
import { Grants } from '../../../src/session-bridge/edge/grants.ts';
import type { FactCarrier, FactLog } from '../../../src/session-bridge/journal/facts.ts';

const lease = { numberId: '019a0000-0000-7000-8000-000000000001', epoch: 1 };

let server: WebSocketServer;
/** The links so far, each with the frames that came over it. */
let links: { socket: WebSocket; frames: { type: string; requestId?: number }[] }[];
let overs: string[];
let link: EdgeLink;

/** A journal that holds nothing. */
const noFacts = {
  attach: (carrier: FactCarrier) => carrier.onCaughtUp(),
  detach: () => {},
} as unknown as FactLog;

beforeEach(async () => {
  links = [];
  overs = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    const frames: (typeof links)[number]['frames'] = [];
    links.push({ socket, frames });
    socket.on('message', (data) => frames.push(JSON.parse(data.toString())));
  });
  const config = readConfig({
    GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    BRIDGE_TOKEN: 'token',
    VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
    BRIDGE_HOME: '/nowhere',
    RECONNECT_BASE_MS: '1',
  });
  link = new EdgeLink({
    config,
    bridgeId: 'bridge',
    token: 'token',
    lease,
    grants: new Grants(),
    facts: noFacts,
    afterCommit: (action) => action(),
    log: pino({ level: 'silent' }),
    onCommand: () => {},
    onOver: (why) => overs.push(why),
  });
});

afterEach(async () => {
  link.close();
  for (const client of server.clients) client.terminate();
  server.close();
  await once(server, 'close');
});

const say = (socket: WebSocket | undefined, frame: NumberDownFrame) => socket?.send(JSON.stringify(frame));
const askedOver = (index: number) => links[index]?.frames.filter(({ type }) => type === 'vault.get') ?? [];

test('what was asked over a link that was lost is asked over the next one, and answered', async () => {
  const entries = [{ key: 'creds', sealed: 'YQ==' }];
  const answer = link.vaultEntries(['creds']);
  await expect.poll(() => askedOver(0)).toHaveLength(1);
  links[0]?.socket.terminate();
  await expect.poll(() => askedOver(1)).toEqual(askedOver(0));
  say(links[1]?.socket, { type: 'vault.entries', requestId: askedOver(1)[0]?.requestId ?? 0, entries });
  expect(await answer).toEqual(entries);
});

test('a link that is closed leaves nobody waiting, neither who had asked nor who asks then', async () => {
  const asked = link.vaultEntries(['creds']);
  link.close();
  await expect(asked).rejects.toThrow('closed');
  await expect(link.vaultEntries(['creds'])).rejects.toThrow('closed');
});

test('a link that may only report is closed at once, for what waits in the journal is not for it', async () => {
  await expect.poll(() => links.length).toBe(1);
  const ended = once(links[0]?.socket as WebSocket, 'close');
  say(links[0]?.socket, { type: 'link.welcome', version: bridgeProtocolVersion, reportOnly: true });
  await ended;
  expect(overs).toEqual(['stale epoch']);
});
