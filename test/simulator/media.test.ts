import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { downloadMediaMessage } from '@whiskeysockets/baileys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOk, arrivals } from './admin-client.ts';
import { LinkedClient } from './linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './running-simulator.ts';
import { until } from './until.ts';

let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const trusted = getCACertificates('default');

beforeAll(async () => {
  simulator = await runSimulator();
  setDefaultCACertificates([...trusted, readFileSync(simulator.certificatePath, 'utf8')]);
  client = await new LinkedClient(`wss://127.0.0.1:${simulator.tlsPort}/ws/chat`).pair(
    `https://127.0.0.1:${simulator.tlsPort}`,
    own,
  );
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
  setDefaultCACertificates(trusted);
});

test('a document that a phone sends is downloaded and opened over TLS', async () => {
  const file = randomBytes(70_000);
  const { id } = await adminOk(simulator.adminUrl, 'POST', `phones/${freshPhone()}/media`, {
    to: own,
    kind: 'document',
    mimetype: 'application/pdf',
    base64: file.toString('base64'),
    fileName: 'invoice.pdf',
  });
  await until(() => client.messages.some((message) => message.key.id === id), 'the document');
  const message = client.messages.find((one) => one.key.id === id);
  expect(message?.message?.documentMessage?.fileName).toBe('invoice.pdf');
  if (!message) throw new Error('no document');
  expect(file.equals(await downloadMediaMessage(message, 'buffer', {}))).toBe(true);
});

test('a document that the client sends is uploaded over TLS and can be downloaded by who gets it', async () => {
  const phone = freshPhone();
  const reader = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  const file = randomBytes(50_000);
  const sent = await client.socket.sendMessage(`${phone}@s.whatsapp.net`, {
    document: file,
    mimetype: 'application/pdf',
    fileName: 'report.pdf',
    caption: 'the report',
  });
  const id = sent?.key.id;
  await until(() => reader.messages.some((message) => message.key.id === id), 'the document');
  const message = reader.messages.find((one) => one.key.id === id);
  if (!message) throw new Error('no document');
  expect(file.equals(await downloadMediaMessage(message, 'buffer', {}))).toBe(true);
  const [row] = await arrivals(simulator.adminUrl, phone);
  expect(row).toMatchObject({ id, text: 'the report', count: 1 });
  await reader.disconnect();
});

test('media that nobody uploaded are not there', async () => {
  const response = await fetch(`https://127.0.0.1:${simulator.tlsPort}/v/t62/${'0'.repeat(64)}`);
  expect(response.status).toBe(404);
});
