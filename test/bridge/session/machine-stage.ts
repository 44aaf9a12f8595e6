import { initAuthCreds } from '@whiskeysockets/baileys';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SessionSettings } from '../../../src/contract/bridge/session-settings.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type { NetworkEvents } from '../../../src/session-bridge/network/connection/connection.ts';
import { connectionCodes } from '../../../src/session-bridge/network/connection/connection-end.ts';
import { SessionMachine } from '../../../src/session-bridge/session/machine/session-machine.ts';
import type { SessionMachineOptions } from '../../../src/session-bridge/session/machine/session-options.ts';

export const phoneNumber = '628111111111';
export const catchUpWaitMs = 5_000;
export const stableAfterMs = 60_000;
const reconnectCapMs = 300_000;
export const lost = { code: connectionCodes.closed, detail: '' };

export const linked = JSON.stringify({
  generation: 'g',
  pairingId: 'linked before',
  creds: { ...initAuthCreds(), account: {}, me: { id: `${phoneNumber}:1@s.whatsapp.net` } },
});

const atBeginning = () => ({
  /** What the machine has done, in order. */
  done: [] as string[],
  /** The connections that were opened, each by what the network tells over it. */
  opened: [] as NetworkEvents[],
  /** With which keys each of them was. */
  keys: [] as unknown[],
  /** By which proxy each of them goes. */
  proxies: [] as SessionSettings['proxyUrl'][],
  /** How often one was closed from here. */
  closes: 0,
  /** How the network answers when it is asked for a sign of life. */
  probe: Promise.withResolvers<boolean>(),
  /** How it answers to a logout. */
  loggedOut: new Promise<void>(() => {}),
  /** Other numbers of the bridge log in first. */
  othersLogIn: false,
  /** Messages wait to be sent. */
  hasMessages: false,
  /** To whom. */
  recipients: new Set<string>(),
  /** With each loss that is told, when the network was heard of last. */
  lastSeen: [] as string[],
  /** What the vault has, and when it says so. */
  stored: Promise.resolve(linked) as Promise<string | null>,
  /** What was read from it. */
  read: [] as string[],
  /** Of each login that was asked for whether it goes before others. */
  urgent: [] as boolean[],
  /** Nothing of this kind can be read from the vault. */
  unreadable: null as string | null,
  /** No connection can even be begun. */
  opensNone: false,
  /** Resolves when it is certain that the lease holds. */
  certain: Promise.resolve(),
  /** What the bridge has counted, in order. */
  counted: [] as string[],
});

/** What happens around a session machine. Begins anew with each test. */
export const stage = atBeginning();

/** Call in a file of tests that have a session machine, before them. */
export function useMachine(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    Object.assign(stage, atBeginning());
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

/** A session whose device is linked, over a network that the test plays. */
export function machine(): SessionMachine {
  const did = (what: string) => () => {
    stage.done.push(what);
  };
  const options = {
    config: {
      timings: { reconnectBaseMs: 1_000, reconnectCapMs, stableAfterMs, catchUpWaitMs, pairingMs: 60_000 },
    },
    open: ({
      keys,
      events,
      settings,
    }: {
      keys: unknown;
      events: NetworkEvents;
      settings: () => SessionSettings;
    }) => {
      if (stage.opensNone) throw new Error('no way to the network');
      stage.opened.push(events);
      stage.keys.push(keys);
      stage.proxies.push(settings().proxyUrl);
      stage.done.push('connects');
      return {
        close: async () => {
          stage.closes += 1;
        },
        probe: () => stage.probe.promise,
        logout: () => stage.loggedOut,
        settingsChanged: did('shows itself by its settings'),
        lastHeardAtMs: Date.now(),
      };
    },
    facts: {
      append: ({ type, reason, lastSeenAt }: { type: string; reason?: string; lastSeenAt?: string }) => {
        stage.done.push(reason ?? type);
        if (lastSeenAt !== undefined) stage.lastSeen.push(lastSeenAt);
      },
    },
    vault: {
      read: async (keys: string[]) => {
        stage.read.push(...keys);
        const creds = await stage.stored;
        if (keys.some((key) => stage.unreadable !== null && key.startsWith(stage.unreadable)))
          throw new Error('sealed under another key');
        return new Map(keys.map((key) => [key, key === 'creds' ? creds : null]));
      },
      write: ([[key, value]]: [[string, string | null]]) => {
        if (value === null) stage.done.push(`${key} are gone`);
      },
    },
    outbox: {
      get recipients() {
        return stage.recipients;
      },
      get hasMessages() {
        return stage.hasMessages;
      },
      expectConnection: did('outbox waits'),
      opened: did('outbox sends'),
      caughtUp: did('outbox has all signs'),
      lost: did('outbox gives back'),
    },
    versions: { current: async () => undefined, expire: did('another version is asked for') },
    logins: {
      ask: (isUrgent: boolean, begin: () => void) => {
        stage.urgent.push(isUrgent);
        if (!stage.othersLogIn) queueMicrotask(begin);
        return { end: did('login is over') };
      },
    },
    fence: { opened: () => stage.certain },
    counting: {
      sessionOpened: () => stage.counted.push('open'),
      sessionClosed: () => stage.counted.push('closed'),
      lost: (reason: string) => stage.counted.push(`lost: ${reason}`),
      login: (result: string) => stage.counted.push(`login: ${result}`),
    },
    messages: { onReceipt: did('a receipt is heard') },
    onOpened: () => {},
    onClosed: did('is closed'),
    log: makeLog('silent'),
  };
  return new SessionMachine(options as unknown as SessionMachineOptions);
}

/** One that is open; what it did so far is forgotten. */
export async function openSession() {
  const session = machine();
  await session.start();
  await vi.advanceTimersByTimeAsync(0);
  stage.opened.at(-1)?.onOpen(phoneNumber);
  stage.done = [];
  return session;
}

/** How long the session waits when it is lost now. */
export async function waitAfterLoss(): Promise<number> {
  const [before, lostAt] = [stage.opened.length, Date.now()];
  stage.opened.at(-1)?.onClose(lost);
  while (stage.opened.length === before) await vi.advanceTimersToNextTimerAsync();
  stage.opened.at(-1)?.onOpen(phoneNumber);
  return Date.now() - lostAt;
}
