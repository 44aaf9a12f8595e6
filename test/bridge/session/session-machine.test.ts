import { initAuthCreds } from '@whiskeysockets/baileys';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  defaultSessionSettings,
  type SessionSettings,
} from '../../../src/contract/bridge/session-settings.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type { NetworkEvents } from '../../../src/session-bridge/network/connection/connection.ts';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import { SessionMachine } from '../../../src/session-bridge/session/machine/session-machine.ts';
import type { SessionMachineOptions } from '../../../src/session-bridge/session/machine/session-options.ts';

const phoneNumber = '628111111111';
const catchUpWaitMs = 5_000;
const stableAfterMs = 60_000;
const reconnectCapMs = 300_000;
const lost = { code: connectionCodes.closed, detail: '' };

/** What the machine has done, in order. */
let done: string[];
/** The connections that were opened, each by what the network tells over it. */
let opened: NetworkEvents[];
/** By which proxy each of them goes. */
let proxies: SessionSettings['proxyUrl'][];
/** How the network answers when it is asked for a sign of life. */
let probe: PromiseWithResolvers<boolean>;
/** Other numbers of the bridge log in first. */
let othersLogIn: boolean;
/** Messages wait to be sent. */
let hasMessages: boolean;
/** With each loss that is told, when the network was heard of last. */
let lastSeen: string[];
/** What the vault has, and when it says so. */
let stored: Promise<string | null>;
/** Of each login that was asked for whether it goes before others. */
let urgent: boolean[];
/** Nothing of this kind can be read from the vault. */
let unreadable: string | null;
/** No connection can even be begun. */
let opensNone: boolean;
/** Resolves when it is certain that the lease holds. */
let certain: Promise<void>;
/** What the bridge has counted, in order. */
let counted: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  done = [];
  opened = [];
  proxies = [];
  probe = Promise.withResolvers();
  othersLogIn = false;
  hasMessages = false;
  lastSeen = [];
  stored = Promise.resolve(linked);
  urgent = [];
  unreadable = null;
  opensNone = false;
  certain = Promise.resolve();
  counted = [];
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const linked = JSON.stringify({
  generation: 'g',
  pairingId: 'linked before',
  creds: { ...initAuthCreds(), account: {}, me: { id: `${phoneNumber}:1@s.whatsapp.net` } },
});

/** A session whose device is linked, over a network that the test plays. */
function machine(): SessionMachine {
  const did = (what: string) => () => {
    done.push(what);
  };
  const options = {
    config: {
      timings: { reconnectBaseMs: 1_000, reconnectCapMs, stableAfterMs, catchUpWaitMs, pairingMs: 60_000 },
    },
    open: ({ events, settings }: { events: NetworkEvents; settings: () => SessionSettings }) => {
      if (opensNone) throw new Error('no way to the network');
      opened.push(events);
      proxies.push(settings().proxyUrl);
      done.push('connects');
      return {
        close: async () => {},
        probe: () => probe.promise,
        logout: () => new Promise(() => {}),
        settingsChanged: did('shows itself by its settings'),
        lastHeardAtMs: Date.now(),
      };
    },
    facts: {
      append: ({ type, reason, lastSeenAt }: { type: string; reason?: string; lastSeenAt?: string }) => {
        done.push(reason ?? type);
        if (lastSeenAt !== undefined) lastSeen.push(lastSeenAt);
      },
    },
    vault: {
      read: async (keys: string[]) => {
        const creds = await stored;
        if (keys.some((key) => unreadable !== null && key.startsWith(unreadable)))
          throw new Error('sealed under another key');
        return new Map(keys.map((key) => [key, key === 'creds' ? creds : null]));
      },
      write: ([[key, value]]: [[string, string | null]]) => {
        if (value === null) done.push(`${key} are gone`);
      },
    },
    outbox: {
      recipients: new Set<string>(),
      get hasMessages() {
        return hasMessages;
      },
      expectConnection: did('outbox waits'),
      opened: did('outbox sends'),
      caughtUp: did('outbox has all signs'),
      lost: did('outbox gives back'),
    },
    versions: { current: async () => undefined, expire: did('another version is asked for') },
    logins: {
      ask: (isUrgent: boolean, begin: () => void) => {
        urgent.push(isUrgent);
        if (!othersLogIn) queueMicrotask(begin);
        return { end: did('login is over') };
      },
    },
    fence: { opened: () => certain },
    counting: {
      sessionOpened: () => counted.push('open'),
      sessionClosed: () => counted.push('closed'),
      lost: (reason: string) => counted.push(`lost: ${reason}`),
      login: (result: string) => counted.push(`login: ${result}`),
    },
    messages: { onReceipt: did('a receipt is heard') },
    onOpened: () => {},
    onClosed: did('is closed'),
    log: makeLog('silent'),
  };
  return new SessionMachine(options as unknown as SessionMachineOptions);
}

/** One that is open; what it did so far is forgotten. */
async function openSession() {
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  opened.at(-1)?.onOpen(phoneNumber);
  done = [];
  return session;
}

test('a session that is stopped before its login gives back what waited for it, and is not logged in any more', async () => {
  othersLogIn = true;
  const session = machine();
  await session.start();
  expect(done).toEqual(['outbox waits']);
  await session.stop(false);
  expect(done.slice(1)).toEqual(['login is over', 'is closed', 'requested', 'outbox gives back']);
});

test('a session that is lost while it is asked for a sign of life is lost once, and waits as after any loss', async () => {
  const session = await openSession();
  const renewed = session.renew();
  opened[0]?.onClose(lost);
  probe.resolve(false);
  await renewed;
  await vi.advanceTimersByTimeAsync(998);
  expect(done).toEqual(['is closed', 'connection_closed', 'outbox gives back']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done.at(-1)).toBe('connects');
});

test('a session that is over was seen last when something was heard of the network, whatever ends it', async () => {
  const session = await openSession();
  const heardAt = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(9_000);
  opened[0]?.onClose(lost);
  expect(lastSeen).toEqual([heardAt]);
  while (opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  opened[1]?.onOpen(phoneNumber);
  const heardAgainAt = new Date().toISOString();
  await vi.advanceTimersByTimeAsync(9_000);
  await session.stop(false);
  expect(lastSeen).toEqual([heardAt, heardAgainAt]);
});

test('a session that was lost, stopped and wanted again tells that it is lost once more', async () => {
  const session = await openSession();
  opened[0]?.onClose(lost);
  await session.stop(false);
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  done = [];
  opened[1]?.onClose(lost);
  expect(done).toEqual(['login is over', 'is closed', 'connection_closed', 'outbox gives back']);
});

test('a deaf session tells that it is lost before its messages go back, so that none comes again at once', async () => {
  const session = await openSession();
  const renewed = session.renew();
  probe.resolve(false);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['is closed', 'session_deaf', 'outbox gives back', 'outbox waits', 'connects']);
});

test('what waited for the device of before is given back when another one is paired', async () => {
  const session = await openSession();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  expect(done).toEqual(['is closed', 'outbox gives back', 'creds are gone', 'connects']);
  await session.end();
});

test('what the network does not say to be the end of what waited there is waited for only so long', async () => {
  await openSession();
  await vi.advanceTimersByTimeAsync(catchUpWaitMs - 1);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['outbox has all signs']);
});

/** How long the session waits when it is lost now. */
async function waitAfterLoss(): Promise<number> {
  const [before, lostAt] = [opened.length, Date.now()];
  opened.at(-1)?.onClose(lost);
  while (opened.length === before) await vi.advanceTimersToNextTimerAsync();
  opened.at(-1)?.onOpen(phoneNumber);
  return Date.now() - lostAt;
}

test('what the network has said to be all before the session was open is not waited for', async () => {
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  opened[0]?.onCaughtUp();
  opened[0]?.onOpen(phoneNumber);
  expect(done.slice(-2)).toEqual(['outbox sends', 'outbox has all signs']);
});

test('a network that does not answer a logout is waited for only so long, and the credentials go all the same', async () => {
  const session = await openSession();
  const stopped = session.stop(true);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(done).toEqual(['is closed', 'creds are gone', 'logged_out_on_request', 'outbox gives back']);
});

test('a restart that the network asks for is no loss: what comes meanwhile waits for it', async () => {
  await openSession();
  opened[0]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['is closed', 'outbox gives back', 'outbox waits', 'connects']);
});

test('a session that was banned comes back when it is wanted again, with the keys that it has', async () => {
  const session = await openSession();
  opened[0]?.onClose({ code: connectionCodes.banned, detail: '' });
  expect(done).toEqual(['is closed', 'banned', 'outbox gives back']);
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(done.at(-1)).toBe('connects');
});

test('a client that is too old for the network asks for another version before it comes back', async () => {
  await openSession();
  opened[0]?.onClose({ code: connectionCodes.clientOutdated, detail: '' });
  expect(done.slice(1, 3)).toEqual(['another version is asked for', 'client_outdated']);
});

test('whoever may have had a message by another bridge gets the next one under keys that no other was sent with', async () => {
  await machine().start(undefined, ['628222222222', '120363000000000042@g.us']);
  await vi.advanceTimersByTimeAsync(0);
  expect(done[1]).toMatch(/^session\/.* are gone$/);
  expect(done.at(-1)).toBe('connects');
  done = [];
  await machine().start();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['outbox waits', 'connects']);
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
  hasMessages = true;
  await machine().start();
  expect(urgent).toEqual([false, true]);
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
  expect(proxies).toEqual([proxyUrl]);
  await session.end();
});

test('a session that is open goes another way as soon as its proxy is another one, or is taken away', async () => {
  const session = await openSession();
  const proxyUrl = 'socks5://proxy.example.com:1080';
  for (const next of [proxyUrl, null]) {
    await session.start({ ...defaultSessionSettings, proxyUrl: next });
    await vi.advanceTimersByTimeAsync(0);
    opened.at(-1)?.onOpen(phoneNumber);
  }
  expect(proxies).toEqual([null, proxyUrl, null]);
});

test('a session that is open shows itself as its settings say as soon as they are others, without another connection', async () => {
  const session = await openSession();
  done.length = 0;
  await session.start({ ...defaultSessionSettings, presence: 'available' });
  expect(done).toContain('shows itself by its settings');
  expect(done).not.toContain('connects');
});

test('a session that is ended before its keys are there says nothing of them', async () => {
  const keys = Promise.withResolvers<null>();
  stored = keys.promise;
  const session = machine();
  const started = session.start();
  await session.end();
  keys.resolve(null);
  await started;
  expect(done).toEqual(['outbox waits', 'is closed']);
});

test('a session whose pairing was broken off is started when it is wanted', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  await session.stop(false);
  done = [];
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['outbox waits', 'connects']);
});

test('a session whose keys to whom it writes cannot be read says so, and is started when it is wanted again', async () => {
  unreadable = 'device-list/';
  const session = machine();
  await session.start(undefined, ['628222222222']);
  expect(done).toEqual(['outbox waits', 'credentials_rejected', 'outbox gives back']);
  unreadable = null;
  await session.start(undefined, ['628222222222']);
  await vi.advanceTimersByTimeAsync(0);
  expect(done.at(-1)).toBe('connects');
});

test('a connection that cannot even be begun is lost as any other: other numbers log in, and it is tried again', async () => {
  opensNone = true;
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(done.slice(1)).toEqual(['login is over', 'is closed', 'network_unavailable', 'outbox gives back']);
  opensNone = false;
  await vi.advanceTimersByTimeAsync(999);
  expect(done.at(-1)).toBe('connects');
  await session.end();
});

test('a pairing whose connection cannot even be begun tries it again', async () => {
  opensNone = true;
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  opensNone = false;
  await vi.advanceTimersByTimeAsync(999);
  expect(done.at(-1)).toBe('connects');
  await session.end();
});

test('a bridge counts each login of a linked device by how it went, and each loss of an open session by its reason', async () => {
  await openSession();
  expect(counted).toEqual(['login: opened', 'open']);
  opened[0]?.onClose(lost);
  while (opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  opened[1]?.onClose({ code: connectionCodes.lostOrTimedOut, detail: '' });
  expect(counted.slice(2)).toEqual(['lost: connection_closed', 'closed', 'login: connection_lost']);
});

test('a session that is renewed counts as lost, and one that is to restart or to stop does not', async () => {
  const session = await openSession();
  const renewed = session.renew();
  probe.resolve(true);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  opened[1]?.onOpen(phoneNumber);
  expect(counted.slice(2)).toEqual(['lost: session_deaf', 'closed', 'login: opened', 'open']);
  opened[1]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  await vi.advanceTimersByTimeAsync(0);
  opened[2]?.onOpen(phoneNumber);
  await session.stop(false);
  expect(counted.slice(6)).toEqual(['closed', 'login: opened', 'open', 'closed']);
});

test('a pairing counts as no login, whatever becomes of its connections', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  opened[0]?.onClose(lost);
  while (opened.length === 1) await vi.advanceTimersToNextTimerAsync();
  opened[1]?.onPaired();
  opened[1]?.onClose({ code: connectionCodes.restartRequired, detail: '' });
  expect([counted, done.at(-2), done.at(-1)]).toEqual([[], 'outbox gives back', 'outbox waits']);
  await session.end();
});

test('of a connection that was given up only messages are heard: what else it says concerns the one behind it', async () => {
  const session = await openSession();
  const renewed = session.renew();
  probe.resolve(true);
  await renewed;
  await vi.advanceTimersByTimeAsync(0);
  const [before, now] = opened;
  done = [];
  before?.onCaughtUp();
  before?.onOpen(phoneNumber);
  before?.onPasskeyRequested();
  before?.onClose(lost);
  expect(done).toEqual([]);
  before?.onReceipt({} as Parameters<NetworkEvents['onReceipt']>[0]);
  now?.onOpen(phoneNumber);
  expect(done).toEqual(['a receipt is heard', 'login is over', 'session.connected', 'outbox sends']);
});

test('a session that is wanted again while it logs in, or waits to come back, has one connection', async () => {
  const session = machine();
  await session.start();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  await session.start();
  opened[0]?.onClose(lost);
  await session.start();
  expect(done.filter((what) => what === 'connects')).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(done.filter((what) => what === 'connects')).toHaveLength(2);
});

test('a pairing that is under way is not disturbed where the session is wanted', async () => {
  const session = machine();
  await session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  done = [];
  await session.start();
  expect(done).toEqual([]);
  await session.end();
});

test('the request that has linked a device changes nothing when it comes again, in this session or to the next bridge', async () => {
  const request = { type: 'session.pair', pairingId: 'linked before', method: 'qr' } as const;
  const session = await openSession();
  await session.pair(request);
  expect(done).toEqual([]);
  await machine().pair(request);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['is closed', 'outbox gives back', 'outbox waits', 'connects']);
});

test('a session without a linked device says so, and gives back what waits', async () => {
  stored = Promise.resolve(null);
  await machine().start();
  expect(done).toEqual(['outbox waits', 'credentials_rejected', 'outbox gives back']);
});

test('a session that is ended while a pairing begins neither connects nor drops the keys that are there', async () => {
  const keys = Promise.withResolvers<string>();
  stored = keys.promise;
  const session = machine();
  const paired = session.pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  await session.end();
  keys.resolve(linked);
  await paired;
  expect(done).toEqual(['is closed', 'is closed', 'outbox gives back']);
});

test('a device that is to be logged out while it is not connected loses its keys', async () => {
  othersLogIn = true;
  const session = machine();
  await session.start();
  await session.stop(true);
  expect(done.slice(2)).toEqual([
    'is closed',
    'creds are gone',
    'logged_out_on_request',
    'outbox gives back',
  ]);
});

test('a session connects when it is certain that its lease holds, and not where it was ended until then', async () => {
  const lease = Promise.withResolvers<void>();
  certain = lease.promise;
  const [session, ended] = [machine(), machine()];
  void session.start();
  void ended.start();
  await vi.advanceTimersByTimeAsync(0);
  await ended.end();
  expect(done).not.toContain('connects');
  lease.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(done.filter((what) => what === 'connects')).toHaveLength(1);
});

test('a device that its phone has removed loses its keys, and nothing brings its session back', async () => {
  await openSession();
  opened[0]?.onClose({ code: connectionCodes.loggedOut, detail: '' });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(done).toEqual(['is closed', 'creds are gone', 'logged_out_by_phone', 'outbox gives back']);
});

test('a pairing for which the network wants a passkey has failed, and its connection ends', async () => {
  await machine().pair({ type: 'session.pair', pairingId: 'another', method: 'qr' });
  done = [];
  opened[0]?.onPasskeyRequested();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(done).toEqual(['pairing.failed', 'is closed']);
});
