import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import type { NewsTaken, NumberNews } from '../../../../src/durable/hand-over/number-news.ts';
import { newMessageId } from '../../../../src/durable/new-ids.ts';
import { type Device, newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import type { DeviceStore } from '../../../../src/durable/phone-number/device/device-store.ts';
import { SenderHealth } from '../../../../src/durable/phone-number/health/sender-health.ts';
import { AccountNews } from '../../../../src/durable/phone-number/news/account-news.ts';
import { AccountNotes } from '../../../../src/durable/phone-number/news/account-notes.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { unpaced } from '../../../../src/durable/phone-number/pacing/pacing.ts';
import { SenderPace } from '../../../../src/durable/phone-number/pacing/sender-pace.ts';
import { Batches, Capacity } from '../../../../src/durable/phone-number/queue/capacity.ts';
import { Queue } from '../../../../src/durable/phone-number/queue/queue.ts';
import type { Returns } from '../../../../src/durable/phone-number/queue/returns.ts';
import { newNumberSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);

const waiting = (): AcceptedMessage => ({
  ...{ messageId: newMessageId(), to: '628999888777', chatType: 'personal', isNewChat: false },
  ...{ content: { type: 'text', text: 'hello' }, senderSource: 'pool', mayMove: true },
  ...{ queuedAt: now, expiresAt: now + 60_000 },
});

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
  const reports: NumberNews['report'][] = [];
  const reroutes: number[] = [];
  const batches = new Batches(state);
  const account = { takes: ({ notes: told }: NumberNews): number => told.at(-1)?.seq ?? 0 };
  const news = new AccountNews({
    ...{ device, state, pace, health, notes },
    capacity: new Capacity(queue, pace, health),
    batches,
    returns: { configure: (ms: number) => reroutes.push(ms) } as unknown as Returns,
    hear: async (_, told): Promise<NewsTaken> => {
      reports.push(told.report);
      calls.push(told.notes.map(({ seq }) => seq));
      return { takenUpTo: account.takes(told), rerouteAfterMs: 120_000 };
    },
  });
  const wrote = (from: string) => notes.add({ kind: 'inbound', from, at: now, text: null });
  return {
    news,
    notes,
    health,
    account,
    calls,
    wrote,
    device,
    batches,
    reports,
    reroutes,
    queue,
    pace,
    state,
  };
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

describe('what a number tells of itself', () => {
  test('is how it is, what it may send, what it has room for, and up to where it has taken batches', async () => {
    const { news, batches, reports, reroutes, pace, device } = newNews();
    pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
    batches.noteTaken(7);
    news.notice(now);
    await news.tell();
    expect(reports).toEqual([
      expect.objectContaining({
        ...{ state: 'connected', takenUpTo: 7, room: 64, perMinute: 600, dailyRemaining: 5, revision: 2 },
        health: { status: 'healthy', reason: null, until: null },
      }),
    ]);
    expect(reports[0]).not.toHaveProperty('numberId');
    expect(device.known.reportedRevision).toBe(2);
    expect(reroutes).toEqual([120_000]);
  });

  test('is told under a new revision only when something is another, and again when settings have changed', () => {
    const { news, device, pace, state } = newNews();
    const revision = () => device.known.revision;
    const first = revision();
    news.notice(now);
    news.notice(now);
    expect(revision()).toBe(first + 1);
    news.reload();
    news.notice(now);
    expect(revision()).toBe(first + 1);
    news.forgetNoticed();
    news.notice(now);
    expect(revision()).toBe(first + 2);
    pace.configure({ ...unpaced, quietHours: { start: '13:00', end: '14:00' } }, 1, now);
    news.forgetNoticed();
    news.notice(now);
    expect(news.changesAt()).toBe(now + 3_600_000);
    expect(state.get<{ changesAt: number }>('outlook')?.changesAt).toBe(now + 3_600_000);
    news.notice(now + 3_599_999);
    expect(revision()).toBe(first + 3);
    news.notice(now + 3_600_000);
    expect(revision()).toBe(first + 4);
    expect(news.changesAt()).toBe(now + 2 * 3_600_000);
  });

  test('is told anew when a day with a limit is over, though nothing was sent in it', () => {
    const { news, device, pace } = newNews();
    pace.configure({ ...unpaced, dailyLimit: 5 }, 1, now);
    news.notice(now);
    const before = device.known.revision;
    expect(news.changesAt()).toBe(now + 12 * 3_600_000);
    news.notice(now + 12 * 3_600_000);
    expect(device.known.revision).toBe(before + 1);
  });
});

describe('a number that has no room', () => {
  const full = (batches: Batches) => batches.noteRoomTold(0);

  test('tells its account once half of it is free again', () => {
    const { news, batches, queue } = newNews();
    full(batches);
    queue.add(Array.from({ length: 33 }, waiting));
    expect(news.isTold(now)).toBe(true);
    const [first] = queue.all;
    queue.storeAdded();
    if (first) queue.remove(first);
    expect(news.isTold(now)).toBe(false);
    expect(news.dueAt(now)).toBe(0);
  });

  test('is not said to have told of room where a batch has filled it meanwhile, and was answered so', async () => {
    const { news, batches, queue, account, wrote } = newNews();
    wrote('628111222333');
    account.takes = () => {
      queue.add(Array.from({ length: 64 }, waiting));
      batches.noteTaken(1);
      full(batches);
      return 1;
    };
    await news.tell();
    expect(batches.isRoomOwed).toBe(true);
    expect(news.isTold(now)).toBe(true);
  });
});

test('an account that knows later notes than there were, since the number was restored, is told what waits above those', async () => {
  const { notes, news, account, calls, wrote } = newNews();
  wrote('628111222333');
  wrote('628444555666');
  account.takes = () => (calls.length === 1 ? 40 : 42);
  await news.tell();
  expect(calls).toEqual([
    [1, 2],
    [41, 42],
  ]);
  expect(notes.isEmpty).toBe(true);
});
