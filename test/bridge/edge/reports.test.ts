import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { linkCloseCodes, type NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { readConfig } from '../../../src/session-bridge/config.ts';
import { Reports } from '../../../src/session-bridge/edge/reports.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { SendInterval } from '../../../src/session-bridge/journal/send-interval.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';

const lease = { numberId: '019a0000-0000-7000-8000-000000000001', epoch: 1 };
const receipt: NumberFact = {
  type: 'receipts',
  items: [{ providerMessageId: '3A1', kind: 'read', at: '2026-01-31T09:30:00.000Z', isGroup: false }],
};

let home: string;
let db: JournalDatabase;
let server: WebSocketServer;
let reports: Reports;
let logged: string[];
let gone: string[];
/** What the edge does with a fact. */
let answer: (socket: WebSocket, seq: number) => void;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'bridge-reports-'));
  db = new JournalDatabase(home, (error) => {
    throw error;
  });
  db.run(
    "INSERT INTO facts (number_id, epoch, kind, body) VALUES (?, 1, 'receipts', ?)",
    lease.numberId,
    JSON.stringify(receipt),
  );
  logged = [];
  gone = [];
  answer = (socket, seq) => socket.send(JSON.stringify({ type: 'fact.ack', seq }));
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      if (data.toString() === 'ping') return;
      const frame = JSON.parse(data.toString());
      if (frame.type === 'fact') answer(socket, frame.seq);
    }),
  );
  reports = new Reports({
    config: readConfig({
      GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      BRIDGE_TOKEN: 'token',
      VAULT_KEY: Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64'),
      BRIDGE_HOME: home,
    }),
    db,
    token: 'token',
    interval: new SendInterval(1),
    log: makeLog('info', {
      write: (line) => {
        const { msg, end } = JSON.parse(line);
        if (msg.startsWith('report.')) logged.push([msg, end].filter(Boolean).join(' '));
      },
    }),
    onGone: (numberId) => gone.push(numberId),
  });
});

afterEach(async () => {
  reports.closeAll();
  db.close();
  rmSync(home, { recursive: true, force: true });
  for (const client of server.clients) client.terminate();
  server.close();
  await once(server, 'close');
});

test('a report that the edge did not want is offered again, over one link however often it is begun', async () => {
  answer = (socket) => socket.close(linkCloseCodes.staleEpoch);
  reports.begin(lease);
  reports.begin(lease);
  await expect.poll(() => logged).toEqual(['report.began', 'report.ended refused']);
  answer = (socket, seq) => socket.send(JSON.stringify({ type: 'fact.ack', seq }));
  reports.begin(lease);
  await expect.poll(() => logged.slice(2)).toEqual(['report.began', 'report.ended drained']);
  expect([gone, db.all('SELECT kind FROM facts')]).toEqual([[], []]);
});

test('a report ends with what the edge can never take set aside', async () => {
  answer = (socket, seq) => socket.send(JSON.stringify({ type: 'fact.refused', seq, reason: 'invalid' }));
  reports.begin(lease);
  await expect.poll(() => logged).toEqual(['report.began', 'report.ended drained']);
  expect(db.all('SELECT kind, reason FROM parked_facts')).toEqual([{ kind: 'receipts', reason: 'invalid' }]);
});

test('of a number that was deleted meanwhile it is said so, once', async () => {
  answer = (socket) => socket.close(linkCloseCodes.gone);
  reports.begin(lease);
  await expect.poll(() => gone).toEqual([lease.numberId]);
  expect(logged).toEqual(['report.began', 'report.ended gone']);
});

test('what the session still writes while its report is under way is reported too', async () => {
  const told: number[] = [];
  answer = (socket, seq) => {
    if (told.push(seq) === 1) {
      db.run(
        "INSERT INTO facts (number_id, epoch, kind, body) VALUES (?, 1, 'receipts', ?)",
        lease.numberId,
        JSON.stringify(receipt),
      );
    }
    socket.send(JSON.stringify({ type: 'fact.ack', seq }));
  };
  reports.begin(lease);
  await expect.poll(() => logged).toEqual(['report.began', 'report.ended drained']);
  expect(new Set(told).size).toBe(2);
});
