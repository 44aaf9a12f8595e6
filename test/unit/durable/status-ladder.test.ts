import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayFollow } from '../../../src/contract/message.ts';
import { admitted, type OutboundMessageState } from '../../../src/durable/phone-number/outbound-message.ts';
import { climb, fail } from '../../../src/durable/phone-number/status-ladder.ts';

const queuedAt = Date.UTC(2026, 0, 31, 9, 30);

function queued(): OutboundMessageState {
  return admitted(
    {
      messageId: 'msg_019c1b2a-0000-7000-8000-000000000001',
      to: '628123456789',
      chatType: 'personal',
      content: { type: 'text', text: 'hello' },
      senderSource: 'pool',
      isNewChat: false,
      mayMove: true,
      moves: 0,
      queuedAt,
      expiresAt: queuedAt + 86_400_000,
    },
    1,
  );
}

describe('the status of a message', () => {
  test('a read that comes before a delivered yields both, in order', () => {
    const sent = climb(queued(), 'sent', queuedAt + 10).message;
    const { message, steps } = climb(sent, 'read', queuedAt + 2000);
    expect(steps).toEqual(['delivered', 'read']);
    expect(message).toMatchObject({ deliveredAt: queuedAt + 2000, readAt: queuedAt + 2000, status: 'read' });
  });

  test('a receipt before the acknowledgement proves that it was sent', () => {
    expect(climb(queued(), 'delivered', queuedAt + 5).steps).toEqual(['sent', 'delivered']);
  });

  test('a repeated or late receipt takes no step', () => {
    const read = climb(queued(), 'read', queuedAt + 5).message;
    expect(climb(read, 'read', queuedAt + 9)).toEqual({ message: read, steps: [] });
    expect(climb(read, 'delivered', queuedAt + 9)).toEqual({ message: read, steps: [] });
  });

  test('a failure ends it, unless it was delivered', () => {
    const failed = fail(queued(), 'refused', queuedAt + 1);
    expect(failed.steps).toEqual(['failed']);
    expect(climb(failed.message, 'read', queuedAt + 2).steps).toEqual([]);
    const delivered = climb(queued(), 'delivered', queuedAt + 1).message;
    expect(fail(delivered, 'too late', queuedAt + 2).steps).toEqual([]);
  });

  test('a step is never earlier than the one before it, although the network counts in whole seconds', () => {
    const sent = climb(queued(), 'sent', queuedAt + 900).message;
    const delivered = climb(sent, 'delivered', queuedAt).message;
    expect(delivered.deliveredAt).toBe(queuedAt + 900);
  });

  test('whatever comes in whatever order, each status is entered at most once and only forward', () => {
    const kinds = fc.constantFrom('sent', 'delivered', 'read', 'failed');
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 12 }), (arrivals) => {
        let message = queued();
        let last: OutboundMessageState['status'] = 'queued';
        const seen: string[] = [];
        for (const [index, kind] of arrivals.entries()) {
          const at = queuedAt + index;
          const step =
            kind === 'failed'
              ? fail(message, 'x', at)
              : climb(message, kind as 'sent' | 'delivered' | 'read', at);
          for (const status of step.steps) {
            expect(mayFollow(last, status)).toBe(true);
            last = status;
            seen.push(status);
          }
          message = step.message;
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(message.status).toBe(last);
        expect(message.place === null).toBe(last !== 'queued');
      }),
    );
  });
});
