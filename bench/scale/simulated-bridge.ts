/*
 * A bridge for as many numbers as it is given, with nothing behind it: every number connects at once, every message is
 * acknowledged at once, and delivered and read a moment later. What it takes is next to nothing, so what is measured is
 * the edge.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  leaseTimes,
} from '../../src/contract/bridge/bridge-frames.ts';
import { answerQuestions } from '../processes/asking.ts';
import type { BridgeAnswer, BridgeQuestion } from './bridge-questions.ts';
import { SimulatedNumber } from './simulated-number.ts';

const capacity = 10_000;
/** The edge closes a link over which it has heard nothing for 90 s. */
const pingEveryMs = 25_000;

const bridgeId = randomUUID();
const numbers = new Map<string, SimulatedNumber>();
const sockets = new Set<WebSocket>();
let phones = 0;

answerQuestions(async (question: BridgeQuestion): Promise<BridgeAnswer> => {
  if (question.kind === 'link') await link(question.edgeUrl, question.token);
  const all = [...numbers.values()];
  return {
    connected: all.filter(({ isConnected }) => isConnected).length,
    handed: all.reduce((sum, { handed }) => sum + handed, 0),
    read: all.reduce((sum, { read }) => sum + read, 0),
  };
});

setInterval(() => {
  for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send('ping');
}, pingEveryMs);

async function link(edgeUrl: string, enrolmentToken: string): Promise<void> {
  const enrolled = await fetch(`${edgeUrl}/bridge/enrol`, {
    method: 'POST',
    headers: { authorization: `Bearer ${enrolmentToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bridgeId }),
  });
  const { token } = (await enrolled.json()) as { token: string };
  const control = dial(edgeUrl, token, '/bridge/control');
  const welcome = Promise.withResolvers<void>();
  control.on('message', (data) => {
    const text = String(data);
    if (text === 'pong') return;
    const frame = JSON.parse(text) as ControlDownFrame;
    if (frame.type === 'bridge.welcome') welcome.resolve();
    if (frame.type === 'lease.granted') drive(edgeUrl, token, frame.numberId, frame.epoch);
  });
  await once(control, 'open');
  setInterval(() => control.send('ping'), leaseTimes.pingEveryMs);
  control.send(
    JSON.stringify({ type: 'bridge.hello', version: bridgeProtocolVersion, bridgeId, capacity, leases: [] }),
  );
  await welcome.promise;
}

function drive(edgeUrl: string, token: string, numberId: string, epoch: number): void {
  if (numbers.has(numberId)) return;
  phones += 1;
  const socket = dial(edgeUrl, token, `/bridge/numbers/${numberId}?epoch=${epoch}`);
  numbers.set(
    numberId,
    new SimulatedNumber(socket, { bridgeId, epoch, phone: String(62813000000 + phones) }),
  );
}

function dial(edgeUrl: string, token: string, path: string): WebSocket {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${edgeUrl.replace('http', 'ws')}${path}`, { headers });
  socket.on('error', (error) => console.error(`the simulated bridge: ${error.message}`));
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  return socket;
}
