import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventEnvelope } from '../../../../src/contract/events.ts';
import {
  nextAttempts,
  type OpenEvent,
  ReadRange,
} from '../../../../src/durable/event-log/deliveries/read-range.ts';

const row = { id: 'range', webhookId: 'webhook', kind: 'first' as const, begunAt: 0 };

/** An event of a message, or of none. */
const eventOf = (seq: number, message: string | null) => ({
  seq,
  envelope: {
    id: `evt_${seq}`,
    event: 'message.sent',
    timestamp: '',
    data: message === null ? {} : { messageId: message },
  } as unknown as EventEnvelope,
});

function open(messages: readonly (string | null)[]): ReadRange {
  const range = new ReadRange({ ...row, position: 0, until: null });
  for (const [index, message] of messages.entries()) range.add(eventOf(index + 1, message), 0);
  range.readTo = messages.length;
  return range;
}

const seqs = (events: readonly OpenEvent[]) => events.map(({ seq }) => seq);
const next = (range: ReadRange, busy: string[] = [], max = 6, now = 1) =>
  seqs(nextAttempts(range.open.values(), new Set(busy), max, now));

test('steps of one message go one by one, in the order of their events, and others pass', () => {
  const range = open(['a', 'a', 'b', null, null, 'b']);
  expect(next(range)).toEqual([1, 3, 4, 5]);
  expect(next(range, ['a'])).toEqual([3, 4, 5]);
  range.open.delete(1);
  expect(next(range)).toEqual([2, 3, 4, 5]);
  expect(next(range, [], 2)).toEqual([2, 3]);
});

test('what is under way, or may be, holds up what comes after it of its message, and nothing else', () => {
  const range = open(['a', 'a', 'b', null]);
  const [first, , third] = [...range.open.values()];
  if (first) first.isUnderWay = true;
  if (third) third.notBefore = 100;
  expect(next(range)).toEqual([4]);
  expect(next(range, [], 6, 100)).toEqual([3, 4]);
});

test('the position is before the first open event, and at its end the range is over', () => {
  const range = open(['a', 'b', 'c']);
  expect(range.position).toBe(0);
  range.open.delete(2);
  expect(range.position).toBe(0);
  range.open.delete(1);
  expect(range.position).toBe(2);
  range.open.delete(3);
  expect(range.position).toBe(3);
  expect([range.isOver, range.isReadUpTo(3), range.isReadUpTo(4)]).toEqual([false, true, false]);
  range.until = 3;
  expect([range.isOver, range.isReadUpTo(4)]).toEqual([true, true]);
});

test('whatever the order of the answers, each message is attempted in order, and all of them in the end', () => {
  const messages = fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      messages,
      fc.array(fc.nat(), { minLength: 1 }),
      fc.integer({ min: 1, max: 6 }),
      (list, picks, max) => {
        const range = open(list);
        const busy = new Set<string>();
        const underWay: OpenEvent[] = [];
        const done: OpenEvent[] = [];
        for (let turn = 0; range.open.size > 0; turn += 1) {
          for (const event of nextAttempts(range.open.values(), busy, max, 1)) {
            expect(event.orderKey === null || !busy.has(event.orderKey)).toBe(true);
            event.isUnderWay = true;
            if (event.orderKey !== null) busy.add(event.orderKey);
            underWay.push(event);
          }
          expect(underWay.length).toBeGreaterThan(0);
          const [ended] = underWay.splice((picks[turn % picks.length] ?? 0) % underWay.length, 1);
          if (ended === undefined) return;
          range.open.delete(ended.seq);
          if (ended.orderKey !== null) busy.delete(ended.orderKey);
          done.push(ended);
        }
        expect(done).toHaveLength(list.length);
        for (const message of ['a', 'b', 'c']) {
          const own = seqs(done.filter(({ orderKey }) => orderKey === message));
          expect(own).toEqual([...own].sort((a, b) => a - b));
        }
      },
    ),
  );
});
