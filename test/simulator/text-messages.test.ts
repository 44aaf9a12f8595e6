import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, adminOk, arrivals } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const script = (phone: string, change: object) =>
  adminOk(simulator.adminUrl, 'PATCH', `phones/${phone}`, change);
const write = async (phone: string, to: string, text: string): Promise<string> => {
  const written = await adminOk(simulator.adminUrl, 'POST', `phones/${phone}/messages`, { to, text });
  return String(written.id);
};
const jid = (phone: string) => `${phone}@s.whatsapp.net`;

beforeAll(async () => {
  simulator = await runSimulator();
  client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
});

test('a text reaches the phone decrypted, and is acknowledged and delivered', async () => {
  const phone = freshPhone();
  const id = await client.send(jid(phone), 'hello there');
  await until(() => client.receiptsOf(id).includes('delivered'), 'the delivery receipt');
  expect(client.acks.filter((ack) => ack.id === id)).toEqual([{ id, error: undefined }]);
  expect(await arrivals(simulator.adminUrl, phone)).toEqual([
    { id, from: own, to: phone, text: 'hello there', count: 1, at: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
});

test('without a recipient named, all arrivals are listed', async () => {
  const phone = freshPhone();
  const id = await client.send(jid(phone), 'one of many');
  await until(async () => (await arrivals(simulator.adminUrl)).some((row) => row.id === id), 'the row');
});

test('a phone that reads by itself confirms the delivery first', async () => {
  const phone = freshPhone();
  await script(phone, { autoRead: true, delayMs: 20 });
  const id = await client.send(jid(phone), 'read me');
  await until(() => client.receiptsOf(id).includes('read'), 'the read receipt');
  expect(client.receiptsOf(id).filter((type) => type !== 'sender')).toEqual(['delivered', 'read']);
});

test('the own phone confirms its copy even where the recipient confirms nothing', async () => {
  const phone = freshPhone();
  await script(phone, { autoDeliver: false });
  const id = await client.send(jid(phone), 'no receipt for this');
  await until(() => client.receiptsOf(id).includes('sender'), 'the receipt of the own phone');
  const receipt = client.receipts.find((one) => one.id === id);
  expect(receipt).toEqual({
    id,
    type: 'sender',
    from: jid(own),
    participant: undefined,
    recipient: jid(phone),
  });
  await until(async () => (await arrivals(simulator.adminUrl, phone)).length === 1, 'the arrival');
  expect(client.receiptsOf(id)).toEqual(['sender']);
});

test('a repeated message id is acknowledged again and counted as a second arrival', async () => {
  const phone = freshPhone();
  const id = await client.send(jid(phone), 'twice');
  await client.send(jid(phone), 'twice', id);
  await until(() => client.acks.filter((ack) => ack.id === id).length === 2, 'both acknowledgements');
  await until(async () => (await arrivals(simulator.adminUrl, phone))[0]?.count === 2, 'the count');
  expect(await arrivals(simulator.adminUrl, phone)).toHaveLength(1);
});

test('a phone writes back what its script says', async () => {
  const phone = freshPhone();
  await script(phone, { replyWith: 'thank you for writing', delayMs: 10 });
  await client.send(jid(phone), 'hello, robot');
  await until(() => client.texts().includes('thank you for writing'), 'the reply');
});

test('a phone writes from its number and names its alias beside it', async () => {
  const phone = freshPhone();
  const id = await write(phone, own, 'from a number');
  await until(() => client.texts().includes('from a number'), 'the text');
  const key = client.messages.find((message) => message.key.id === id)?.key;
  expect(key).toMatchObject({ remoteJid: jid(phone), addressingMode: 'pn', fromMe: false });
  expect(key?.remoteJidAlt).toMatch(/^\d+@lid$/);
});

test('a phone that is set to its alias writes and confirms from there', async () => {
  const phone = freshPhone();
  const { lid } = await script(phone, { addressing: 'lid' });
  const inboundId = await write(phone, own, 'from an alias');
  await until(() => client.texts().includes('from an alias'), 'the text');
  const key = client.messages.find((message) => message.key.id === inboundId)?.key;
  expect(key).toMatchObject({
    remoteJid: `${lid}@lid`,
    remoteJidAlt: jid(phone),
    addressingMode: 'lid',
  });
  const id = await client.send(jid(phone), 'to the number');
  await until(() => client.receiptsOf(id).includes('delivered'), 'the receipt');
  expect(client.receipts.find((one) => one.id === id && one.type === 'delivered')?.from).toBe(`${lid}@lid`);
});

test('a message to an alias arrives under the number', async () => {
  const phone = freshPhone();
  const { lid } = await script(phone, {});
  const id = await client.send(`${lid}@lid`, 'to the alias');
  await until(() => client.receiptsOf(id).includes('delivered'), 'the receipt');
  const [row] = await arrivals(simulator.adminUrl, phone);
  expect(row).toMatchObject({ id, to: phone, text: 'to the alias' });
});

test('any valid number is on the network unless its script says otherwise', async () => {
  const [known, gone] = [freshPhone(), freshPhone()];
  await script(gone, { registered: false });
  const found = await client.socket.onWhatsApp(jid(known), jid(gone));
  expect(found).toEqual([{ jid: jid(known), exists: true }]);
});

test('a phone can have the network refuse what is sent to it', async () => {
  const phone = freshPhone();
  await script(phone, { rejectWith: '463' });
  const id = await client.send(jid(phone), 'refused');
  await until(() => client.acks.some((ack) => ack.id === id), 'the acknowledgement');
  expect(client.acks.find((ack) => ack.id === id)?.error).toBe('463');
  expect(await arrivals(simulator.adminUrl, phone)).toEqual([]);
});

test('what a client typed into its own phone reaches the client as its own message', async () => {
  const phone = freshPhone();
  const other = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  const id = await write(own, phone, 'typed on the phone');
  await until(() => other.texts().includes('typed on the phone'), 'the text at the recipient');
  await until(() => client.messages.some((message) => message.key.id === id), 'the copy');
  expect(client.messages.find((message) => message.key.id === id)?.key.fromMe).toBe(true);
  await other.disconnect();
});

test('two clients write to each other, and each learns that it was delivered', async () => {
  const phone = freshPhone();
  const other = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  const id = await client.send(jid(phone), 'from client to client');
  await until(() => other.texts().includes('from client to client'), 'the text');
  await until(() => client.receiptsOf(id).includes('delivered'), 'the receipt');
  const replyId = await other.send(jid(own), 'and back');
  await until(() => client.texts().includes('and back'), 'the answer');
  await until(() => other.receiptsOf(replyId).includes('delivered'), 'the receipt of the answer');
  await other.disconnect();
});

test('a phone cannot write to a number without a linked device', async () => {
  const { status, body } = await admin(simulator.adminUrl, 'POST', `phones/${freshPhone()}/messages`, {
    to: freshPhone(),
    text: 'nobody there',
  });
  expect(status).toBe(404);
  expect(body.error).toMatchObject({ code: 'NOT_FOUND', message: 'No device is linked to this number.' });
});
