import { expect, test } from 'vitest';
import {
  unacknowledgedBytesMax,
  unacknowledgedFramesMax,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { FactWindow } from '../../../src/session-bridge/journal/facts-under-way.ts';

const repeatAfterMs = 5_000;

test('holds so many frames and so many bytes, and a frame that is larger goes alone', () => {
  const window = new FactWindow(repeatAfterMs);
  expect(window.hasRoomFor(2 * unacknowledgedBytesMax)).toBe(true);
  window.sent(1, 2 * unacknowledgedBytesMax, 0);
  expect(window.hasRoomFor(1)).toBe(false);
  window.acknowledged(1);
  window.sent(2, unacknowledgedBytesMax - 10, 0);
  expect(window.hasRoomFor(10)).toBe(true);
  expect(window.hasRoomFor(11)).toBe(false);
  window.clear();
  for (let seq = 3; seq < 3 + unacknowledgedFramesMax; seq += 1) {
    expect(window.hasRoomFor(1)).toBe(true);
    window.sent(seq, 1, 0);
  }
  expect(window.hasRoomFor(1)).toBe(false);
});

test('an acknowledgement takes all up to it, a refusal that frame alone', () => {
  const window = new FactWindow(repeatAfterMs);
  for (const seq of [1, 2, 3, 4]) window.sent(seq, 10, seq);
  window.refused(2);
  expect(window.repeatDueAtMs()).toBe(1 + repeatAfterMs);
  window.acknowledged(1);
  expect(window.repeatDueAtMs()).toBe(3 + repeatAfterMs);
  expect(window.takeRepeat(3 + repeatAfterMs)).toBe(3);
  window.refused(3);
  window.refused(4);
  expect(window.isEmpty).toBe(true);
  expect(window.lastSeq).toBe(0);
});

test('what has no answer is said again when it is time, and once that is through the next at once', () => {
  const window = new FactWindow(repeatAfterMs);
  for (const seq of [1, 2, 3]) window.sent(seq, 10, seq);
  expect(window.takeRepeat(repeatAfterMs)).toBeNull();
  expect(window.takeRepeat(repeatAfterMs + 1)).toBe(1);
  expect(window.takeRepeat(repeatAfterMs + 1)).toBeNull();
  // Nothing new goes out until all of it is through.
  expect(window.hasRoomFor(1)).toBe(false);
  window.acknowledged(1);
  expect(window.takeRepeat(repeatAfterMs + 2)).toBe(2);
  window.acknowledged(3);
  expect(window.isEmpty).toBe(true);
  expect(window.hasRoomFor(1)).toBe(true);
  window.sent(4, 10, 20_000);
  expect(window.takeRepeat(20_001)).toBeNull();
});

test('a link that was lost while things were said again leaves nothing to the next one', () => {
  const window = new FactWindow(repeatAfterMs);
  for (const seq of [1, 2]) window.sent(seq, 10, seq);
  window.takeRepeat(repeatAfterMs + 1);
  window.clear();
  window.sent(3, 10, repeatAfterMs + 2);
  expect(window.hasRoomFor(10)).toBe(true);
});
