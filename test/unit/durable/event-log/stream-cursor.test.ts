import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../src/durable/event-log/feed/cursor.ts';
import { streamStart } from '../../../../src/durable/event-log/feed/stream-start.ts';

const generation = 'f17c0a39';
const kept = { generation, oldest: 11, head: 20, earlier: [] };
const at = (seq: number, of = generation) => encodeCursor({ generation: of, seq });

test.for([0, 1, 999, 1_000_000, 123_456_789_012_345])('a cursor is read as it was written: %i', (seq) => {
  const cursor = at(seq);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(encodeURIComponent(cursor)).toBe(cursor);
  expect(decodeCursor(cursor)).toEqual({ generation, seq });
});

test.for([
  '',
  'now',
  'ä',
  '%',
  ' ',
  `${at(7)}=`,
  `${at(7)} `,
  ` ${at(7)}`,
  at(7).slice(1),
  btoa('f17c0a39.07'),
  btoa('f17c0a39.-1'),
  btoa('f17c0a39.1e3'),
  btoa('f17c0a39.'),
  btoa('F17C0A39.1'),
  btoa('1'),
])('what no log has made is no cursor: "%s"', (text) => {
  expect(decodeCursor(text)).toBeNull();
});

test('a reader begins behind its cursor, as far back as events are kept', () => {
  expect(streamStart(null, kept)).toEqual({ ok: true, seq: 10 });
  expect(streamStart('now', kept)).toEqual({ ok: true, seq: 20 });
  for (const seq of [10, 15, 20]) expect(streamStart(at(seq), kept)).toEqual({ ok: true, seq });
});

test.for([
  ['older than what is kept', at(9), 'CURSOR_EXPIRED'],
  ['of another log', at(15, '00000000'), 'CURSOR_EXPIRED'],
  ['beyond the newest event', at(21), 'VALIDATION_ERROR'],
  ['none', 'abc', 'VALIDATION_ERROR'],
])('a cursor that is %s is refused, and `after` is named', ([, after = '', code]) => {
  const start = streamStart(after, kept);
  expect(start).toMatchObject({ ok: false, code, details: [{ path: 'after' }] });
  if (code === 'CURSOR_EXPIRED') expect(start).toMatchObject({ details: [{ oldest: at(10) }] });
});

test('a log without events has one place', () => {
  const empty = { generation, oldest: 1, head: 0, earlier: [] };
  expect(streamStart(null, empty)).toEqual({ ok: true, seq: 0 });
  expect(streamStart(at(0), empty)).toEqual({ ok: true, seq: 0 });
});

test('a log that was restored goes on from the cursors of its backup, and from none of what came behind it', () => {
  const restored = { ...kept, generation: '0a1b2c3d', earlier: [{ generation, upTo: 17 }] };
  for (const seq of [10, 17]) expect(streamStart(at(seq), restored)).toEqual({ ok: true, seq });
  expect(streamStart(at(20, restored.generation), restored)).toEqual({ ok: true, seq: 20 });
  for (const seq of [9, 18, 20, 21])
    expect(streamStart(at(seq), restored)).toMatchObject({ ok: false, code: 'CURSOR_EXPIRED' });
});
