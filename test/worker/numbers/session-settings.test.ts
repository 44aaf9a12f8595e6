import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { FakeBridge, phoneNumber } from '../../durable/phone-number/fake-bridge.ts';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';

const proxyUrl = 'socks5://ada:hunter2@proxy.example.com:1080';

async function addNumber() {
  const account = await openAccount();
  const made = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const numberId: string = made.body.numberId;
  const patch = (json: unknown) => ask('PATCH', `/v1/numbers/${numberId}`, { headers: account.owner, json });
  return { account, numberId, made, patch };
}

/** A bridge that drives the number, which a phone has linked. */
async function connect(numberId: string): Promise<FakeBridge> {
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000031', at: new Date().toISOString() });
  return bridge;
}

test('a new number is not shown as online, turns no call down and marks nothing as read', async () => {
  const { made } = await addNumber();
  expect(made.body).toMatchObject({
    presence: 'unavailable',
    proxyUrl: null,
    rejectCalls: false,
    markRead: 'never',
  });
});

test('the bridge is told how the session is to behave when it pairs, and at once after each change', async () => {
  const { numberId, patch } = await addNumber();
  await patch({ proxyUrl, presence: 'available' });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  expect(await bridge.take('session.pair')).toMatchObject({
    settings: { presence: 'available', proxyUrl, rejectCalls: false, markRead: 'never' },
  });
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000032', at: new Date().toISOString() });
  const changed = await patch({ rejectCalls: true, markRead: 'on_reply' });
  expect(changed.body).toMatchObject({ rejectCalls: true, markRead: 'on_reply', presence: 'available' });
  expect(await bridge.take('session.start')).toEqual({
    type: 'session.start',
    settings: { presence: 'available', proxyUrl, rejectCalls: true, markRead: 'on_reply' },
  });
});

test('a change of nothing that concerns the session does not disturb it', async () => {
  const { numberId, patch } = await addNumber();
  const bridge = await connect(numberId);
  await patch({ label: 'Desk' });
  await patch({ presence: 'unavailable' });
  await patch({ markRead: 'always' });
  expect(await bridge.take('session.start')).toMatchObject({ settings: { markRead: 'always' } });
  expect(bridge.heard.filter(({ type }) => type === 'session.start')).toEqual([]);
});

test("a proxy's credentials are stored sealed and never shown again", async () => {
  const { account, numberId, patch } = await addNumber();
  const changed = await patch({ proxyUrl });
  expect(changed.body.proxyUrl).toBe('socks5://***@proxy.example.com:1080');
  // Nor as it is stored.
  const { body: list } = await ask('GET', '/v1/numbers', { headers: account.owner });
  for (const shown of [changed.body, list.data[0]])
    expect(Object.keys(shown).filter((name) => /sealed|shown/i.test(name))).toEqual([]);
  const read = await ask('GET', `/v1/numbers/${numberId}`, { headers: account.server });
  expect(read.text).not.toContain('hunter2');
  const row = await env.DB.prepare('select * from numbers where id = ?').bind(numberId).first();
  expect(JSON.stringify(row)).not.toContain('hunter2');
  const back = await patch({ proxyUrl: changed.body.proxyUrl });
  expect(back).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'proxyUrl' }] } },
  });
  expect((await patch({ proxyUrl: null })).body.proxyUrl).toBeNull();
});

test.each([
  ['ftp://proxy.example.com'],
  ['proxy.example.com:1080'],
  ['socks5://proxy.example.com/path'],
  ['http://proxy.example.com?a=b'],
  [''],
])('%s is no proxy', async (wrong) => {
  const { patch } = await addNumber();
  expect(await patch({ proxyUrl: wrong })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'proxyUrl' }] } },
  });
});

test('a proxy is at a public address, or at one that the operator lists', async () => {
  const { account, numberId } = await addNumber();
  const set = (url: string, door: typeof ask = ask) =>
    door('PATCH', `/v1/numbers/${numberId}`, { headers: account.owner, json: { proxyUrl: url } });
  const refused = { status: 400, body: { error: { details: [{ path: 'proxyUrl' }] } } };
  for (const host of [
    '127.0.0.1',
    '169.254.169.254',
    '10.0.0.5',
    '[::1]',
    'localhost',
    'proxy',
    'a.internal',
    '2130706433',
  ])
    expect(await set(`http://user:secret@${host}:3128`), host).toMatchObject(refused);
  expect(await set('http://proxy.example.com.:3128')).toMatchObject(refused);
  const listing = doorWith({ WEBHOOK_PRIVATE_HOSTS: 'proxy,10.0.0.0/8' });
  for (const host of ['proxy', '10.0.0.5']) {
    expect(await set(`http://${host}:3128`, listing), host).toMatchObject({ status: 200 });
  }
});
