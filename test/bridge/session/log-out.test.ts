import { expect, test, vi } from 'vitest';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import { lost, machine, openSession, phoneNumber, stage, useMachine } from './machine-stage.ts';

useMachine();

const off = ['creds are gone', 'logged_out_on_request', 'outbox gives back'];
const settle = () => vi.advanceTimersByTimeAsync(0);

test('a network that does not confirm a log-out is asked again over another connection, with the keys that are kept until then', async () => {
  const session = await openSession();
  const leaving = session.logOut();
  await vi.advanceTimersByTimeAsync(5_000);
  await leaving;
  expect(stage.done).toEqual(['is closed', 'requested', 'outbox gives back']);
  await vi.advanceTimersByTimeAsync(999);
  stage.loggedOut = Promise.resolve();
  stage.opened[1]?.onOpen(phoneNumber);
  await settle();
  expect([stage.done.slice(3), stage.closes]).toEqual([['connects', 'login is over', ...off], 2]);
});

test('a device that is logged out while its session waits, logs in or was stopped logs in once more for that alone', async () => {
  const waits = await openSession();
  stage.opened[0]?.onClose(lost);
  const stopped = await openSession();
  await stopped.stop();
  const logsIn = machine();
  await logsIn.start();
  await settle();
  for (const session of [waits, stopped, logsIn, machine()]) {
    stage.done = [];
    await session.logOut();
    await session.logOut();
    await settle();
    expect(stage.done.slice(-3)).toEqual(['requested', 'outbox gives back', 'connects']);
    stage.done = [];
    stage.loggedOut = Promise.resolve();
    stage.opened.at(-1)?.onOpen(phoneNumber);
    await settle();
    expect(stage.done).toEqual(['login is over', ...off]);
  }
});

test('a log-out is tried for as long as the network is away, and is done where the network does not know the device any more', async () => {
  stage.othersLogIn = true;
  const session = machine();
  await session.start();
  stage.othersLogIn = false;
  await session.logOut();
  await settle();
  for (let losses = 0; losses < 12; losses += 1) {
    const { length } = stage.opened;
    stage.opened.at(-1)?.onClose(losses === 5 ? { code: connectionCodes.restartRequired, detail: '' } : lost);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(stage.opened).toHaveLength(length + 1);
  }
  expect(stage.done.filter((what) => what === 'requested')).toHaveLength(1);
  expect(stage.done).not.toContain('creds are gone');
  stage.done = [];
  stage.opened.at(-1)?.onClose({ code: connectionCodes.loggedOut, detail: '' });
  expect(stage.done).toEqual(['login is over', 'is closed', ...off]);
});

test('a connection that ends while the network is asked to log out counts once, by how it has ended', async () => {
  const session = await openSession();
  stage.loggedOut = Promise.reject(new Error('Connection Closed'));
  const leaving = session.logOut();
  stage.opened[0]?.onClose({ code: connectionCodes.loggedOut, detail: '' });
  await leaving;
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(stage.done).toEqual(['is closed', 'is closed', ...off]);
});

test('nobody can take the device of a banned number off its phone: that it is banned is the end of it', async () => {
  await machine().logOut();
  await settle();
  stage.done = [];
  stage.opened[0]?.onClose({ code: connectionCodes.banned, detail: '' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(stage.done).toEqual(['login is over', 'is closed', 'creds are gone', 'banned', 'outbox gives back']);
});

test('where no device is linked there is nothing to log out, and what cannot be read is kept', async () => {
  stage.stored = Promise.resolve(null);
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.done = [];
  await session.logOut();
  expect(stage.done).toEqual(['is closed', 'requested', 'outbox gives back', ...off]);
  stage.unreadable = 'creds';
  stage.done = [];
  await expect(machine().logOut()).rejects.toThrow('sealed under another key');
  expect(stage.done).toEqual(['is closed', 'requested', 'outbox gives back']);
});

test('a session that ends, or that pairs anew, logs nothing out any more', async () => {
  const [ended, paired] = [machine(), machine()];
  for (const session of [ended, paired]) {
    await session.logOut();
    await settle();
  }
  await ended.end();
  await paired.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  stage.done = [];
  stage.opened[0]?.onOpen(phoneNumber);
  stage.opened[1]?.onOpen(phoneNumber);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stage.done).toEqual([]);
  stage.opened[2]?.onClose({ code: connectionCodes.loggedOut, detail: '' });
  expect(stage.done).toEqual(['is closed', 'pairing.failed', 'is closed']);
});
