import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeafWatch } from '../../../src/session-bridge/session/deaf-watch.ts';

const deafAfterMs = 60_000;
const quietAfterMs = 4 * 3_600_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // What is spread takes just as long as it says.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function watched() {
  let renewed = 0;
  const watch = new DeafWatch({ deafAfterMs, quietAfterMs, onDeaf: () => (renewed += 1) });
  watch.opened();
  const acknowledge = (messages: number) => {
    for (let message = 0; message < messages; message += 1) watch.acknowledged();
  };
  /** How often it is found to be deaf meanwhile. */
  const after = (ms: number) => {
    const before = renewed;
    vi.advanceTimersByTime(ms);
    return renewed - before;
  };
  return { watch, acknowledge, after };
}

test('a session is deaf when three of its messages were acknowledged and nothing came in for a while', () => {
  const { acknowledge, after } = watched();
  acknowledge(2);
  expect(after(deafAfterMs)).toBe(0);
  acknowledge(1);
  expect(after(deafAfterMs - 1)).toBe(0);
  expect(after(1)).toBe(1);
});

test('what was acknowledged before something came in says nothing', () => {
  const { watch, acknowledge, after } = watched();
  acknowledge(3);
  expect(after(deafAfterMs - 1)).toBe(0);
  watch.heard();
  expect(after(deafAfterMs)).toBe(0);
  acknowledge(2);
  expect(after(deafAfterMs)).toBe(0);
});

test('each time that renewing it has not helped the next takes twice as long, sixteen times at most, until it hears something', () => {
  const { watch, acknowledge, after } = watched();
  const waits: number[] = [];
  for (let time = 0; time < 6; time += 1) {
    acknowledge(3);
    let factor = 1;
    while (after(deafAfterMs) === 0) factor += 1;
    waits.push(factor);
    watch.closed();
    watch.opened();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 16]);
  watch.heard();
  acknowledge(3);
  expect(after(deafAfterMs)).toBe(1);
});

test('a session that sends nothing is renewed after hours of silence, counted from what came in last', () => {
  const { watch, after } = watched();
  expect(after(quietAfterMs - 1)).toBe(0);
  watch.heard();
  expect(after(quietAfterMs - 1)).toBe(0);
  expect(after(1)).toBe(1);
});

test('a session that is closed is neither deaf nor quiet, whatever comes in for it', () => {
  const { watch, acknowledge, after } = watched();
  acknowledge(3);
  watch.closed();
  watch.heard();
  expect(after(2 * quietAfterMs)).toBe(0);
});
