import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { numbers } from '../../../src/database/schema.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { at, db, newAccount } from '../account/account-fixture.ts';
import { loggedEvents } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, phoneNumber } from './fake-bridge.ts';

const connected = (phone: string) =>
  ({ type: 'session.connected', phoneNumber: phone, at: new Date().toISOString() }) as const;
const newPhone = () => `62${8_700_000_000 + Math.floor(Math.random() * 99_999_999)}`;

test('a phone that is linked to a number of the account cannot be linked to a second one, which logs out again', async () => {
  const { account, accountId, senders } = await newAccount(1);
  const [first] = senders;
  const phone = (await phoneNumber(first?.numberId ?? '').device()).phoneNumber ?? '';
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId, numberId });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell(connected(phone));
  expect(await bridge.take('session.stop')).toMatchObject({ logout: true });
  expect(await phoneNumber(numberId).device()).toMatchObject({
    state: 'unpaired',
    phoneNumber: null,
    reason: expect.stringContaining('NUMBER_ALREADY_PAIRED'),
  });
  const at = new Date().toISOString();
  await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at });
  expect(await phoneNumber(first?.numberId ?? '').device()).toMatchObject({
    state: 'connected',
    reason: null,
  });
  expect(await account.senders()).toMatchObject({ [first?.numberId ?? '']: { state: 'connected' } });
  // Another phone can be linked to it at once.
  expect(await phoneNumber(numberId).pair({ method: 'qr' })).toEqual({ ok: true });
});

test('a pairing that begins before the phone of a refused one is logged out goes on behind that', async () => {
  const { accountId, senders } = await newAccount(1);
  const phone = (await phoneNumber(senders[0]?.numberId ?? '').device()).phoneNumber ?? '';
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId, numberId });
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  await bridge.tell(connected(phone));
  await bridge.take('session.stop');
  expect(await phoneNumber(numberId).pair({ method: 'qr' })).toEqual({ ok: true });
  const at = new Date().toISOString();
  await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at });
  await bridge.take('session.pair');
  expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'pairing' });
  const other = newPhone();
  await bridge.tell(connected(other));
  expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'connected', phoneNumber: other });
});

test('a number that is logged out can be paired again at once: its device is taken off first, and all is told in order', async () => {
  const { accountId, numberId, bridge } = await connectedNumber(newPhone());
  await bridge.tell({ type: 'vault.put', entries: [{ key: 'creds', sealed: btoa('sealed') }] });
  const number = phoneNumber(numberId);
  await number.logoutSession();
  // Nothing takes the log-out back.
  expect(await number.connectSession()).toMatchObject({ ok: false, code: 'CONFLICT' });
  expect(await number.disconnectSession()).toMatchObject({ ok: false, code: 'CONFLICT' });
  expect(await number.pair({ method: 'code', phoneNumber: '628123456789' })).toEqual({ ok: true });
  expect(await number.device()).toMatchObject({ state: 'pairing' });
  // A bridge that takes over first logs it out, with the keys that are still there.
  const next = await FakeBridge.link(numberId, 2);
  next.say({ type: 'link.ready' });
  expect(await next.take('session.stop')).toMatchObject({ logout: true });
  next.say({ type: 'vault.get', requestId: 1, keys: ['creds'] });
  expect((await next.take('vault.entries')).entries).toHaveLength(1);
  const at = new Date().toISOString();
  await next.tell({ type: 'session.ended', reason: 'logged_out_on_request', at });
  expect(await next.take('session.pair')).toMatchObject({ method: 'code', phoneNumber: '628123456789' });
  const phone = newPhone();
  await next.tell(connected(phone));
  expect(await number.device()).toMatchObject({ state: 'connected', phoneNumber: phone });
  await until(async () => (await loggedEvents(accountId)).length === 3);
  expect((await loggedEvents(accountId)).map(({ event }) => event)).toEqual([
    'device.connected',
    'device.logged_out',
    'device.connected',
  ]);
});

test('a number that is deleted before a device is off its phone, logs it out first', async () => {
  const { numberId, bridge } = await connectedNumber(newPhone());
  await phoneNumber(numberId).logoutSession();
  await phoneNumber(numberId).pair({ method: 'qr' });
  await phoneNumber(numberId).remove();
  for (let told = 0; told < 3; told += 1) await bridge.take('session.stop');
  const at = new Date().toISOString();
  await bridge.tell({ type: 'session.ended', reason: 'logged_out_on_request', at });
  expect(await phoneNumber(numberId).device()).toMatchObject({ state: 'logged_out' });
  expect(bridge.heard.filter(({ type }) => type === 'session.pair')).toEqual([]);
});

test('of two numbers that pair with one phone at the same time only one gets it', async () => {
  const { account } = await newAccount(0);
  const phone = newPhone();
  const [first, second] = [newUuid(), newUuid()];
  const claims = await Promise.all([account.claimPhone(first, phone), account.claimPhone(second, phone)]);
  expect(claims).toEqual([true, false]);
  expect(await account.claimPhone(first, phone)).toBe(true);
});

test('a phone whose number was deleted can be linked to another one', async () => {
  const { account, senders } = await newAccount(1);
  const { numberId = '' } = senders[0] ?? {};
  const phone = (await phoneNumber(numberId).device()).phoneNumber ?? '';
  const other = newUuid();
  expect(await account.claimPhone(other, phone)).toBe(false);
  await db.delete(numbers).where(eq(numbers.id, numberId));
  await account.refresh();
  // Once that the number has claimed it is over, too.
  expect(await at(Date.now() + 61_000, () => account.claimPhone(other, phone))).toBe(true);
});

test('an account whose phone is linked to another account of the deployment too is told', async () => {
  const phone = newPhone();
  const older = await connectedNumber(phone);
  const newer = await connectedNumber(phone);
  await until(async () => (await phoneNumber(older.numberId).device()).reason !== null);
  expect(await phoneNumber(older.numberId).device()).toMatchObject({
    state: 'connected',
    reason: expect.stringContaining('another account'),
  });
  expect(await phoneNumber(newer.numberId).device()).toMatchObject({ state: 'connected', reason: null });
});

test('who has had a phone last is told when another account gets it, and nobody where it stays in one account', async () => {
  const [phone, another] = [newPhone(), newPhone()];
  const first = await connectedNumber(phone);
  const second = await connectedNumber(another, first.accountId);
  const registry = env.PHONE_REGISTRY.getByName(newUuid());
  const reasons = async () => {
    const devices = [first, second].map(({ numberId }) => phoneNumber(numberId).device());
    return (await Promise.all(devices)).map(({ reason }) => reason);
  };
  await registry.claim({ accountId: first.accountId, numberId: first.numberId }, phone);
  await registry.claim({ accountId: first.accountId, numberId: second.numberId }, phone);
  expect(await reasons()).toEqual([null, null]);
  await registry.claim({ accountId: newUuid(), numberId: newUuid() }, another);
  expect(await reasons()).toEqual([null, expect.stringContaining('another account')]);
});
