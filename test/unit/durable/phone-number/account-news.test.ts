import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NewsTaken, NumberNews } from '../../../../src/durable/hand-over/number-news.ts';
import { type Device, newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import type { DeviceStore } from '../../../../src/durable/phone-number/device/device-store.ts';
import { SenderHealth } from '../../../../src/durable/phone-number/health/sender-health.ts';
import { AccountNews } from '../../../../src/durable/phone-number/news/account-news.ts';
import { AccountNotes } from '../../../../src/durable/phone-number/news/account-notes.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { SenderPace } from '../../../../src/durable/phone-number/pacing/sender-pace.ts';
import { Batches, Capacity } from '../../../../src/durable/phone-number/queue/capacity.ts';
import { Queue } from '../../../../src/durable/phone-number/queue/queue.ts';
import type { Returns } from '../../../../src/durable/phone-number/queue/returns.ts';
import { newNumberSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);

afterEach(() => {
  vi.useRealTimers();
});

/** A number that is connected, and an account that takes notes up to where `takes` says. */
function newNews() {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const sql = newNumberSql();
  const state = new NumberState(sql);
  const [queue, pace, health] = [new Queue(sql), new SenderPace(state), new SenderHealth(sql, state)];
  const notes = new AccountNotes(sql);
  let current: Device = { ...newDevice('account', 'number'), state: 'connected', reportedRevision: 1 };
  const device = {
    get current() {
      return current;
    },
    get known() {
      return current;
    },
    note: (next: Device) => {
      current = next;
    },
  } as unknown as DeviceStore;
  const calls: number[][] = [];
  const account = { takes: ({ notes: told }: NumberNews): number => told.at(-1)?.seq ?? 0 };
  const news = new AccountNews({
    ...{ device, state, pace, health, notes },
    capacity: new Capacity(queue, pace, health),
    batches: new Batches(state),
    returns: { configure: () => {} } as unknown as Returns,
    hear: async (_, told): Promise<NewsTaken> => {
      calls.push(told.notes.map(({ seq }) => seq));
      return { takenUpTo: account.takes(told), rerouteAfterMs: 120_000 };
    },
  });
  const wrote = (from: string) => notes.add({ kind: 'inbound', from, at: now, text: null });
  return { news, notes, health, account, calls, wrote, device };
}

describe('a note of a number', () => {
  test('that its account does not take is offered again after a while, and not at once', async () => {
    const { news, notes, account, calls, wrote } = newNews();
    wrote('628111222333');
    account.takes = () => (calls.length < 5 ? 0 : 1);
    await news.tell();
    expect(calls).toEqual([[1]]);
    expect(news.dueAt(now)).toBe(now + 2_000);
    await news.tell();
    expect(calls).toEqual([[1], [1]]);
    account.takes = () => 1;
    await news.tell();
    expect(notes.isEmpty).toBe(true);
    expect(news.dueAt(now)).toBeNull();
  });

  test('is told in calls of a hundred, and of those that the account has taken in part the rest is told again', async () => {
    const { news, notes, account, calls, wrote } = newNews();
    for (let index = 0; index < 130; index += 1) wrote(`62811${index}`);
    account.takes = ({ notes: told }) => Math.min(told.at(-1)?.seq ?? 0, calls.length === 1 ? 40 : 130);
    await news.tell();
    expect(calls.map((seqs) => [seqs.length, seqs[0]])).toEqual([
      [100, 1],
      [90, 41],
    ]);
    expect(notes.isEmpty).toBe(true);
  });
});

test('a number that dies while it tells its account is woken, and tells it again', async () => {
  const { news, wrote } = newNews();
  wrote('628111222333');
  const telling = news.tell();
  expect(news.dueAt(now)).toBe(now + 30_000);
  await telling;
  expect(news.dueAt(now)).toBeNull();
});

test('what changes about a number while its account is being told is told too', async () => {
  const { news, account, calls, device } = newNews();
  const change = () => device.note({ ...device.known, revision: device.known.revision + 1 });
  change();
  account.takes = () => {
    if (calls.length === 1) change();
    return 0;
  };
  await news.tell();
  expect(calls).toHaveLength(2);
  expect(news.dueAt(now)).toBeNull();
});

test('a number that rests looks again when its rest is over, though nothing waits', () => {
  const { news, health } = newNews();
  news.notice(now);
  expect(news.changesAt()).toBeNull();
  for (let time = 0; time < 5; time += 1) health.note({ kind: 'unanswered' }, now);
  news.notice(now);
  expect(news.changesAt()).toBe(now + 30_000);
});
