import { describe, expect, test } from 'vitest';
import { CurrentPool } from '../../../../src/durable/account/senders/current-pool.ts';
import { Senders } from '../../../../src/durable/account/senders/senders.ts';
import { type KnownNumber, knownAccount, now, resting, restricted } from './known-account.ts';

function newPool(numbers: Record<string, KnownNumber>) {
  const account = knownAccount(numbers);
  const pool = new CurrentPool(account.senders);
  const { configuration, senders } = account;
  /** Which numbers can send at that time, those of the pool in turn. */
  const ready = (at = now, current = configuration): string[] => {
    const found: string[] = [];
    for (;;) {
      const next = pool.pool(current, at).next(['ready'], ({ numberId }) => !found.includes(numberId));
      if (next === null) return found;
      found.push(next.numberId);
    }
  };
  /** The number takes its turn, as when it is given a message. */
  const give = (numberId: string, rotated = true, at = now) => {
    const sender = senders.of(numberId);
    pool.give(sender, rotated, at);
    senders.save(sender);
    return sender;
  };
  return { ...account, pool, ready, give };
}

describe('the pool of senders', () => {
  test('has numbers that have had no turn yet in the order in which they were made', () => {
    expect(newPool({ c: {}, a: {}, b: {} }).ready()).toEqual(['c', 'a', 'b']);
  });

  test('has a number behind the others once it has had its turn, also in the next life', () => {
    const { sql, configuration, ready, give } = newPool({ a: {}, b: {}, c: {} });
    ready();
    give('a');
    expect(ready()).toEqual(['b', 'c', 'a']);
    give('b');
    expect(ready()).toEqual(['c', 'a', 'b']);
    const next = new CurrentPool(new Senders(sql)).pool(configuration, now);
    expect(next.next(['ready'], () => true)?.numberId).toBe('c');
    expect(next.next(['ready'], ({ numberId }) => numberId !== 'c')?.numberId).toBe('a');
  });

  test('lets a number that comes back begin where the others are', () => {
    const { ready, give, report } = newPool({ a: {}, b: { state: 'disconnected' } });
    ready();
    for (let turn = 0; turn < 10; turn += 1) give('a');
    report('b');
    expect(ready()).toEqual(['b', 'a']);
    give('b');
    // Nothing is to be caught up with.
    expect(ready()).toEqual(['a', 'b']);
  });

  test('follows what a number says of itself', () => {
    const { ready, report } = newPool({ a: {}, b: {} });
    expect(ready()).toEqual(['a', 'b']);
    report('a', { state: 'disconnected' });
    expect(ready()).toEqual(['b']);
    report('a');
    report('b', { perMinute: 0 });
    expect(ready()).toEqual(['a']);
    report('b', { dailyRemaining: 0 });
    expect(ready()).toEqual(['a']);
    report('b', { dailyRemaining: 1 });
    expect(ready()).toEqual(['a', 'b']);
  });

  test('follows what is configured: a number that is out of it, deleted, or there again', () => {
    const { ready, configured } = newPool({ a: {}, b: {}, out: { inPool: false } });
    expect(ready()).toEqual(['a', 'b']);
    expect(ready(now, configured(['b']))).toEqual(['b']);
    expect(ready(now, configured(['b', 'a']))).toEqual(['b', 'a']);
  });

  test('has nothing of what was rolled back: it is read anew', () => {
    const { ready, give, pool, senders } = newPool({ a: {}, b: {} });
    ready();
    const sender = senders.of('a');
    pool.give(sender, true, now);
    expect(ready()).toEqual(['b', 'a']);
    senders.reload();
    pool.reload();
    expect(ready()).toEqual(['a', 'b']);
    give('a');
    expect(ready()).toEqual(['b', 'a']);
  });

  test('knows nothing of a number that has said nothing, or is not configured', () => {
    const { pool, configuration, ready, report } = newPool({ a: { isSilent: true } });
    expect(ready()).toEqual([]);
    expect(pool.pool(configuration, now).find('a')).toMatchObject({
      state: 'unpaired',
      phoneNumber: null,
      health: { status: 'unavailable' },
    });
    report('stranger');
    expect(pool.pool(configuration, now).find('stranger')).toBeNull();
    report('a', { phoneNumber: '628111222333' });
    expect(pool.pool(configuration, now).find('a')).toMatchObject({
      state: 'connected',
      phoneNumber: '628111222333',
    });
  });
});

describe('a number that rests', () => {
  test('is in the pool from the moment at which its rest is over, and not before', () => {
    const { ready } = newPool({ a: { health: resting(now + 1_000) }, b: { health: resting(now + 3_000) } });
    expect(ready()).toEqual([]);
    expect(ready(now + 999)).toEqual([]);
    expect(ready(now + 1_000)).toEqual(['a']);
    expect(ready(now + 2_999)).toEqual(['a']);
    expect(ready(now + 3_000)).toEqual(['a', 'b']);
  });

  test('is tried with one message, and rests on until it says more', () => {
    const { ready, give, report } = newPool({ a: { health: resting(now + 1_000) } });
    expect(ready(now + 1_000)).toEqual(['a']);
    give('a', true, now + 1_000);
    expect(ready(now + 1_000)).toEqual([]);
    expect(ready(now + 60_000)).toEqual([]);
    report('a', { health: resting(now + 90_000) }, now + 60_000);
    expect(ready(now + 89_999)).toEqual([]);
    expect(ready(now + 90_000)).toEqual(['a']);
  });

  test('that was given messages while it could send is tried all the same', () => {
    const { ready, give, report } = newPool({ a: {} });
    ready();
    const { revision = 0 } = give('a').report ?? {};
    report('a', { health: resting(now + 1_000) });
    expect(revision).toBeGreaterThan(0);
    expect(ready(now + 1_000)).toEqual(['a']);
  });

  test('whose new report has another end rests until then, longer or shorter', () => {
    const { ready, report } = newPool({ a: { health: resting(now + 1_000) } });
    expect(ready()).toEqual([]);
    report('a', { health: resting(now + 5_000) });
    expect(ready(now + 1_000)).toEqual([]);
    expect(ready(now + 5_000)).toEqual(['a']);
    report('a', { health: resting(now + 7_000) });
    report('a', { health: resting(now + 6_000) });
    expect(ready(now + 5_999)).toEqual([]);
    expect(ready(now + 6_000)).toEqual(['a']);
  });

  test('without an end rests until it says something else', () => {
    const { ready, report } = newPool({ a: { health: resting(null) } });
    expect(ready(now + 86_400_000)).toEqual([]);
    report('a');
    expect(ready()).toEqual(['a']);
  });

  test('is not forgotten where the configuration is another one meanwhile', () => {
    const { ready, configured } = newPool({ a: { health: resting(now + 1_000) }, b: {} });
    expect(ready()).toEqual(['b']);
    expect(ready(now, configured(['a', 'b']))).toEqual(['b']);
    expect(ready(now + 1_000, configured(['a', 'b']))).toEqual(['a', 'b']);
  });
});

test('a number that begins no chats is in the pool for everybody from the moment at which that is over', () => {
  const { ready, pool, configuration } = newPool({ a: { health: restricted(now + 1_000) } });
  expect(ready()).toEqual([]);
  expect(pool.pool(configuration, now).next(['restricted'], () => true)?.numberId).toBe('a');
  expect(ready(now + 1_000)).toEqual(['a']);
});

test('a number whose object does not answer stands behind all others until it does', () => {
  const { ready, pool, configuration } = newPool({ a: {}, b: {} });
  expect(ready()).toEqual(['a', 'b']);
  pool.noteFailing('a', true);
  pool.noteFailing('a', true);
  expect(ready()).toEqual(['b']);
  expect(pool.pool(configuration, now).next(['waiting'], () => true)?.numberId).toBe('a');
  pool.noteFailing('a', false);
  expect(ready()).toEqual(['a', 'b']);
});

describe('how often a number has become ready', () => {
  test('is counted when it first can send, comes back, or its rest or restriction is over, and not while it goes on', () => {
    const { pool, configuration, report, give } = newPool({ a: {}, b: { state: 'disconnected' } });
    const count = (at = now) => {
      pool.follow(configuration, at);
      return pool.readyCount;
    };
    expect(count()).toBe(1);
    report('a', { room: 5 });
    give('a');
    expect(count()).toBe(1);
    report('b');
    expect(count()).toBe(2);
    report('b', { health: restricted(now + 1_000) });
    expect(count()).toBe(2);
    expect(count(now + 1_000)).toBe(3);
    report('b', { health: resting(now + 2_000) });
    expect(count(now + 1_999)).toBe(3);
    expect(count(now + 2_000)).toBe(4);
    report('b', { perMinute: 0 });
    pool.noteFailing('a', true);
    expect(count()).toBe(4);
    pool.noteFailing('a', false);
    expect(count()).toBe(5);
  });
});
