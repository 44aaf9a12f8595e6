import { BufferJSON } from '@whiskeysockets/baileys';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOk, arrivals } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  simulator = await runSimulator();
  client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
});

const sessionId = async (phone: string): Promise<string> => {
  const { lid } = await adminOk(simulator.adminUrl, 'GET', `phones/${phone}`);
  return `${lid}_1.0`;
};
const readSession = async (id: string): Promise<unknown> => {
  const { [id]: session } = await client.credentials.keys.get('session', [id]);
  return JSON.parse(JSON.stringify(session, BufferJSON.replacer), BufferJSON.reviver);
};

test('a message under used-up keys is asked for again, and arrives once', async () => {
  const phone = freshPhone();
  await client.send(jid(phone), 'first');
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 1, 'the first message');
  const id = await sessionId(phone);
  const before = await readSession(id);
  await client.send(jid(phone), 'second');
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 2, 'the second message');
  // What a client does that restarts from an older copy of its keys.
  await client.credentials.keys.set({ session: { [id]: before as never } });
  const lateId = await client.send(jid(phone), 'third');
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 3, 'the third message');
  await until(() => client.receiptsOf(lateId).includes('delivered'), 'its receipt');
  expect(client.receiptsOf(lateId)).toContain('retry');
  const rows = await arrivals(simulator.adminUrl, phone);
  expect(rows.map(({ text, count }) => ({ text, count }))).toEqual([
    { text: 'first', count: 1 },
    { text: 'second', count: 1 },
    { text: 'third', count: 1 },
  ]);
});

test('a repeated message under the same keys is a second arrival, and is not asked for', async () => {
  const phone = freshPhone();
  await client.send(jid(phone), 'opening');
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 1, 'the first message');
  const session = await sessionId(phone);
  const before = await readSession(session);
  const id = await client.send(jid(phone), 'sent before the crash');
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 2, 'the message');
  await client.credentials.keys.set({ session: { [session]: before as never } });
  await client.send(jid(phone), 'sent before the crash', id);
  await until(async () => (await arrivals(simulator.adminUrl, phone))[1]?.count === 2, 'the second arrival');
  expect(client.receiptsOf(id)).not.toContain('retry');
});

test('a message that the client cannot read is written to it anew', async () => {
  const phone = freshPhone();
  const write = (text: string) =>
    adminOk(simulator.adminUrl, 'POST', `phones/${phone}/messages`, { to: own, text });
  await write('readable');
  await until(() => client.texts().includes('readable'), 'the first text');
  await client.credentials.keys.set({ session: { [await sessionId(phone)]: null } });
  // The phone's next message belongs to a session that the client has lost; with its reply the phone stops
  // repeating the opening of the session.
  await client.send(jid(phone), 'a reply');
  await client.credentials.keys.set({ session: { [await sessionId(phone)]: null } });
  await write('after the loss');
  await until(() => client.texts().includes('after the loss'), 'the repeated text');
  expect(client.texts().filter((text) => text === 'after the loss')).toHaveLength(1);
});
