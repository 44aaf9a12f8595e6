import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { admin, adminOk } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
let clients: LinkedClient[] = [];

beforeAll(async () => {
  simulator = await runSimulator();
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.disconnect()));
  clients = [];
});

afterAll(() => simulator.close());

const paired = async (phone: string): Promise<LinkedClient> => {
  const client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  clients.push(client);
  return client;
};
const write = (from: string, to: string, text: string) =>
  adminOk(simulator.adminUrl, 'POST', `phones/${from}/messages`, { to, text });
const waiting = async (phone: string): Promise<number> => {
  const { body } = await admin(simulator.adminUrl, 'GET', `phones/${phone}`);
  const [device] = body.devices as { waiting: number; online: boolean }[];
  return device?.waiting ?? -1;
};
const isOffline = async (phone: string): Promise<boolean> => {
  const { body } = await admin(simulator.adminUrl, 'GET', `phones/${phone}`);
  return (body.devices as { online: boolean }[]).every((device) => !device.online);
};
/** From now on the client hears everything, and nothing that it says leaves the machine. */
const mute = (client: LinkedClient): void => {
  const { socket } = client.socket.ws as unknown as {
    socket: { send(data: unknown, done: () => void): void };
  };
  socket.send = (_data, done) => done();
};

test('what was written while the client was away comes in order at its next login', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  await client.disconnect();
  await until(() => isOffline(phone), 'the client to be away');
  const texts = Array.from({ length: 25 }, (_, index) => `while away ${index}`);
  const friend = freshPhone();
  for (const text of texts) await write(friend, phone, text);
  await client.logIn();
  await until(() => client.texts().length === texts.length, 'all texts');
  expect(client.texts()).toEqual(texts);
  await until(async () => (await waiting(phone)) === 0, 'the queue to be empty');
});

test('a message that was not confirmed is handed over again, and then no more', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  await until(async () => (await waiting(phone)) === 0, 'the history to be confirmed');
  mute(client);
  const { id } = await write(freshPhone(), phone, 'never confirmed');
  await until(() => client.texts().includes('never confirmed'), 'the text');
  expect(await waiting(phone)).toBe(1);
  await adminOk(simulator.adminUrl, 'POST', `devices/${phone}/drop`);
  await until(() => client.closedWith === 428, 'the end of the link');

  const seen: { id: string; offline: string | undefined }[] = [];
  client.connect();
  client.socket.ws.on('CB:message', ({ attrs }) => seen.push({ id: attrs.id, offline: attrs.offline }));
  await until(async () => seen.length === 1 && (await waiting(phone)) === 0, 'the repetition');
  expect(seen).toEqual([{ id, offline: '0' }]);

  await client.disconnect();
  await client.logIn();
  expect(await waiting(phone)).toBe(0);
});

test('a receipt that was not acknowledged is handed over again', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  const recipient = freshPhone();
  await adminOk(simulator.adminUrl, 'PATCH', `phones/${recipient}`, { delayMs: 300 });
  const id = await client.send(`${recipient}@s.whatsapp.net`, 'confirmed later');
  await until(() => client.receiptsOf(id).includes('sender'), 'the copy of the own phone');
  await client.disconnect();
  await until(() => isOffline(phone), 'the client to be away');
  await until(async () => (await waiting(phone)) === 1, 'the receipt to wait');
  client.receipts = [];
  await client.logIn();
  await until(() => client.receiptsOf(id).includes('delivered'), 'the receipt');
  await until(async () => (await waiting(phone)) === 0, 'the queue to be empty');
});

test('the proof that the network took a message survives a client that never heard it', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { dropAckRate: 1 });
  const recipient = freshPhone();
  await adminOk(simulator.adminUrl, 'PATCH', `phones/${recipient}`, { autoDeliver: false });
  // Muted as soon as the receipt is there, before the client could acknowledge it.
  client.socket.ws.on('CB:receipt', () => mute(client));
  const id = await client.send(`${recipient}@s.whatsapp.net`, 'was it taken?');
  await until(() => client.receiptsOf(id).includes('sender'), 'the receipt');
  await adminOk(simulator.adminUrl, 'POST', `devices/${phone}/drop`);
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { dropAckRate: 0 });
  await until(() => client.closedWith === 428, 'the end of the link');
  client.receipts = [];
  await client.logIn();
  await until(() => client.receiptsOf(id).includes('sender'), 'the receipt again');
});

test('a message that was read before its confirmation got lost is confirmed without being read twice', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  await until(async () => (await waiting(phone)) === 0, 'the history to be confirmed');
  mute(client);
  await write(freshPhone(), phone, 'only once');
  await until(() => client.texts().includes('only once'), 'the text');
  expect(await waiting(phone)).toBe(1);
  await client.disconnect();
  await client.logIn();
  await until(async () => (await waiting(phone)) === 0, 'the confirmation');
  expect(client.texts().filter((text) => text === 'only once')).toHaveLength(1);
});

test('a client gets as many as it asks for, the rest when it asks again, and nothing new before that', async () => {
  const phone = freshPhone();
  const client = await paired(phone);
  await client.disconnect();
  await until(() => isOffline(phone), 'the client to be away');
  const friend = freshPhone();
  // The client asks for a hundred, once.
  for (let index = 0; index < 105; index += 1) await write(friend, phone, `while away ${index}`);
  client.connect();
  await until(async () => (await waiting(phone)) === 5, 'a hundred to be confirmed');
  await write(friend, phone, 'new');
  const asked = (count: number) =>
    client.socket.sendNode({
      tag: 'ib',
      attrs: {},
      content: [{ tag: 'offline_batch', attrs: { count: String(count) } }],
    });
  await asked(2);
  await until(async () => (await waiting(phone)) === 4, 'two more to be confirmed');
  expect(client.caughtUp).toBe(false);
  await asked(100);
  await until(() => client.caughtUp && client.texts().length === 106, 'the rest');
  expect(client.texts().slice(-2)).toEqual(['while away 104', 'new']);
});
