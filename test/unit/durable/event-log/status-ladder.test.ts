import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MessageStatus, mayFollow } from '../../../../src/contract/messages/message-status.ts';
import {
  type Climb,
  climb,
  fail,
  type Progress,
} from '../../../../src/durable/event-log/intake/messages/message-events.ts';

const queuedAt = Date.UTC(2026, 0, 31, 9, 30);

const queued: Progress = {
  status: 'queued',
  queuedAt,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  errorMessage: null,
};

type Arrival = Exclude<MessageStatus, 'queued'>;
const arrive = (message: Progress, kind: Arrival, at: number): Climb<Progress> =>
  kind === 'failed' ? fail(message, 'x', at) : climb(message, kind, at);

describe('the status of a message', () => {
  test('a read that comes before a delivered yields both, in order', () => {
    const sent = climb(queued, 'sent', queuedAt + 10).message;
    const { message, steps } = climb(sent, 'read', queuedAt + 2000);
    expect(steps).toEqual(['delivered', 'read']);
    expect(message).toMatchObject({ deliveredAt: queuedAt + 2000, readAt: queuedAt + 2000, status: 'read' });
  });

  test('a receipt before the acknowledgement proves that it was sent', () => {
    expect(climb(queued, 'delivered', queuedAt + 5).steps).toEqual(['sent', 'delivered']);
  });

  test('a repeated or late receipt takes no step', () => {
    const read = climb(queued, 'read', queuedAt + 5).message;
    expect(climb(read, 'read', queuedAt + 9)).toEqual({ message: read, steps: [] });
    expect(climb(read, 'delivered', queuedAt + 9)).toEqual({ message: read, steps: [] });
  });

  test('a failure ends it, unless it was delivered', () => {
    const failed = fail(queued, 'refused', queuedAt + 1);
    expect(failed.steps).toEqual(['failed']);
    expect(climb(failed.message, 'read', queuedAt + 2).steps).toEqual([]);
    const delivered = climb(queued, 'delivered', queuedAt + 1).message;
    expect(fail(delivered, 'too late', queuedAt + 2).steps).toEqual([]);
  });

  test('a step is never earlier than the one before it, although the network counts in whole seconds', () => {
    const sent = climb(queued, 'sent', queuedAt + 900).message;
    const delivered = climb(sent, 'delivered', queuedAt).message;
    expect(delivered.deliveredAt).toBe(queuedAt + 900);
  });

  test('whatever comes in whatever order, each status is entered at most once and only forward', () => {
    const kinds = fc.constantFrom<Arrival[]>('sent', 'delivered', 'read', 'failed');
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 12 }), (arrivals) => {
        let message = queued;
        let last: MessageStatus = 'queued';
        const seen: string[] = [];
        for (const [index, kind] of arrivals.entries()) {
          const climbed = arrive(message, kind, queuedAt + index);
          for (const status of climbed.steps) {
            expect(mayFollow(last, status)).toBe(true);
            last = status;
            seen.push(status);
          }
          message = climbed.message;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(message.status).toBe(last);
      }),
    );
  });

  test('a message ends at its furthest step, in whatever order and however often its steps arrive', () => {
    const rungs = ['sent', 'delivered', 'read'] as const;
    const arrivals = fc.array(fc.constantFrom(...rungs), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(arrivals, (seen) => {
        const steps: MessageStatus[] = [];
        let message = queued;
        for (const kind of seen) {
          const climbed = arrive(message, kind, queuedAt + 1000);
          message = climbed.message;
          steps.push(...climbed.steps);
        }
        const furthest = Math.max(...seen.map((kind) => rungs.indexOf(kind)));
        expect(message.status).toBe(rungs[furthest]);
        expect(steps).toEqual(rungs.slice(0, furthest + 1));
      }),
    );
  });
});
