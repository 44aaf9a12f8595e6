import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { linkCloseCodes, type NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { reasonSentence } from '../../../src/contract/numbers/reasons.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, phoneNumber } from './fake-bridge.ts';

const creds: NumberFact = { type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] };
const hourMs = 3_600_000;
const ring = (numberId: string) => runDurableObjectAlarm(phoneNumber(numberId));
const clockAt = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });
const vaultOf = (numberId: string) =>
  runInDurableObject(phoneNumber(numberId), (_, { storage }) =>
    storage.sql.exec('SELECT key FROM vault').toArray(),
  );

afterEach(() => {
  vi.useRealTimers();
});

test('a number that is logged out while the network is away says so for an hour, and then what has to be done on the phone', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell(creds);
  const start = Date.now();
  clockAt(start);
  const number = phoneNumber(numberId);
  await number.disconnectSession();
  await number.logoutSession();
  const waiting = { state: 'disconnected', reason: reasonSentence('being_logged_out') };
  expect(await number.device()).toMatchObject(waiting);
  vi.setSystemTime(start + hourMs - 1);
  await number.logoutSession();
  await ring(numberId);
  expect([await number.device(), await vaultOf(numberId)]).toMatchObject([waiting, [{ key: 'creds' }]]);
  vi.setSystemTime(start + hourMs);
  await ring(numberId);
  const over = { state: 'logged_out', reason: reasonSentence('logout_unconfirmed') };
  expect([await number.device(), await vaultOf(numberId)]).toMatchObject([over, []]);
});

test('whoever pairs a number that the network does not log out waits half a minute, and sees that the device is still linked', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell(creds);
  const start = Date.now();
  clockAt(start);
  const number = phoneNumber(numberId);
  await number.logoutSession();
  await number.pair({ method: 'qr' });
  bridge.heard.length = 0;
  vi.setSystemTime(start + 29_999);
  await ring(numberId);
  expect([bridge.heard, (await vaultOf(numberId)).length]).toEqual([[], 1]);
  vi.setSystemTime(start + 30_000);
  await ring(numberId);
  await bridge.take('session.pair');
  const reason = reasonSentence('logout_unconfirmed');
  expect([await number.device(), await vaultOf(numberId)]).toMatchObject([{ state: 'pairing', reason }, []]);
});

test('whoever pairs a number that is being logged out waits no longer where the clock was set back', async () => {
  const { numberId, bridge } = await connectedNumber();
  const number = phoneNumber(numberId);
  await number.logoutSession();
  await number.pair({ method: 'qr' });
  clockAt(Date.now() - 600_000);
  await ring(numberId);
  await bridge.take('session.pair');
});

test('a number that is banned while it is logged out keeps no keys, and cannot be connected again', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell(creds);
  const number = phoneNumber(numberId);
  await number.logoutSession();
  await bridge.tell({ type: 'session.ended', reason: 'banned', at: new Date().toISOString() });
  const reason = reasonSentence('logout_unconfirmed');
  expect(await number.device()).toMatchObject({ state: 'logged_out', reason });
  expect(await vaultOf(numberId)).toEqual([]);
  expect(await number.connectSession()).toMatchObject({ ok: false, code: 'CONFLICT' });
});

test.each(['logged_out_by_phone', 'logged_out_on_request', 'banned'] as const)(
  'the keys of a device are gone with it, and only those of a banned one are kept (%s)',
  async (reason) => {
    const { numberId, bridge } = await connectedNumber();
    await bridge.tell(creds);
    await bridge.tell({ type: 'session.ended', reason, at: new Date().toISOString() });
    expect(await vaultOf(numberId)).toHaveLength(reason === 'banned' ? 1 : 0);
  },
);

test('what a bridge has deleted of the vault no other bridge gets', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell(creds);
  const entries = [
    { key: 'creds', sealed: null },
    { key: 'session/1', sealed: btoa('sealed') },
  ];
  await bridge.tell({ type: 'vault.put', entries });
  const next = await FakeBridge.link(numberId, 2);
  next.say({ type: 'vault.get', requestId: 1, keys: ['creds', 'session/1'] });
  expect((await next.take('vault.entries')).entries).toEqual(entries);
});

test('a number that was deleted is kept for as long as its device can be logged out, and is gone when that is over', async () => {
  const { numberId, bridge } = await connectedNumber();
  await bridge.tell(creds);
  const start = Date.now();
  clockAt(start);
  await phoneNumber(numberId).remove();
  await bridge.take('session.stop');
  vi.setSystemTime(start + hourMs - 1);
  await ring(numberId);
  const next = await FakeBridge.link(numberId, 2);
  next.say({ type: 'link.ready' });
  expect(await next.take('session.stop')).toMatchObject({ logout: true });
  expect([next.closed, (await vaultOf(numberId)).length]).toEqual([null, 1]);
  vi.setSystemTime(start + hourMs);
  await until(async () => {
    await ring(numberId);
    return next.closed?.code === linkCloseCodes.gone;
  });
  expect(await vaultOf(numberId)).toEqual([]);
});

test.each(['is deleted', 'is paired anew'])(
  'a device that a phone has just linked is logged out again where its number %s before it has logged in',
  async (what) => {
    const numberId = newUuid();
    const number = phoneNumber(numberId);
    await number.provision({ accountId: newUuid(), numberId });
    await number.pair({ method: 'qr' });
    const bridge = await FakeBridge.link(numberId);
    bridge.say({ type: 'link.ready' });
    await bridge.take('session.pair');
    await bridge.tell(creds);
    if (what === 'is deleted') await number.remove();
    else await number.pair({ method: 'qr' });
    expect(await bridge.take('session.stop')).toMatchObject({ logout: true });
    bridge.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
    expect((await bridge.take('vault.entries')).entries).toMatchObject([{ sealed: btoa('sealed') }]);
    const at = new Date().toISOString();
    // It logs in as it is logged out: that links nothing.
    await bridge.tell({ type: 'session.connected', phoneNumber: '628123456789', at });
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at });
    if (what === 'is deleted') expect(await number.device()).toMatchObject({ state: 'unpaired' });
    else await bridge.take('session.pair');
  },
);
