import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Live, type Source } from '../../../src/dashboard/gateway/live-stream.ts';
import { askBehind, queryClient } from '../../../src/dashboard/gateway/query-client.ts';
import { CursorExpiredError } from '../../../src/sdk/index.ts';

afterEach(() => {
  queryClient.clear();
  askBehind(null);
});

/** A gateway with a stream: what was asked of it, in its order. Each attempt to open ends as it is told to. */
function gateway({ hasPlace = true } = {}) {
  const asked: string[] = [];
  const places: PromiseWithResolvers<string>[] = [];
  const attempts: { opened: () => void; ended: PromiseWithResolvers<void> }[] = [];
  const source: Source = async function* (after, signal, onOpen) {
    asked.push(`stream after ${after}`);
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve());
    attempts.push({ opened: onOpen, ended });
    await ended.promise;
    yield* [];
  };
  const place = () => {
    asked.push('place');
    places.push(Promise.withResolvers());
    return (places.at(-1) as PromiseWithResolvers<string>).promise;
  };
  const live = new Live({
    source,
    isOver: () => false,
    network: new EventTarget(),
    ...(hasPlace && { place }),
  });
  askBehind(() => live.placed());
  live.onGap(() => void queryClient.invalidateQueries({ queryKey: ['numbers'] }));
  live.onReturn(() => void asked.push('it goes on'));
  onTestFinished(() => live.stop());
  return { asked, places, attempts, live };
}

type Gateway = ReturnType<typeof gateway>;

/** A page that shows a list, and follows what becomes of it. */
function openPage({ asked, live }: Pick<Gateway, 'asked' | 'live'>) {
  const page = new QueryObserver(queryClient, {
    queryKey: ['numbers'],
    queryFn: async () => {
      asked.push('numbers');
      return [];
    },
  });
  onTestFinished(page.subscribe(() => undefined));
  live.start();
}

const openAttempt = async ({ attempts }: Gateway, count = 1) => {
  await expect.poll(() => attempts.length).toBe(count);
  attempts[count - 1]?.opened();
};

const shown = () => expect.poll(() => queryClient.getQueryState(['numbers'])?.status);
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** All that was begun has been done. */
const settled = async () => {
  await turn();
  await expect.poll(() => queryClient.isFetching()).toBe(0);
};

test('a page asks for its list once, when it is known where its events begin', async () => {
  const it = gateway();
  it.live.prepare();
  openPage(it);
  await turn();
  expect(it.asked).toEqual(['place']);
  it.places[0]?.resolve('7');
  await shown().toBe('success');
  await openAttempt(it);
  await settled();
  expect(it.asked.toSorted()).toEqual(['numbers', 'place', 'stream after 7']);
});

test('where a stream has no place before it is open, the list is asked for behind that', async () => {
  const it = gateway({ hasPlace: false });
  openPage(it);
  await openAttempt(it);
  await shown().toBe('success');
  await settled();
  expect(it.asked).toEqual(['stream after null', 'numbers']);
});

test('a list that could not wait for the place is asked for once more when the stream is open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const it = gateway();
  openPage(it);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  await shown().toBe('success');
  it.places[0]?.resolve('7');
  await openAttempt(it);
  await expect.poll(() => it.asked).toEqual(['place', 'numbers', 'stream after 7', 'numbers']);
});

test('a list is shown though its events cannot be had, and is asked for once more when they can', async () => {
  const it = gateway();
  openPage(it);
  it.places[0]?.reject(new Error('The gateway was away.'));
  await shown().toBe('success');
  await expect.poll(() => it.places.length).toBe(2);
  it.places[1]?.resolve('9');
  await openAttempt(it);
  await expect.poll(() => it.asked).toEqual(['place', 'numbers', 'place', 'stream after 9', 'numbers']);
});

test('a stream that could not be opened begins where the list was asked for, and the list is not asked for again', async () => {
  const it = gateway();
  openPage(it);
  it.places[0]?.resolve('7');
  await shown().toBe('success');
  await expect.poll(() => it.attempts.length).toBe(1);
  it.attempts[0]?.ended.reject(new Error('The connection broke.'));
  await openAttempt(it, 2);
  await settled();
  expect(it.asked.toSorted()).toEqual(['numbers', 'place', 'stream after 7', 'stream after 7']);
});

test('what was missed is asked for: of a stream without a place that broke, and of one that goes no more so far back', async () => {
  const nowhere = gateway({ hasPlace: false });
  openPage(nowhere);
  await openAttempt(nowhere);
  await shown().toBe('success');
  nowhere.attempts[0]?.ended.resolve();
  await openAttempt(nowhere, 2);
  await expect.poll(() => nowhere.asked.filter((what) => what === 'numbers')).toHaveLength(2);
  nowhere.live.stop();
  queryClient.clear();

  const late = gateway();
  openPage(late);
  late.places[0]?.resolve('7');
  await openAttempt(late);
  await shown().toBe('success');
  late.attempts[0]?.ended.reject(expired());
  await expect.poll(() => late.places.length).toBe(2);
  late.places[1]?.resolve('900');
  await openAttempt(late, 2);
  await expect.poll(() => late.asked.filter((what) => what === 'numbers')).toHaveLength(2);
  expect(late.asked).toContain('stream after 900');
});

test('a stream that goes on where it broke says so, and the list is not asked for again', async () => {
  const it = gateway();
  openPage(it);
  it.places[0]?.resolve('7');
  await openAttempt(it);
  await shown().toBe('success');
  it.attempts[0]?.ended.resolve();
  await openAttempt(it, 2);
  await expect.poll(() => it.asked).toContain('it goes on');
  expect(it.asked.filter((what) => what === 'numbers')).toHaveLength(1);
});

const expired = (): unknown => Object.create(CursorExpiredError.prototype);
