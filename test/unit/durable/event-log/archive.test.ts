import { describe, expect, test } from 'vitest';
import {
  erasedPast,
  eventsInLines,
  messagesInLines,
  pastLine,
  rowsOfPast,
  withMessages,
  withPast,
} from '../../../../src/durable/event-log/archive/archived-lines.ts';
import { dueByAge, dueForArchive } from '../../../../src/durable/event-log/archive/retention.ts';

const dayMs = 24 * 3_600_000;
const retention = { messagesMonths: 12, eventsDays: 30 };
const now = Date.UTC(2026, 10, 22, 9);
const none = { events: null, messages: null, pasts: null, conversations: null };

describe('when the log archives', () => {
  test('months are those of the calendar, days those of the clock', () => {
    expect(dueForArchive(retention, now, 'none')).toMatchObject([
      { kind: 'events', before: now - 30 * dayMs },
      { kind: 'messages', before: Date.UTC(2025, 10, 22, 9) },
      { kind: 'pasts', from: Date.UTC(2025, 9, 23, 9), before: Date.UTC(2025, 10, 22, 9) },
      { kind: 'conversations', before: Date.UTC(2025, 9, 23, 9) },
    ]);
  });

  test.each([
    ['2026-05-31', 3, '2026-02-28'],
    ['2028-03-31', 1, '2028-02-29'],
    ['2028-02-29', 12, '2027-02-28'],
    ['2026-05-30', 3, '2026-02-28'],
    ['2026-06-30', 1, '2026-05-30'],
  ])('on %s %d months began on the last day that the month has: %s', (today, messagesMonths, since) => {
    const [, messages] = dueForArchive({ ...retention, messagesMonths }, Date.parse(today), 'none');
    expect(messages).toMatchObject({ kind: 'messages', before: Date.parse(since) });
  });

  test('it waits until a day of rows may go', () => {
    expect(dueByAge(retention, none)).toBeNull();
    expect(dueByAge(retention, { ...none, events: now, messages: now, pasts: now })).toBe(now + 31 * dayMs);
    expect(dueByAge(retention, { ...none, messages: now, pasts: now })).toBe(Date.UTC(2027, 10, 23, 9));
    // Activity and notes of a month: each conversation is a write of its own.
    expect(dueByAge(retention, { ...none, pasts: now })).toBe(Date.UTC(2027, 11, 23, 9));
    expect(dueByAge(retention, { ...none, conversations: now })).toBe(Date.UTC(2027, 11, 23, 9));
  });

  test('what a webhook has yet to get goes by its age alone, and what is young only where a log is hard pressed', () => {
    const bySize = (pressure: 'full' | 'pressing') => dueForArchive(retention, now, pressure).slice(4);
    const day = [
      { kind: 'events', before: now - dayMs, keepsUndelivered: true },
      { kind: 'messages', before: now - dayMs, keepsUndelivered: false },
    ];
    const pasts = { kind: 'pasts', from: now - 60 * dayMs, before: now - 30 * dayMs };
    const untouched = { kind: 'conversations', before: now - 30 * dayMs };
    expect(bySize('full')).toEqual([day[0], pasts, untouched, day[1]]);
    const hour = day.map((due) => ({ ...due, before: now - dayMs / 24 }));
    const young = { kind: 'pasts', from: now - 2 * dayMs, before: now - dayMs };
    expect(bySize('pressing')).toEqual([...day, ...hour, young, untouched]);
  });
});

describe('a segment of messages', () => {
  const line = (id: number, text = 'hello', status = 'sent') =>
    JSON.stringify({
      id,
      message_id: `m${id}`,
      direction: 'outbound',
      status,
      content: JSON.stringify({ text }),
    });
  const query = { filter: {}, from: 0, below: 100, limit: 10 };
  const idsIn = (text: string, more: Partial<Parameters<typeof messagesInLines>[1]> = {}) =>
    messagesInLines(text, { ...query, ...more }).map(({ id }) => id);

  test('takes what is added in its place, and a repeat only once', () => {
    const text = [line(10), line(30)].join('\n');
    const once = withMessages(text, line(20));
    expect(idsIn(once)).toEqual([30, 20, 10]);
    expect(withMessages(once, line(20))).toBe(once);
    expect(messagesInLines(withMessages(once, line(20, 'hello', 'read')), query)[1]).toMatchObject({
      status: 'read',
    });
    expect(withMessages('', line(20))).toBe(line(20));
  });

  test('gives a range, newest first, and no more than is asked for', () => {
    const text = [line(10), line(20), line(30), line(40)].join('\n');
    expect(idsIn(text, { from: 20, below: 40 })).toEqual([30, 20]);
    expect(idsIn(text, { limit: 1 })).toEqual([40]);
    expect(idsIn(text, { messageId: 'm20' })).toEqual([20]);
  });

  test('is searched for whole words, in any case and without accents', () => {
    const text = [line(10, 'Ein Café um die Ecke'), line(20, 'Cafés')].join('\n');
    expect(idsIn(text, { filter: { q: 'CAFE ecke' } })).toEqual([10]);
    expect(idsIn(text, { filter: { q: 'um-die' } })).toEqual([10]);
    expect(idsIn(text, { filter: { q: 'die-um' } })).toEqual([]);
    expect(idsIn(text, { filter: { q: '?!' } })).toEqual([]);
  });
});

test('a segment of events is read from any place in it, past its deliveries', () => {
  const commit = (firstSeq: number, ...ids: string[]) =>
    JSON.stringify({ firstSeq, at: 1, bodies: ids.map((id) => ({ id })), outcomes: null });
  const text = [commit(5, 'a', 'b'), commit(7, 'c'), '{"delivery":{"seq":5}}'].join('\n');
  const read = (after: number, limit = 10) => eventsInLines(text, after, limit).map(({ seq }) => seq);
  expect(read(0)).toEqual([5, 6, 7]);
  expect(read(5)).toEqual([6, 7]);
  expect(read(5, 1)).toEqual([6]);
  expect(read(7)).toEqual([]);
});

test('an event that is larger than an answer may be is one by itself', () => {
  const lines = [5, 6].map((firstSeq) =>
    JSON.stringify({ firstSeq, at: 1, bodies: [{ id: 'x'.repeat(1_100_000) }], outcomes: null }),
  );
  const read = (after: number) => eventsInLines(lines.join('\n'), after, 10).map(({ seq }) => seq);
  expect([read(0), read(5)]).toEqual([[5], [6]]);
});

test('the past of a conversation takes each row once, and of one that was erased nothing', () => {
  const lines = (...ids: number[]) => ids.map((id) => pastLine('note', { id, text: `${id}` })).join('\n');
  const once = withPast(lines(10, 30), [lines(20), pastLine('activity', { id: 20 })].join('\n')) ?? '';
  const read = (text: string, below = 100, limit = 10) =>
    rowsOfPast(text, { kind: 'note', below, limit }).map(({ id }) => id);
  expect(read(once)).toEqual([30, 20, 10]);
  expect(read(once, 30, 1)).toEqual([20]);
  expect(withPast(once, lines(20))).toBe(once);
  expect(withPast(erasedPast, lines(20))).toBeNull();
  expect(read(erasedPast)).toEqual([]);
});
