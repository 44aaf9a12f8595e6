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

/** Whether the journal holds nothing that a new link has to carry first. */
let isCaughtUp: boolean;
const noFacts = {
  attach: (carrier: FactCarrier) => isCaughtUp && carrier.onCaughtUp(),
  detach: () => {},
} as unknown as FactLog;

beforeEach(async () => {
  links = [];
  isCaughtUp = true;
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

test('over a new link nothing is asked before all that the journal holds was told', async () => {
  await expect.poll(() => links[0]?.frames.at(-1)?.type).toBe('link.ready');
  isCaughtUp = false;
  links[0]?.socket.terminate();
  await expect.poll(() => links[1]?.frames.length).toBe(1);
  link.vaultEntries(['creds']).catch(() => {});
  link.answerQuery({ type: 'query.result', queryId: 1, answer: {} });
  link.tellTyping({ phoneNumber: '628111111111', lid: null, state: 'typing' });
  const ended = once(links[1]?.socket as WebSocket, 'close');
  link.close();
  await ended;
  expect(links[1]?.frames.map(({ type }) => type)).toEqual(['link.hello']);
});

test('what was sent and to whom is answered as the edge knows it', async () => {
  const content = { type: 'text' as const, text: 'hello' };
  const [answer, unknown] = [link.content('3A1'), link.content('3A2')];
  const asked = () => links[0]?.frames.filter(({ type }) => type === 'content.get') ?? [];
  await expect.poll(asked).toHaveLength(2);
  const [first = 0, second = 0] = asked().map(({ requestId }) => requestId);
  say(links[0]?.socket, { type: 'content', requestId: second, content: null });
  say(links[0]?.socket, { type: 'content', requestId: first, content, to: '628111111111' });
  expect(await unknown).toBeNull();
  expect(await answer).toEqual({ content, to: '628111111111' });
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
