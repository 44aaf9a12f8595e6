import { expect, test, vi } from 'vitest';
import type { NetworkEvents } from '../../../src/session-bridge/network/connection/connection.ts';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import { linked, lost, machine, openSession, phoneNumber, stage, useMachine } from './machine-stage.ts';

useMachine();

test('a bridge counts each login of a linked device by how it went, and each loss of an open session by its reason', async () => {
  await openSession();
  expect(stage.counted).toEqual(['login: opened', 'open']);
  stage.opened[0]?.onClose(lost);
  while (stage.opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  stage.opened[1]?.onClose({ code: connectionCodes.lostOrTimedOut, detail: '' });
  expect(stage.counted.slice(2)).toEqual(['lost: connection_closed', 'closed', 'login: connection_lost']);
});

test('a session that is renewed counts as lost, and one that is to restart or to stop does not', async () => {
  const session = await openSession();
  const renewed = session.renew();
  stage.probe.resolve(true);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  stage.opened[1]?.onOpen(phoneNumber);
  expect(stage.counted.slice(2)).toEqual(['lost: session_deaf', 'closed', 'login: opened', 'open']);
  stage.opened[1]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  await vi.advanceTimersByTimeAsync(0);
  stage.opened[2]?.onOpen(phoneNumber);
  await session.stop();
  expect(stage.counted.slice(6)).toEqual(['closed', 'login: opened', 'open', 'closed']);
});

test('a pairing counts as no login, whatever becomes of its connections', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.done = [];
  stage.opened[0]?.onClose(lost);
  while (stage.opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  expect(stage.keys[1]).not.toBe(stage.keys[0]);
  stage.opened[0]?.onPaired();
  stage.opened[0]?.onQr('of before', Date.now());
  stage.opened[1]?.onQr('of now', Date.now());
  expect(stage.done).toEqual(['is closed', 'connects', 'pairing.qr']);
  stage.opened[1]?.onPaired();
  expect(stage.done.at(-1)).toBe('outbox waits');
  stage.opened[1]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done.slice(4)).toEqual(['is closed', 'outbox gives back', 'outbox waits', 'connects']);
  expect([stage.counted, stage.keys[2]]).toEqual([[], stage.keys[1]]);
  await session.end();
});

test('of a connection that was given up only messages are heard: what else it says concerns the one behind it', async () => {
  const session = await openSession();
  const renewed = session.renew();
  stage.probe.resolve(true);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  const [before, now] = stage.opened;
  stage.done = [];
  before?.onCaughtUp();
  before?.onOpen(phoneNumber);
  before?.onPasskeyRequested();
  before?.onClose(lost);
  expect(stage.done).toEqual([]);
  before?.onReceipt({} as Parameters<NetworkEvents['onReceipt']>[0]);
  now?.onOpen(phoneNumber);
  expect(stage.done).toEqual(['a receipt is heard', 'login is over', 'session.connected', 'outbox sends']);
});

test('a session that is wanted again while it logs in, or waits to come back, has one connection', async () => {
  const session = machine();
  await session.start();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  await session.start();
  stage.opened[0]?.onClose(lost);
  await session.start();
  expect(stage.done.filter((what) => what === 'connects')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(stage.done.filter((what) => what === 'connects')).toHaveLength(2);
});

test('a pairing that is under way is not disturbed where the session is wanted', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.done = [];
  await session.start();
  expect(stage.done).toEqual([]);
  await session.end();
});

test('the request that has linked a device changes nothing when it comes again, in this session or to the next bridge', async () => {
  const request = { type: 'session.pair', pairingId: 'linked before', method: 'qr' } as const;
  const session = await openSession();
  await session.pair(request);
  expect(stage.done).toEqual([]);
  await machine().pair(request);
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done).toEqual(['is closed', 'outbox gives back', 'outbox waits', 'connects']);
});

test('a session without a linked device says so, and gives back what waits', async () => {
  stage.stored = Promise.resolve(null);
  await machine().start();
  expect(stage.done).toEqual(['outbox waits', 'credentials_rejected', 'outbox gives back']);
});

test('a session that is ended while a pairing begins neither connects nor drops the keys that are there', async () => {
  const keys = Promise.withResolvers<string>();
  stage.stored = keys.promise;
  const session = machine();
  const paired = session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  await session.end();
  keys.resolve(linked);
  await paired;
  expect(stage.done).toEqual(['is closed', 'is closed', 'outbox gives back']);
});

test('a session connects when it is certain that its lease holds, and not where it was ended until then', async () => {
  const lease = Promise.withResolvers<void>();
  stage.certain = lease.promise;
  const [session, ended] = [machine(), machine()];
  void session.start();
  void ended.start();
  await vi.advanceTimersByTimeAsync(0);
  await ended.end();
  expect(stage.done).not.toContain('connects');
  lease.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(stage.done.filter((what) => what === 'connects')).toHaveLength(1);
});

test('a device that its phone has removed loses its keys, and nothing brings its session back', async () => {
  await openSession();
  stage.opened[0]?.onClose({ code: connectionCodes.loggedOut, detail: '' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(stage.done).toEqual(['is closed', 'creds are gone', 'logged_out_by_phone', 'outbox gives back']);
});

test('a pairing for which the network wants a passkey has failed, and its connection ends', async () => {
  await machine().pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.done = [];
  stage.opened[0]?.onPasskeyRequested();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(stage.done).toEqual(['pairing.failed', 'is closed']);
});

test('connections that do not come about are tried ever more seldom, too', async () => {
  await machine().start();
  await vi.advanceTimersByTimeAsync(0);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const lostAt = Date.now();
    stage.opened.at(-1)?.onClose(lost);
    while (stage.opened.length === attempt) await vi.advanceTimersToNextTimerAsync();
    waits.push(Date.now() - lostAt);
  }
  expect(waits).toEqual([999, 1_998, 3_996]);
});

test('a session that is stopped while it waits to come back does not come back', async () => {
  const session = await openSession();
  stage.opened[0]?.onClose(lost);
  await session.stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(stage.done).not.toContain('connects');
});

test('every connection is closed that a session gives up itself, also where the network fails a logout', async () => {
  const gives: ((session: Awaited<ReturnType<typeof openSession>>) => Promise<void>)[] = [
    (session) => session.stop(),
    (session) => session.end(),
    (session) => {
      stage.loggedOut = Promise.reject(new Error('Connection Closed'));
      return session.logOut();
    },
    async (session) => {
      const renewed = session.renew();
      stage.probe.resolve(true);
      await renewed;
    },
  ];
  for (const [index, giveUp] of gives.entries()) {
    await giveUp(await openSession());
    expect(stage.closes).toBe(index + 1);
  }
});

test('that a session is open counts once, however often the network says it', async () => {
  await openSession();
  stage.opened[0]?.onOpen(phoneNumber);
  expect([stage.done, stage.counted]).toEqual([[], ['login: opened', 'open']]);
});

test('while a session begins, keys are read of the people to whom messages wait, and of no group', async () => {
  stage.recipients = new Set(['628222222222', '120363000000000042@g.us']);
  await machine().start();
  await vi.advanceTimersByTimeAsync(0);
  const about = (to: string) => stage.read.some((key) => key.includes(to));
  expect([about('628222222222'), about('120363000000000042')]).toEqual([true, false]);
});

test('a session that is ended while it reads keys that it cannot open says nothing of them', async () => {
  stage.unreadable = 'device-list/';
  const session = machine();
  const started = session.start(undefined, ['628222222222']);
  await Promise.resolve();
  await Promise.resolve();
  await session.end();
  await started;
  expect(stage.done).not.toContain('credentials_rejected');
});
