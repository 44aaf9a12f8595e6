import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, adminOk } from './stage/admin-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';

let simulator: RunningSimulator;

beforeAll(async () => {
  simulator = await runSimulator();
});

afterAll(() => simulator.close());

test('a new phone is registered, delivers at once, and does nothing else by itself', async () => {
  const phone = freshPhone();
  expect(await adminOk(simulator.adminUrl, 'PATCH', `phones/${phone}`, {})).toEqual({
    phoneNumber: phone,
    lid: expect.stringMatching(/^\d{15}$/),
    name: `Phone ${phone}`,
    registered: true,
    autoDeliver: true,
    autoRead: false,
    replyWith: null,
    delayMs: 0,
    addressing: 'pn',
    rejectWith: null,
    rejectPnWith: null,
    rejectLidWith: null,
    rejections: null,
    refusedMessages: 0,
    hidesNumber: false,
    keys: 'usable',
    linksQuietly: false,
    queries: {},
    saltInHistory: true,
    sharesByDownload: false,
    endsStream: null,
    foundAs: [],
    banned: false,
    devices: [],
  });
});

test('a change of one field leaves the others as they were', async () => {
  const phone = freshPhone();
  await adminOk(simulator.adminUrl, 'PATCH', `phones/${phone}`, { autoRead: true, delayMs: 5 });
  const after = await adminOk(simulator.adminUrl, 'PATCH', `phones/+${phone}`, { replyWith: 'yes' });
  expect(after).toMatchObject({ autoRead: true, delayMs: 5, replyWith: 'yes', autoDeliver: true });
});

const bad = [
  { call: 'PATCH phones/628130000099', body: { autoDelivr: true }, path: 'autoDelivr' },
  { call: 'PATCH phones/628130000099', body: { delayMs: -1 }, path: 'delayMs' },
  { call: 'PATCH phones/628130000099', body: { registered: 'yes' }, path: 'registered' },
  { call: 'PATCH phones/628130000099', body: { addressing: 'both' }, path: 'addressing' },
  { call: 'PATCH phones/628130000099', body: { endsStream: { times: 0 } }, path: 'endsStream.times' },
  { call: 'PATCH devices/628130000099', body: { cutAfter: -1 }, path: 'cutAfter' },
  { call: 'POST phones/628130000099/reset', body: { isQuite: true }, path: 'isQuite' },
  { call: 'PATCH network', body: { dropAckRate: 1.5 }, path: 'dropAckRate' },
  { call: 'PATCH network', body: { slow: true }, path: 'slow' },
  { call: 'POST phones/628130000099/messages', body: { to: 'nobody', text: 'x' }, path: 'to' },
  { call: 'POST phones/628130000099/messages', body: { to: '628130000098' }, path: 'text' },
  { call: 'POST groups', body: { subject: 'x', members: [] }, path: 'members' },
  { call: 'POST mock-phone/enter-code', body: { phone: '628130000099', code: 'short' }, path: 'code' },
] as const;

test.each(bad)('$call with a wrong field is refused, and $path named', async ({ call, body, path }) => {
  const [method, url] = call.split(' ') as ['PATCH' | 'POST', string];
  const answer = await admin(simulator.adminUrl, method, url, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path, message: expect.any(String) }],
  });
});

test('what was refused has changed nothing', async () => {
  expect((await admin(simulator.adminUrl, 'GET', 'phones/628130000099')).status).toBe(404);
  expect(await adminOk(simulator.adminUrl, 'GET', 'network')).toMatchObject({
    ackDelayMs: 0,
    dropAckRate: 0,
    refuseConnections: false,
  });
});

test.each([
  { call: 'GET nowhere', status: 404 },
  { call: 'DELETE network', status: 405 },
  { call: 'POST devices/628130000099/explode', status: 404 },
  { call: 'PATCH phones/abc', status: 400 },
  { call: 'GET messages?to=abc', status: 400 },
])('$call is answered $status with a sentence', async ({ call, status }) => {
  const [method, url] = call.split(' ') as ['GET', string];
  const answer = await admin(simulator.adminUrl, method, url);
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatchObject({ message: expect.stringMatching(/^[A-Z"/].*\.$/) });
});

test('a body that is no JSON is refused', async () => {
  const answer = await admin(simulator.adminUrl, 'PATCH', 'network', '{');
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({ message: 'The body is not JSON.' });
});

test('a change of the network stays until it is changed again', async () => {
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { ackDelayMs: 7 });
  expect(await adminOk(simulator.adminUrl, 'PATCH', 'network', { dropAckRate: 0.5 })).toEqual({
    ackDelayMs: 7,
    dropAckRate: 0.5,
    refuseConnections: false,
    refuseUploads: false,
    corruptMedia: false,
    holdMedia: false,
  });
  await adminOk(simulator.adminUrl, 'PATCH', 'network', { ackDelayMs: 0, dropAckRate: 0 });
});

test('a page of the web can do nothing here, whatever it calls this machine', async () => {
  const url = `${simulator.adminUrl}/admin/phones/${freshPhone()}`;
  const asked = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(url, { method: 'PATCH', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end('{}');
    });
  expect(await asked({})).toBe(200);
  expect(await asked({ Origin: 'https://evil.example' })).toBe(403);
  expect(await asked({ Origin: 'null' })).toBe(403);
  expect(await asked({ Host: 'evil.example:8790' })).toBe(403);
});
