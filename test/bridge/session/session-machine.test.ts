import { expect, test, vi } from 'vitest';
import { defaultSessionSettings } from '../../../src/contract/bridge/session-settings.ts';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import {
  catchUpWaitMs,
  lost,
  machine,
  openSession,
  phoneNumber,
  stableAfterMs,
  stage,
  useMachine,
  waitAfterLoss,
} from './machine-stage.ts';

useMachine();

test('a session that is stopped before its login gives back what waited for it, and is not logged in any more', async () => {
  stage.othersLogIn = true;
  const session = machine();
  await session.start();
  expect(stage.done).toEqual(['outbox waits']);
  await session.stop();
  expect(stage.done.slice(1)).toEqual(['login is over', 'is closed', 'requested', 'outbox gives back']);
});

test('a session that is lost while it is asked for a sign of life is lost once, and waits as after any loss', async () => {
  const session = await openSession();
  const renewed = session.renew();
  stage.opened[0]?.onClose(lost);
  stage.probe.resolve(false);
  await renewed;
  await vi.advanceTimersByTimeAsync(998);
  expect(stage.done).toEqual(['is closed', 'connection_closed', 'outbox gives back']);
  await vi.advanceTimersByTimeAsync(1);
  expect(stage.done.at(-1)).toBe('connects');
});

test('a session that is over was seen last when something was heard of the network, whatever ends it', async () => {
  const session = await openSession();
  const heardAt = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(9_000);
  stage.opened[0]?.onClose(lost);
  expect(stage.lastSeen).toEqual([heardAt]);
  while (stage.opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  stage.opened[1]?.onOpen(phoneNumber);
  const heardAgainAt = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(9_000);
  await session.stop();
  expect(stage.lastSeen).toEqual([heardAt, heardAgainAt]);
});

test('a session that was lost, stopped and wanted again tells that it is lost once more', async () => {
  const session = await openSession();
  stage.opened[0]?.onClose(lost);
  await session.stop();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  stage.done = [];
  stage.opened[1]?.onClose(lost);
  expect(stage.done).toEqual(['login is over', 'is closed', 'connection_closed', 'outbox gives back']);
});

test('a deaf session tells that it is lost before its messages go back, so that none comes again at once', async () => {
  const session = await openSession();
  const renewed = session.renew();
  stage.probe.resolve(false);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done).toEqual(['is closed', 'session_deaf', 'outbox gives back', 'outbox waits', 'connects']);
});

test('what waited for the device of before is given back when another one is paired', async () => {
  const session = await openSession();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  expect(stage.done).toEqual(['is closed', 'outbox gives back', 'creds are gone', 'connects']);
  await session.end();
});

test('what the network does not say to be the end of what waited there is waited for only so long', async () => {
  await openSession();
  await vi.advanceTimersByTimeAsync(catchUpWaitMs - 1);
  expect(stage.done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(stage.done).toEqual(['outbox has all signs']);
});

test('what the network has said to be all before the session was open is not waited for', async () => {
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  stage.opened[0]?.onCaughtUp();
  stage.opened[0]?.onOpen(phoneNumber);
  expect(stage.done.slice(-2)).toEqual(['outbox sends', 'outbox has all signs']);
});

test('a restart that the network asks for is no loss: what comes meanwhile waits for it', async () => {
  await openSession();
  stage.opened[0]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done).toEqual(['is closed', 'outbox gives back', 'outbox waits', 'connects']);
});

test('a session that was banned comes back when it is wanted again, with the keys that it has', async () => {
  const session = await openSession();
  stage.opened[0]?.onClose({ code: connectionCodes.banned, detail: '' });
  expect(stage.done).toEqual(['is closed', 'banned', 'outbox gives back']);
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done.at(-1)).toBe('connects');
});

test('a client that is too old for the network asks for another version before it comes back', async () => {
  await openSession();
  stage.opened[0]?.onClose({ code: connectionCodes.clientOutdated, detail: '' });
  expect(stage.done.slice(1, 3)).toEqual(['another version is asked for', 'client_outdated']);
});

test('whoever may have had a message by another bridge gets the next one under keys that no other was sent with', async () => {
  await machine().start(undefined, ['628222222222', '120363000000000042@g.us']);
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done[1]).toMatch(/^session\/.* are gone$/);
  expect(stage.done.at(-1)).toBe('connects');
  stage.done = [];
  await machine().start();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done).toEqual(['outbox waits', 'connects']);
});

test('a session that is lost again and again waits ever longer, and one that had lasted as little as at first', async () => {
  await openSession();
  const waits = [await waitAfterLoss(), await waitAfterLoss(), await waitAfterLoss()];
  expect(waits).toEqual([999, 1_998, 3_996]);
  await vi.advanceTimersByTimeAsync(stableAfterMs);
  expect(await waitAfterLoss()).toBe(999);
});

test('a session with messages to send logs in before those without', async () => {
  await machine().start();
  stage.hasMessages = true;
  await machine().start();
  expect(stage.urgent).toEqual([false, true]);
});

test('a pairing whose connection is lost comes back soon, however often the session before it was lost', async () => {
  const session = await openSession();
  for (let losses = 0; losses < 3; losses += 1) await waitAfterLoss();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  expect(await waitAfterLoss()).toBe(999);
});

test('a device is paired over the proxy that comes with the request', async () => {
  const session = machine();
  const proxyUrl = 'socks5://proxy.example.com:1080';
  const settings = { ...defaultSessionSettings, proxyUrl };
  await session.pair({ type: 'session.pair', pairingId: 'first', method: 'qr', settings });
  expect(stage.proxies).toEqual([proxyUrl]);
  await session.end();
});

test('a session that is open goes another way as soon as its proxy is another one, or is taken away', async () => {
  const session = await openSession();
  const proxyUrl = 'socks5://proxy.example.com:1080';
  for (const next of [proxyUrl, null]) {
    await session.start({ ...defaultSessionSettings, proxyUrl: next });
    await vi.advanceTimersByTimeAsync(0);
    stage.opened.at(-1)?.onOpen(phoneNumber);
  }
  expect(stage.proxies).toEqual([null, proxyUrl, null]);
});

test('a session that is open shows itself as its settings say as soon as they are others, without another connection', async () => {
  const session = await openSession();
  stage.done.length = 0;
  await session.start({ ...defaultSessionSettings, presence: 'available' });
  expect(stage.done).toEqual(['shows itself by its settings', 'session.connected']);
});

test('a session that is ended before its keys are there says nothing of them', async () => {
  const keys = Promise.withResolvers<null>();
  stage.stored = keys.promise;
  const session = machine();
  const started = session.start();
  await session.end();
  keys.resolve(null);
  await started;
  expect(stage.done).toEqual(['outbox waits', 'is closed']);
});

test('a session whose pairing was broken off is started when it is wanted', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  await session.stop();
  stage.done = [];
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done).toEqual(['outbox waits', 'connects']);
});

test('a session whose keys to whom it writes cannot be read says so, and is started when it is wanted again', async () => {
  stage.unreadable = 'device-list/';
  const session = machine();
  await session.start(undefined, ['628222222222']);
  expect(stage.done).toEqual(['outbox waits', 'credentials_rejected', 'outbox gives back']);
  stage.unreadable = null;
  await session.start(undefined, ['628222222222']);
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done.at(-1)).toBe('connects');
});

test('a connection that cannot even be begun is lost as any other: other numbers log in, and it is tried again', async () => {
  stage.opensNone = true;
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done.slice(1)).toEqual([
    'login is over',
    'is closed',
    'network_unavailable',
    'outbox gives back',
  ]);
  stage.opensNone = false;
  await vi.advanceTimersByTimeAsync(999);
  expect(stage.done.at(-1)).toBe('connects');
  await session.end();
});

test('a pairing whose connection cannot even be begun tries it again', async () => {
  stage.opensNone = true;
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.opensNone = false;
  await vi.advanceTimersByTimeAsync(999);
  expect(stage.done.at(-1)).toBe('connects');
  await session.end();
});

const loggedOut = { code: connectionCodes.loggedOut, detail: '' };

test('a phone linked a device of which the network never heard: the pairing goes on with another code', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'first', method: 'qr' });
  stage.opened[0]?.onQr('code', Date.now() + 60_000);
  stage.opened[0]?.onPaired();
  stage.opened[0]?.onClose(lost);
  await vi.advanceTimersByTimeAsync(999);
  stage.done = [];
  stage.opened[1]?.onClose(loggedOut);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(stage.done).toEqual([
    'login is over',
    'is closed',
    'creds are gone',
    'outbox gives back',
    'connects',
  ]);
  expect(new Set(stage.keys).size).toBe(2);
  stage.opened[2]?.onQr('another code', Date.now() + 60_000);
  expect(stage.done.at(-1)).toBe('pairing.qr');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stage.done.slice(-2)).toEqual(['pairing.failed', 'is closed']);
});

test('so it goes on through the bridge that takes over, which finds such a device in the vault', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'linked before', method: 'qr' });
  await vi.advanceTimersByTimeAsync(0);
  stage.done = [];
  stage.opened[0]?.onClose(loggedOut);
  await vi.advanceTimersByTimeAsync(999);
  expect(stage.done.slice(2)).toEqual(['creds are gone', 'outbox gives back', 'connects']);
  await session.end();
});

test('a device that has been logged in once is logged out when the network no longer knows it', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'linked before', method: 'qr' });
  await vi.advanceTimersByTimeAsync(0);
  stage.opened[0]?.onOpen(phoneNumber);
  stage.done = [];
  stage.opened[0]?.onClose(loggedOut);
  await vi.advanceTimersByTimeAsync(999_999);
  expect(stage.done).toEqual(['is closed', 'creds are gone', 'logged_out_by_phone', 'outbox gives back']);
});
