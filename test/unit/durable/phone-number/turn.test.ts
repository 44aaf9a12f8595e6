import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPacing, type Pacing } from '../../../../src/contract/numbers/sender-settings.ts';
import { dayIn } from '../../../../src/durable/local-time/zone-time.ts';
import { freshHealth } from '../../../../src/durable/phone-number/health/health.ts';
import {
  factsChangeAt,
  isWorthTelling,
  type SenderFacts,
} from '../../../../src/durable/phone-number/news/account-news.ts';
import { unavailableFrom } from '../../../../src/durable/phone-number/queue/returns.ts';
import {
  changedFact,
  forecast,
  type Gates,
  messageHold,
  numberHold,
  type Waiting,
} from '../../../../src/durable/phone-number/queue/turn.ts';

const now = Date.UTC(2026, 4, 10, 12);
const hourMs = 3_600_000;
const message: Waiting = { isNewChat: true, isAnswer: false, hasBeenHanded: false };

function gates(more: Partial<Omit<Gates, 'pacing'>> & { pacing?: Partial<Pacing> } = {}): Gates {
  return {
    now,
    isConnected: true,
    health: freshHealth,
    pace: { nextAt: 0, day: dayIn('UTC', now), sent: 0 },
    pairedAt: now - 30 * 24 * hourMs,
    inFlight: 0,
    ...more,
    pacing: { ...defaultPacing, minDelayMs: 0, maxDelayMs: 0, ...more.pacing },
  };
}
const sentToday = (sent: number) => ({ nextAt: 0, day: dayIn('UTC', now), sent });
const restriction = { until: now + 5 * hourMs, lengthMs: 5 * hourMs };
const rest = { until: now + 60_000, reason: 'tired' };

describe('what holds back a whole number', () => {
  test.each([
    ['a lost connection', gates({ isConnected: false }), { reason: 'not_connected', until: null }],
    ['a rest', gates({ health: { ...freshHealth, rest } }), { reason: 'resting', until: rest.until }],
    [
      'quiet hours',
      gates({ pacing: { quietHours: { start: '11:30', end: '12:30' } } }),
      { reason: 'quiet_hours', until: now + hourMs / 2 },
    ],
    ['a full window', gates({ inFlight: 32 }), { reason: 'in_flight', until: null }],
    [
      'one message under way on trial',
      gates({ inFlight: 1, health: { ...freshHealth, isOnTrial: true } }),
      { reason: 'in_flight', until: null },
    ],
    [
      'the pause after the last message',
      gates({ pace: { ...sentToday(1), nextAt: now + 900 } }),
      { reason: 'pacing', until: now + 900 },
    ],
  ])('is %s', (_, closed, hold) => {
    expect(numberHold(closed)).toEqual(hold);
  });

  test('is nothing when every gate is open', () => {
    expect(numberHold(gates({ inFlight: 31 }))).toBeNull();
  });
});

describe('what holds back one message', () => {
  test('is a restriction, for a new chat and for no other', () => {
    const restricted = gates({ health: { ...freshHealth, restriction } });
    expect(messageHold(message, null, restricted)).toEqual({
      reason: 'restricted',
      until: restriction.until,
    });
    expect(changedFact(message, restricted)).not.toBeNull();
    expect(messageHold({ ...message, isNewChat: false }, null, restricted)).toBeNull();
  });

  test('is nothing for what is done to a message: it begins no chat, and counts for no day', () => {
    const action = { ...message, isAction: true };
    const restricted = gates({ health: { ...freshHealth, restriction } });
    const spent = gates({ pacing: { dailyLimit: 5 }, pace: sentToday(5) });
    for (const closed of [restricted, spent]) {
      expect(changedFact(message, closed)).not.toBeNull();
      expect(changedFact(action, closed)).toBeNull();
      expect(messageHold(action, now, closed)).toBeNull();
    }
  });

  test('is the limit of the day, but not for what the account calls an answer, nor for what was counted already', () => {
    const full = gates({ pacing: { dailyLimit: 5 }, pace: sentToday(5) });
    expect(messageHold(message, null, full)).toEqual({ reason: 'daily_limit', until: now + 12 * hourMs });
    expect(changedFact(message, full)).not.toBeNull();
    expect(messageHold({ ...message, isAnswer: true }, null, full)).toBeNull();
    expect(messageHold({ ...message, hasBeenHanded: true }, null, full)).toBeNull();
  });

  test('is the warm-up of a new number', () => {
    const fresh = gates({ pacing: { warmUp: [2] }, pace: sentToday(2), pairedAt: now });
    expect(messageHold(message, null, fresh)?.reason).toBe('warm_up');
  });

  test('is what the recipient got a moment ago', () => {
    const interval = gates({ pacing: { recipientIntervalMs: 60_000 } });
    expect(messageHold(message, now - 20_000, interval)).toEqual({
      reason: 'recipient_interval',
      until: now + 40_000,
    });
    expect(messageHold(message, now - 60_000, interval)).toBeNull();
    expect(changedFact(message, interval)).toBeNull();
  });
});

describe('the forecast of a message', () => {
  test('is now, when nothing is in its way', () => {
    expect(forecast(message, null, 0, gates())).toEqual({ expectedAt: now, heldReason: null });
  });

  test('counts the mean pause for each message before it', () => {
    const paced = gates({ pacing: { minDelayMs: 1000, maxDelayMs: 3000 } });
    expect(forecast(message, null, 10, paced)).toEqual({
      expectedAt: now + 20_000,
      heldReason: 'pacing',
    });
  });

  test('names the limit of the day, and not the pause of seconds that passes before it', () => {
    const spent = { pacing: { dailyLimit: 5, minDelayMs: 1000, maxDelayMs: 1000 } };
    const pause = { ...sentToday(5), nextAt: now + 900 };
    for (const waits of [{ pace: pause }, { pace: sentToday(5), inFlight: 32 }]) {
      expect(forecast(message, null, 0, gates({ ...spent, ...waits }))).toEqual({
        expectedAt: now + 12 * hourMs,
        heldReason: 'daily_limit',
      });
    }
    const isAnswer = { ...message, isAnswer: true };
    expect(forecast(isAnswer, null, 0, gates({ ...spent, pace: pause })).heldReason).toBe('pacing');
  });

  test('begins the next day with all its room where quiet hours last until then', () => {
    const quietHours = { start: '11:00', end: '01:00' };
    const spent = gates({ pacing: { dailyLimit: 5, quietHours }, pace: sentToday(5) });
    const { expectedAt } = forecast({ ...message, isAnswer: true }, null, 0, spent);
    expect(expectedAt).toBe(now + 13 * hourMs);
    const almostSpent = gates({ pacing: { dailyLimit: 5, quietHours }, pace: sentToday(4) });
    expect(forecast(message, null, 4, almostSpent).expectedAt).toBeLessThan(now + 14 * hourMs);
  });

  test('of an answer behind others is not in quiet hours either', () => {
    const quietHours = { start: '12:30', end: '13:30' };
    const slow = gates({ pacing: { minDelayMs: hourMs, maxDelayMs: hourMs, quietHours } });
    expect(forecast({ ...message, isAnswer: true }, null, 1, slow).expectedAt).toBe(now + 1.5 * hourMs);
  });

  test('waits for no other day where the limit of the day does not apply', () => {
    const spent = gates({ pacing: { dailyLimit: 5 }, pace: sentToday(5) });
    for (const free of [{ isAnswer: true }, { hasBeenHanded: true }, { isAction: true }]) {
      expect(forecast({ ...message, ...free }, null, 0, spent)).toEqual({
        expectedAt: now,
        heldReason: null,
      });
    }
    expect(forecast(message, null, 0, spent).expectedAt).toBe(now + 12 * hourMs);
  });

  test('lets no more leave in a day than its pauses allow', () => {
    const slow = gates({ pacing: { minDelayMs: hourMs, maxDelayMs: hourMs, dailyLimit: 100 } });
    expect(forecast(message, null, 11, slow).expectedAt).toBe(now + 11 * hourMs);
    // Twelve until midnight, twenty-four in the whole day behind it, and it is the fifth of the next one.
    expect(forecast(message, null, 40, slow).expectedAt).toBe(now + 40 * hourMs);
  });

  test('counts the pauses of another day from the end of its quiet hours on', () => {
    const quietHours = { start: '22:00', end: '08:00' };
    const pacing = { minDelayMs: hourMs, maxDelayMs: hourMs, dailyLimit: 5, quietHours };
    const { expectedAt } = forecast(message, null, 2, gates({ pacing, pace: sentToday(5) }));
    expect(expectedAt).toBe(now + 22 * hourMs);
    const almostSpent = gates({ pacing, pace: sentToday(4) });
    expect(forecast(message, null, 3, almostSpent).expectedAt).toBe(now + 22 * hourMs);
  });

  test('waits for the rest of the number, and then for what is left of the pause of the recipient', () => {
    const pacing = { recipientIntervalMs: hourMs };
    const tired = gates({ health: { ...freshHealth, rest }, pacing });
    expect(forecast(message, now - 60_000, 0, tired)).toEqual({
      expectedAt: now - 60_000 + hourMs,
      heldReason: 'resting',
    });
  });

  test('goes on with the next days when those before it use up this one', () => {
    const limited = gates({ pacing: { dailyLimit: 10 }, pace: sentToday(7) });
    const { expectedAt } = forecast(message, null, 14, limited);
    // Three today, ten tomorrow, and it is the second of the day after.
    expect(dayIn('UTC', expectedAt)).toBe(dayIn('UTC', now) + 2);
  });

  test('ends after the quiet hours, and after the restriction that holds it', () => {
    const quiet = gates({ pacing: { quietHours: { start: '11:00', end: '13:00' } } });
    expect(forecast(message, null, 0, quiet)).toEqual({
      expectedAt: now + hourMs,
      heldReason: 'quiet_hours',
    });
    const restricted = gates({ health: { ...freshHealth, restriction } });
    expect(forecast(message, null, 0, restricted).expectedAt).toBe(restriction.until);
  });

  test('is never in the past, and never in quiet hours', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.option(fc.integer({ min: 1, max: 50 })),
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Jakarta'),
        (ahead, dailyLimit, sent, timeZone) => {
          const some = gates({
            pacing: { dailyLimit, timeZone, quietHours: { start: '20:00', end: '08:00' } },
            pace: { nextAt: 0, day: dayIn(timeZone, now), sent },
          });
          const { expectedAt } = forecast(message, null, ahead, some);
          expect(expectedAt).toBeGreaterThanOrEqual(now);
          expect(numberHold({ ...some, now: expectedAt })).toBeNull();
        },
      ),
    );
  });
});

describe('what a sender knows of itself', () => {
  const { pacing } = gates({ pacing: { dailyLimit: 100 } });

  test('is told when there begins or ends to be a limit, and when it is used up; within one the account counts down itself', () => {
    const told: SenderFacts = {
      health: { status: 'healthy', reason: null, until: null },
      dailyRemaining: 50,
      perMinute: 10,
    };
    expect(isWorthTelling(told, { ...told, dailyRemaining: 1 })).toBe(false);
    expect(isWorthTelling(told, { ...told, dailyRemaining: 0 })).toBe(true);
    expect(isWorthTelling(told, { ...told, dailyRemaining: null })).toBe(true);
    expect(isWorthTelling(told, { ...told, perMinute: 0 })).toBe(true);
    const restricted = { ...told, health: { status: 'restricted', reason: 'No.', until: now } } as const;
    const longer = { ...restricted, health: { ...restricted.health, until: now + hourMs } };
    expect(isWorthTelling(restricted, longer)).toBe(true);
  });

  test('changes by the clock at the end of the day and at the quiet hours, and otherwise not', () => {
    expect(factsChangeAt(gates().pacing, null, now)).toBeNull();
    expect(factsChangeAt(pacing, null, now)).toBe(now + 12 * hourMs);
    const quiet = { ...pacing, quietHours: { start: '13:00', end: '14:00' } };
    expect(factsChangeAt(quiet, null, now)).toBe(now + hourMs);
  });
});

describe('what waits for a number', () => {
  const health = { status: 'unavailable', since: now, unavailableSince: now };
  const rerouteAfterMs = 45_000;
  const reason = 'sender_unavailable';

  test.each(['logged_out', 'banned', 'unpaired', 'pairing'] as const)(
    'that is %s goes back at once',
    (state) => {
      expect(unavailableFrom({ state, removedAt: null }, health, rerouteAfterMs)).toEqual({
        at: now,
        reason,
      });
    },
  );

  test('goes back after as long without a connection as the account says, counted from the loss, and after as long a rest', () => {
    const away = { state: 'disconnected' as const, removedAt: null };
    expect(unavailableFrom(away, { ...health, since: now + 5000 }, rerouteAfterMs)).toEqual({
      at: now + rerouteAfterMs,
      reason,
    });
    const resting = { status: 'resting', since: now, unavailableSince: null };
    const connected = { state: 'connected' as const, removedAt: null };
    expect(unavailableFrom(connected, resting, rerouteAfterMs)?.at).toBe(now + rerouteAfterMs);
  });

  test('stays while all is well, and goes back at once when the number is deleted', () => {
    const healthy = { status: 'healthy', since: now, unavailableSince: null };
    expect(unavailableFrom({ state: 'connected', removedAt: null }, healthy, rerouteAfterMs)).toBeNull();
    expect(unavailableFrom({ state: 'connected', removedAt: now }, healthy, rerouteAfterMs)).toEqual({
      at: now,
      reason: 'deleted',
    });
  });
});
