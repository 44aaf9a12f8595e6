import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  callbacksMax,
  grantShare,
  type HostShares,
  sharedOut,
  shareMax,
  shareMs,
} from '../../../src/durable/callback-host/host-shares.ts';
import { HostLoad } from '../../../src/durable/event-log/deliveries/attempts/host-load.ts';
import { leaseMs } from '../../../src/durable/event-log/deliveries/delivery-order.ts';

test('accounts that make as many callbacks to a host as they may stay within its bound together, whoever asks when', () => {
  const step = fc.record({
    account: fc.integer({ min: 0, max: 30 }),
    passedMs: fc.integer({ min: 0, max: shareMs }),
    /** What the account has begun of what it may have under way. */
    begun: fc.double({ min: 0, max: 1, noNaN: true }),
    wanted: fc.integer({ min: 1, max: 2 * shareMax }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let [shares, now]: [HostShares, number] = [{}, 0];
      const underWay = new Map<
        string,
        { callbacks: number; endsAt: number; mayHave: number; until: number }
      >();
      for (const { account, passedMs, begun, wanted } of steps) {
        now += passedMs;
        const accountId = String(account);
        const before = underWay.get(accountId);
        const running = before !== undefined && before.endsAt > now ? before.callbacks : 0;
        const given = grantShare(shares, { accountId, underWay: running, wanted }, now);
        shares = given.shares;
        const { callbacks: mayHave, until } = given.granted;
        // What was under way goes on; more begins only up to the new share, and at its last moment at the latest.
        const callbacks = Math.max(running, Math.floor(mayHave * begun));
        underWay.set(accountId, { callbacks, mayHave, until, endsAt: until + leaseMs });
        const all = [...underWay.values()].filter(({ endsAt }) => endsAt > now);
        const most = all.reduce((sum, it) => sum + it.callbacks, 0);
        expect(most).toBeLessThanOrEqual(callbacksMax);
        expect(sharedOut(shares, now)).toBeLessThanOrEqual(callbacksMax);
        expect(mayHave).toBeLessThanOrEqual(Math.min(shareMax, wanted));
      }
    }),
  );
});

test('whoever comes late finds something left, and finds more when the shares of others are over', () => {
  let shares: HostShares = {};
  const given = (accountId: string, now: number) => {
    const { shares: after, granted } = grantShare(shares, { accountId, underWay: 0, wanted: shareMax }, now);
    shares = after;
    return granted.callbacks;
  };
  const first = Array.from({ length: 8 }, (_, index) => given(`account ${index}`, 0));
  expect(first).toEqual([200, 200, 200, 200, 100, 50, 25, 13]);
  expect(given('account 7', 1_000)).toBe(13);
  expect(given('late', shareMs)).toBe(6);
  expect(given('late', shareMs + leaseMs)).toBe(200);
  // What is over is not kept, however many accounts have asked.
  expect(Object.keys(shares)).toEqual(['account 7', 'late']);
});

test('whoever has a use for a few leaves the rest of the host to others', () => {
  let shares: HostShares = {};
  for (let index = 0; index < 30; index += 1) {
    const asked = { accountId: `account ${index}`, underWay: 6, wanted: 12 };
    const given = grantShare(shares, asked, index);
    shares = given.shares;
    expect(given.granted.callbacks).toBe(12);
  }
});

test('what an account has under way by its former share is counted, though it has use for less now', () => {
  const { shares } = grantShare({}, { accountId: 'a', underWay: 0, wanted: shareMax }, 0);
  const after = grantShare(shares, { accountId: 'a', underWay: shareMax, wanted: 1 }, 1_000);
  expect(after.granted.callbacks).toBe(1);
  expect(sharedOut(after.shares, 1_000)).toBe(shareMax);
});

test('what an account has under way beyond its share takes nothing from others', () => {
  const { shares } = grantShare({}, { accountId: 'a', underWay: 500, wanted: 1 }, 0);
  expect(sharedOut(shares, 0)).toBe(1);
});

test('who asks while more is under way than a host may have gets nothing, and not less than that', () => {
  // One account's clock is behind: what it had under way by a share that is over is counted all the same.
  const over: HostShares = { behind: { callbacks: shareMax, until: -leaseMs } };
  const full = Object.fromEntries(
    Array.from({ length: callbacksMax / shareMax }, (_, index) => [
      `account ${index}`,
      { callbacks: shareMax, until: shareMs },
    ]),
  );
  const { shares } = grantShare({ ...over, ...full }, { accountId: 'behind', underWay: 50 }, 0);
  expect(grantShare(shares, { accountId: 'late', underWay: 0 }, 0).granted.callbacks).toBe(0);
});

test('an account that uses its share asks for the next one before it ends, and half of it long for none', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const asked: { host: string; underWay: number; wanted: number }[] = [];
  const work: Promise<unknown>[] = [];
  const hosts = new HostLoad({
    ask: async (host, { underWay, wanted = 0 }) => {
      asked.push({ host, underWay, wanted });
      return { callbacks: wanted, until: Date.now() + shareMs };
    },
    waitUntil: (it) => void work.push(it),
    onRoom: () => {},
  });
  const begin = async (passedMs: number, attempts: number) => {
    vi.setSystemTime(Date.now() + passedMs);
    const room = hosts.roomFor('host', attempts, false);
    hosts.begin('host', room);
    await Promise.all(work.splice(0));
    return room;
  };
  // The first callbacks need no share; more have to wait for one.
  expect([await begin(0, 6), await begin(0, 6)]).toEqual([6, 0]);
  expect(asked).toEqual([{ host: 'host', underWay: 6, wanted: 24 }]);
  expect(await begin(shareMs / 2, 6)).toBe(6);
  expect(asked).toHaveLength(1);
  expect(await begin(1, 1)).toBe(1);
  // What is under way, so that it is counted, and room for twice as much.
  expect(asked.slice(1)).toEqual([{ host: 'host', underWay: 12, wanted: 24 }]);
  expect(await begin(shareMs / 2 - 1, 11)).toBe(11);
});

test('an account that got all that it asked for asks again as soon as it needs more; one that got less, a second later', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  const asked: number[] = [];
  const work: Promise<unknown>[] = [];
  const hosts = new HostLoad({
    ask: async (_, { wanted = 0 }) => {
      asked.push(wanted);
      return { callbacks: Math.min(wanted, 40), until: Date.now() + shareMs };
    },
    waitUntil: (it) => void work.push(it),
    onRoom: () => {},
  });
  const begin = async (attempts: number) => {
    hosts.begin('host', hosts.roomFor('host', attempts, false));
    await Promise.all(work.splice(0));
  };
  await begin(6);
  await begin(6);
  expect(asked).toEqual([24]);
  await begin(18);
  await begin(1);
  expect(asked).toEqual([24, 48]);
  await begin(16);
  await begin(1);
  vi.setSystemTime(Date.now() + 999);
  await begin(1);
  expect(asked).toEqual([24, 48]);
  vi.setSystemTime(Date.now() + 1);
  await begin(1);
  expect(asked).toEqual([24, 48, 80]);
});

test('an account of a release that does not say what it has a use for gets what there is', () => {
  expect(grantShare({}, { accountId: 'a', underWay: 6 }, 0).granted.callbacks).toBe(shareMax);
});

test('callbacks that end together leave all of their room', () => {
  const ask = async () => ({ callbacks: 0, until: 0 });
  const load = new HostLoad({ ask, waitUntil: () => {}, onRoom: () => {} });
  load.begin('receiver.example.com', 6);
  load.end('receiver.example.com', 6);
  expect(load.roomFor('receiver.example.com', 4, false)).toBe(4);
});

test('whoever has to wait for a host hears once when callbacks to it end, and when there is a share', async () => {
  const work: Promise<unknown>[] = [];
  const onRoom = vi.fn();
  const ask = async () => ({ callbacks: 24, until: Date.now() + shareMs });
  const load = new HostLoad({ ask, waitUntil: (it) => void work.push(it), onRoom });
  load.begin('host', 6);
  expect(load.end('host', 1)).toBe(false);
  expect(load.roomFor('host', 4, false)).toBe(0);
  expect([load.end('host', 1), load.end('host', 1)]).toEqual([true, false]);
  expect(load.roomFor('host', 4, false)).toBe(0);
  await Promise.all(work);
  expect(onRoom.mock.calls).toEqual([['host']]);
});

test('a share that is never given is asked for again', async () => {
  vi.useFakeTimers();
  const faults = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    vi.useRealTimers();
    faults.mockRestore();
  });
  const ask = vi.fn(() => new Promise<never>(() => {}));
  const load = new HostLoad({ ask, waitUntil: () => {}, onRoom: () => {} });
  load.begin('receiver.example.com', 6);
  load.roomFor('receiver.example.com', 6, false);
  await vi.advanceTimersByTimeAsync(9_999);
  load.roomFor('receiver.example.com', 6, false);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  load.roomFor('receiver.example.com', 6, false);
  expect(ask).toHaveBeenCalledTimes(2);
});
