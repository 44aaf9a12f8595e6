import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, scanQr } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
const clients: LinkedClient[] = [];
const started = (options: ConstructorParameters<typeof LinkedClient>[1] = {}): LinkedClient => {
  const client = new LinkedClient(simulator.socketUrl, options);
  clients.push(client);
  client.connect();
  return client;
};
const shownQr = async (client: LinkedClient, index = 0): Promise<string> => {
  await until(() => client.qrCodes.length > index, 'a QR code');
  return client.qrCodes[index] ?? '';
};
const scan = (qr: string, phone = freshPhone()) =>
  admin(simulator.adminUrl, 'POST', `mock-phone/scan-qr?phone=${phone}`, qr);

beforeAll(async () => {
  simulator = await runSimulator();
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()));
  await simulator.close();
});

test('a scanned QR code links the client as a device of the phone', async () => {
  const phone = freshPhone();
  const client = started();
  expect(await scanQr(simulator.adminUrl, await shownQr(client), phone)).toBe(phone);
  await until(() => client.closedWith === 515, 'the restart');
  await client.logIn();
  expect(client.credentials.creds.me?.id).toBe(`${phone}:1@s.whatsapp.net`);
  expect(client.credentials.creds.me?.lid).toMatch(/^\d+:1@lid$/);
});

test('a second client becomes the second device of the same phone', async () => {
  const phone = freshPhone();
  const first = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  const second = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, phone);
  clients.push(first, second);
  expect(second.credentials.creds.me?.id).toBe(`${phone}:2@s.whatsapp.net`);
  expect(first.isOpen).toBe(true);
});

test('without a number named, a new phone links, and another one the next time', async () => {
  const phones = [];
  for (const client of [started(), started()]) {
    phones.push(await scanQr(simulator.adminUrl, await shownQr(client)));
  }
  expect(phones[0]).toMatch(/^62812\d{8}$/);
  expect(phones[0]).not.toBe(phones[1]);
});

test('a client that names itself gets the same number each time', async () => {
  const phones = [];
  for (const client of [started({ pushName: 'shop' }), started({ pushName: 'shop' })]) {
    phones.push(await scanQr(simulator.adminUrl, await shownQr(client)));
  }
  expect(phones[0]).toMatch(/^1\d{12}$/);
  expect(phones[0]).toBe(phones[1]);
});

test('a QR code that no client shows is refused as unknown', async () => {
  const client = started();
  const qr = await shownQr(client);
  await client.disconnect();
  await until(async () => (await scan(qr)).status === 404, 'the ref to expire with its connection');
  const { body } = await scan(qr);
  expect(body.error).toEqual({
    code: 'NOT_FOUND',
    message: 'No client shows this QR code: it is unknown or has expired.',
  });
});

test('a text that is no QR code is refused', async () => {
  const { status } = await scan('hello');
  expect(status).toBe(400);
});

test('a QR code with the key of another client is refused', async () => {
  const qr = await shownQr(started());
  const parts = qr.split(',');
  parts[1] = Buffer.alloc(32, 7).toString('base64');
  expect((await scan(parts.join(','))).status).toBe(409);
});

test('a number that is not registered cannot link', async () => {
  const phone = freshPhone();
  await admin(simulator.adminUrl, 'PATCH', `phones/${phone}`, { registered: false });
  expect((await scan(await shownQr(started()), phone)).status).toBe(409);
});

test('after the network retired its secret, only a QR code with a new one links', async () => {
  const phone = freshPhone();
  const client = started();
  const retired = await shownQr(client);
  const refreshed = new Promise<string>((resolve) => {
    client.socket.ws.on('CB:notification,type:companion_reg_refresh', (node) => {
      resolve(node.content?.[0]?.tag);
    });
  });
  await admin(simulator.adminUrl, 'POST', 'mock-phone/companion-reg-refresh', retired);
  expect(await refreshed).toBe('companion_reg_refresh');
  expect((await scan(retired, phone)).status).toBe(409);
  const secret = Buffer.alloc(32, 9).toString('base64');
  client.credentials.creds.advSecretKey = secret;
  const parts = retired.split(',');
  parts[3] = secret;
  expect((await scan(parts.join(','), phone)).status).toBe(200);
  await until(() => client.closedWith === 515, 'the restart');
  await client.logIn();
});

test('the code that the client shows links it, typed on the phone', async () => {
  const phone = freshPhone();
  const client = started();
  await shownQr(client);
  const code = await client.socket.requestPairingCode(phone);
  await until(
    async () =>
      (await admin(simulator.adminUrl, 'POST', 'mock-phone/enter-code', { phone, code })).status === 200,
    'the code to be known',
  );
  await until(() => client.closedWith === 515, 'the restart');
  await client.logIn();
  expect(client.credentials.creds.me?.id).toBe(`${phone}:1@s.whatsapp.net`);
});

test('a wrong code links nothing', async () => {
  const phone = freshPhone();
  const client = started();
  await shownQr(client);
  await client.socket.requestPairingCode(phone, 'ABCD1234');
  let answer = await admin(simulator.adminUrl, 'POST', 'mock-phone/enter-code', { phone, code: 'ABCD1235' });
  await until(async () => {
    if (answer.status !== 404) return true;
    answer = await admin(simulator.adminUrl, 'POST', 'mock-phone/enter-code', { phone, code: 'ABCD1235' });
    return false;
  }, 'the code to be known');
  expect(answer.status).toBe(409);
  expect(answer.body.error).toMatchObject({ message: 'The code is wrong.' });
});

test('a client that does not present itself as a known browser gets no code', async () => {
  const phone = freshPhone();
  const client = started({ browser: ['Acme', 'Chrome', '1'] });
  await shownQr(client);
  const refused = new Promise<string>((resolve) => {
    client.socket.ws.on('CB:iq,type:error', (node) => resolve(node.content?.[0]?.attrs.text));
  });
  await client.socket.requestPairingCode(phone);
  expect(await refused).toBe('bad-request');
  const { status } = await admin(simulator.adminUrl, 'POST', 'mock-phone/enter-code', {
    phone,
    code: 'ABCD1234',
  });
  expect(status).toBe(404);
});
