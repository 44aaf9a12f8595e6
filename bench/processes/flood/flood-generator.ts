/*
 * A process that sends requests at a fixed rate over plain sockets. An HTTP client would take more of the machine than
 * what it asks.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { answerQuestions } from '../asking.ts';
import type { FloodOrder, FloodReport } from './flood-order.ts';

const headEnd = '\r\n\r\n';

answerQuestions(flood);

async function flood(order: FloodOrder): Promise<FloodReport> {
  const requests = requestsOf(order);
  const count = order.perSecond * order.seconds;
  const statuses: Record<string, number> = {};
  const { promise: allAnswered, resolve, reject } = Promise.withResolvers<void>();
  const idle: Socket[] = [];
  let [due, sent, answered] = [0, 0, 0];
  const sendWhatIsDue = () => {
    for (; sent < due && idle.length > 0; sent += 1) {
      idle.shift()?.write(requests[sent % requests.length] as Buffer);
    }
  };
  const note = (socket: Socket, status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    answered += 1;
    idle.push(socket);
    if (answered === count) resolve();
    sendWhatIsDue();
  };
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => openSocket(order.url, note, reject)),
  );
  idle.push(...sockets);
  try {
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    while (due < count) {
      due = Math.min(count, Math.ceil(((performance.now() - startedAt) / 1000) * order.perSecond));
      sendWhatIsDue();
      await delay(1);
    }
    await allAnswered;
    const { user, system } = process.cpuUsage(cpuBefore);
    return { statuses, answered, elapsedMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
  } finally {
    for (const socket of sockets) socket.removeAllListeners().destroy();
  }
}

function requestsOf({ url, headers, body }: FloodOrder): Buffer[] {
  const { host, pathname } = new URL(url);
  return headers.map((own) => {
    const lines = Object.entries({
      host,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...own,
    }).map(([name, value]) => `${name}: ${value}`);
    return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}${headEnd}${body}`);
  });
}

async function openSocket(
  url: string,
  note: (socket: Socket, status: string) => void,
  fail: (error: Error) => void,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let unread = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    unread += chunk;
    if (unread.length < answerLength(unread)) return;
    const status = unread.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3);
    unread = '';
    note(socket, status);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error(`A connection to ${url} was closed under the flood.`)));
  return socket;
}

/** Characters of the answer that has begun; infinite while its head is not there. */
function answerLength(unread: string): number {
  const end = unread.indexOf(headEnd);
  if (end === -1) return Number.POSITIVE_INFINITY;
  const length = /\r\ncontent-length: (\d+)/i.exec(unread.slice(0, end))?.[1];
  if (length === undefined) throw new Error('An answer did not say its length.');
  return end + headEnd.length + Number(length);
}
