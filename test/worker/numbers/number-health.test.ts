import { evictAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeBridge } from '../../durable/phone-number/fake-bridge.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  reportToAccount,
  type TestAccount,
} from '../front-door.ts';

const now = () => new Date().toISOString();
const passTime = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
const ring = (numberId: string) => runDurableObjectAlarm(env.PHONE_NUMBER.getByName(numberId));

afterEach(() => {
  vi.useRealTimers();
});

/** A number that is connected through a bridge of its own. */
async function pairedNumber() {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const numberId: string = body.numberId;
  await ask('POST', `/v1/numbers/${numberId}/pair`, { headers: account.owner, json: { method: 'qr' } });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000001', at: now() });
  return { account, numberId, bridge };
}

async function listed(account: TestAccount) {
  const { data } = (await ask('GET', '/v1/numbers', { headers: account.server })).body;
  const { state, health, healthUntil, phoneNumber, reason } = data[0];
  return { state, health, healthUntil, phoneNumber, reason };
}

async function single(account: TestAccount, numberId: string) {
  const { body } = await ask('GET', `/v1/numbers/${numberId}`, { headers: account.server });
  const { state, health, healthUntil, phoneNumber, reason } = body;
  return { state, health, healthUntil, phoneNumber, reason };
}

/** The number as the list and as its own page show it, once a report has had its time. */
async function agreed(account: TestAccount, numberId: string) {
  return eventually(async () => {
    const [inList, alone] = [await listed(account), await single(account, numberId)];
    return JSON.stringify(inList) === JSON.stringify(alone) ? alone : null;
  });
}

test('a number is in the list what it is by itself, through connections, losses and evictions', async () => {
  const { account, numberId, bridge } = await pairedNumber();
  expect(await agreed(account, numberId)).toMatchObject({ state: 'connected', health: 'healthy' });
  await bridge.tell({ type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: now() });
  const lost = {
    state: 'disconnected',
    health: 'unavailable',
    reason: 'The connection to the network was lost.',
  };
  expect(await agreed(account, numberId)).toMatchObject(lost);
  await evictAllDurableObjects();
  // At once: nothing has to be told again.
  expect(await listed(account)).toMatchObject(lost);
  expect(await single(account, numberId)).toEqual(await listed(account));
  await bridge.tell({ type: 'session.connected', phoneNumber: '15550000001', at: now() });
  expect(await agreed(account, numberId)).toMatchObject({
    state: 'connected',
    health: 'healthy',
    reason: null,
  });
  await bridge.tell({ type: 'session.ended', reason: 'banned', at: now() });
  expect(await agreed(account, numberId)).toMatchObject({ state: 'banned', health: 'unavailable' });
});

test('a number whose bridge has died is unavailable in both places after its grace, also with everything evicted', async () => {
  const { account, numberId, bridge } = await pairedNumber();
  await agreed(account, numberId);
  await evictAllDurableObjects();
  bridge.close();
  const number = env.PHONE_NUMBER.getByName(numberId);
  await eventually(async () => (await number.device()).state === 'connected');
  await evictAllDurableObjects();
  passTime(31_000);
  await eventually(async () => {
    await ring(numberId);
    return (await number.device()).state === 'disconnected';
  });
  const shown = await agreed(account, numberId);
  expect(shown).toMatchObject({ state: 'disconnected', health: 'unavailable' });
  expect(shown.reason).toMatch(/bridge/i);
});

test('a restriction is over in both places when its time has come, before anybody has told anybody', async () => {
  const { account, numberId, bridge } = await pairedNumber();
  const until = new Date(Date.now() + 600_000).toISOString();
  await bridge.tell({ type: 'network.restriction', isActive: true, until });
  expect(await agreed(account, numberId)).toMatchObject({ health: 'restricted', healthUntil: until });
  await evictAllDurableObjects();
  passTime(600_001);
  expect(await listed(account)).toMatchObject({ health: 'healthy', healthUntil: null, reason: null });
  expect(await single(account, numberId)).toEqual(await listed(account));
});

test('an older report to the account does not take the place of a newer one in the list', async () => {
  const account = await openAccount();
  const { body } = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  await reportToAccount(account, body.numberId, { revision: 1_001 });
  const health = { status: 'unavailable' as const, reason: null, until: null };
  await reportToAccount(account, body.numberId, { revision: 1_000, state: 'logged_out', health });
  expect(await listed(account)).toMatchObject({ state: 'connected', health: 'healthy' });
});

test('a number shows what waits for it, and what it may still begin today', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const shown = async () => {
    const list = await ask('GET', '/v1/numbers', { headers: account.owner });
    const one = await ask('GET', `/v1/numbers/${numberId}`, { headers: account.owner });
    const loadOf = ({ waiting, dailyRemaining }: Record<string, unknown>) => ({ waiting, dailyRemaining });
    expect(loadOf(one.body)).toEqual(loadOf(list.body.data[0]));
    return loadOf(one.body);
  };
  expect(await shown()).toEqual({ waiting: 0, dailyRemaining: null });
  await reportToAccount(account, numberId, { revision: 1_001, dailyRemaining: 5 });
  for (let index = 0; index < 2; index += 1) {
    const json = { to: '628123456789', text: 'hello' };
    await ask('POST', '/v1/messages/send', { headers: account.server, json });
  }
  expect(await shown()).toEqual({ waiting: 2, dailyRemaining: 3 });
});
