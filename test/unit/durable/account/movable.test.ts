import { describe, expect, test } from 'vitest';
import { movableOf } from '../../../../src/durable/account/outbox/rerouting.ts';
import { newSender } from '../../../../src/durable/account/senders/sender.ts';
import type { SenderReport } from '../../../../src/durable/hand-over/number-news.ts';

const afterMs = 120_000;
const since = 5_000;

function sender(more: Partial<SenderReport> = {}, dailyRemaining: number | null = null) {
  const report: SenderReport = {
    revision: 1,
    state: 'connected',
    phoneNumber: null,
    reason: null,
    connectedAt: null,
    lastSeenAt: null,
    health: { status: 'healthy', reason: null, until: null },
    perMinute: 60,
    dailyRemaining,
    room: 1,
    takenUpTo: 0,
    ...more,
  };
  return { ...newSender('a'), report, dailyRemaining, awaySince: since };
}

const health = (status: 'resting' | 'restricted') => ({ status, reason: null, until: null });
const movable = (...[of, failingSince = null]: [ReturnType<typeof sender>, (number | null)?]) =>
  movableOf(of, false, failingSince, afterMs);

describe('the messages that wait for a number', () => {
  test('stay while it can send them, or has said nothing yet', () => {
    expect(movable(sender())).toBeNull();
    expect(movableOf(newSender('a'), false, null, afterMs)).toBeNull();
  });

  test.each(['logged_out', 'banned', 'unpaired', 'pairing'] as const)(
    'move at once when it is %s',
    (state) => {
      expect(movable(sender({ state }))).toMatchObject({ at: 0, kinds: ['answer', 'ongoing', 'new'] });
    },
  );

  test('move after a while when it is away, rests, or its object does not answer', () => {
    const later = { at: since + afterMs, wanted: 'any' };
    expect(movable(sender({ state: 'disconnected' }))).toMatchObject(later);
    expect(movable(sender({ health: health('resting') }))).toMatchObject(later);
    expect(movable(sender(), since)).toMatchObject({
      at: since + afterMs,
      kinds: ['answer', 'ongoing', 'new'],
    });
  });

  test('stay with an object that does not answer while no other number is ready, which may not answer either', () => {
    expect(movable(sender(), since)).toMatchObject({ wanted: 'ready' });
  });

  test('move to who can send them now when it is restricted, as far as they begin a chat, or its day is full, but for answers', () => {
    const restricted = movable(sender({ health: health('restricted') }));
    expect(restricted).toMatchObject({ at: 0, kinds: ['new'], wanted: 'ready' });
    const full = movable(sender({}, 0));
    expect(full).toMatchObject({ at: 0, kinds: ['ongoing', 'new'], wanted: 'ready' });
    expect(movable(sender({}, 1))).toBeNull();
  });

  test('all leave a number that is deleted', () => {
    expect(movableOf(sender(), true, null, afterMs)).toMatchObject({ at: 0, isDeleted: true });
  });
});
