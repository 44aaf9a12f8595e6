import { expect, test } from 'vitest';
import type { StoredEvent } from '../../../../src/durable/event-log/events/event-rows.ts';
import { decodeCursor, encodeCursor, streamStart } from '../../../../src/durable/event-log/feed/cursor.ts';
import { EventReader } from '../../../../src/durable/event-log/feed/event-reader.ts';

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

test('a page holds what was asked for and no more, however little its source answers at a time', async () => {
  const seqs = Array.from({ length: 10 }, (_, index) => index + 11);
  const all = seqs.map((seq) => ({ seq, envelope: { id: `evt_${seq}`, data: {} } }) as StoredEvent);
  let reads = 0;
  const read = (after: number, limit: number) => {
    reads += 1;
    return all.slice(after - 10, after - 10 + Math.min(limit, 2));
  };
  const reader = new EventReader({ ...kept, read }, generation);
  const page = async (place: { after: string | null; before?: string }) => {
    const answer = await reader.read({ ...place, limit: 3, filter: { events: null, numberId: null } });
    if (!answer.ok) throw new Error(answer.message);
    return { ids: answer.data.map(({ id }) => Number(id.slice(4))), hasMore: answer.hasMore };
  };
  expect(await page({ after: null })).toEqual({ ids: [11, 12, 13], hasMore: true });
  expect(reads).toBe(2);
  expect(await page({ after: at(17) })).toEqual({ ids: [18, 19, 20], hasMore: false });
  expect(await page({ after: at(20) })).toEqual({ ids: [], hasMore: false });
  expect(await page({ after: null, before: at(14) })).toEqual({ ids: [12, 13, 14], hasMore: true });
  expect(await page({ after: null, before: at(13) })).toEqual({ ids: [11, 12, 13], hasMore: false });
});

test('of what matches nothing a page comes soon, and its cursor has moved on', async () => {
  const head = 6_000;
  const read = (after: number, limit: number) =>
    Array.from({ length: Math.min(limit, head - after) }, (_, index) => {
      const envelope = { id: 'evt', event: 'message.sent', data: { numberId: 'one' } };
      return { seq: after + index + 1, envelope } as StoredEvent;
    });
  const reader = new EventReader({ oldest: 1, head, earlier: [], read }, generation);
  const filter = { events: null, numberId: 'another' };
  const page = (after: string | null) => reader.read({ after, limit: 100, filter });
  expect(await page(null)).toEqual({ ok: true, data: [], nextCursor: at(4_000), hasMore: true });
  expect(await page(at(4_000))).toEqual({ ok: true, data: [], nextCursor: at(head), hasMore: false });
  const before = (place: string) => reader.read({ after: null, before: place, limit: 100, filter });
  expect(await before('now')).toEqual({ ok: true, data: [], nextCursor: at(1_000), hasMore: true });
  expect(await before(at(1_000))).toEqual({ ok: true, data: [], nextCursor: at(0), hasMore: false });
});
