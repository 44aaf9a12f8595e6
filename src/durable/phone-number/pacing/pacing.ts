import { isAction, type OutboundContent } from '../../../contract/messages/actions.ts';
import { textOf } from '../../../contract/messages/content.ts';
import { defaultPacing, type HeldReason, type Pacing } from '../../../contract/numbers/sender-settings.ts';
import { dayIn, isQuiet } from '../../local-time/zone-time.ts';

/**
 * How many messages of one number its bridge has at a time. The bridge sends one after the other. This many keep it busy, and
 * each of them has to be looked up after a crash.
 */
const inFlightMax = 32;
/**
 * The same while the bridge types before each text. With more, messages would wait there so long that the network would seem not
 * to answer.
 */
const typingInFlightMax = 8;

/**
 * Messages that a number keeps at a time; the rest of its backlog stays with the account. A paced number keeps about as many as
 * it sends in a minute.
 */
const queueMax = 64;
const pacedQueueMax = 20;

/** A message that has no answer after this time no longer holds up others. It stays with its bridge. */
export const ackTimeoutMs = 60_000;

/** Of a number whose settings nobody has given yet. */
export const unpaced: Pacing = { ...defaultPacing, minDelayMs: 0, maxDelayMs: 0 };

/** What a number has sent lately, as far as it decides what it may send next. */
export interface Pace {
  /** The next message leaves no earlier; milliseconds since 1970. */
  nextAt: number;
  /** The calendar day, in the zone of the settings, that `sent` counts. */
  day: number;
  sent: number;
}

export const freshPace: Pace = { nextAt: 0, day: 0, sent: 0 };

/**
 * The pace at `now`: a new day counts from 0. If the clock was set back, the wait is no longer than the longest delay, and a
 * day that has begun gets no second allowance. Returns the same object if nothing changed.
 */
export function paceAt(pace: Pace, pacing: Pacing, now: number): Pace {
  const today = dayIn(pacing.timeZone, now);
  const nextAt = Math.min(pace.nextAt, now + pacing.maxDelayMs);
  // A day further ahead than tomorrow was never true; what was counted in it was sent today.
  const isBogus = pace.day > today + 1;
  const day = isBogus ? today : Math.max(pace.day, today);
  const sent = day === pace.day || isBogus ? pace.sent : 0;
  return nextAt === pace.nextAt && day === pace.day && sent === pace.sent ? pace : { nextAt, day, sent };
}

/** Messages of the day of `now`. A clock that went back over midnight shows a day that is over: it has no room left. */
export function sentOn(pace: Pace, pacing: Pacing, now: number): number {
  return dayIn(pacing.timeZone, now) < pace.day ? Number.POSITIVE_INFINITY : pace.sent;
}

/** The pace under other settings: the day goes on counting under the zone's own calendar. */
export function paceUnder(pace: Pace, before: Pacing, after: Pacing, now: number): Pace {
  const { nextAt, day, sent } = paceAt(pace, before, now);
  return paceAt(
    { nextAt, day: day + dayIn(after.timeZone, now) - dayIn(before.timeZone, now), sent },
    after,
    now,
  );
}

/** The pace after messages have left, `counted` of them for the first time. `random` is at least 0 and less than 1. */
export function paceAfter(pace: Pace, pacing: Pacing, now: number, counted: number, random: number): Pace {
  const { minDelayMs, maxDelayMs } = pacing;
  const delayMs = minDelayMs + Math.floor(random * (maxDelayMs - minDelayMs + 1));
  return { ...pace, nextAt: now + delayMs, sent: pace.sent + counted };
}

/** The pace after a message that left at `handedAt` has come back: it certainly never left, so its day counts it no more. */
export function paceBefore(pace: Pace, pacing: Pacing, handedAt: number): Pace {
  const isSameDay = dayIn(pacing.timeZone, handedAt) === pace.day;
  return isSameDay ? { ...pace, sent: Math.max(0, pace.sent - 1) } : pace;
}

interface DayLimit {
  /** Null: as many as one likes. */
  limit: number | null;
  /** Which setting it comes from. */
  reason: Extract<HeldReason, 'daily_limit' | 'warm_up'>;
}

/** How many messages the number may begin on the day of `now`. `pairedAt` is when this phone number was first linked. */
export function dayLimit(pacing: Pacing, pairedAt: number | null, now: number): DayLimit {
  const { dailyLimit, warmUp, timeZone } = pacing;
  const age = pairedAt === null ? 0 : Math.max(0, dayIn(timeZone, now) - dayIn(timeZone, pairedAt));
  const ramp = warmUp?.[age] ?? null;
  if (ramp !== null && (dailyLimit === null || ramp < dailyLimit)) return { limit: ramp, reason: 'warm_up' };
  return { limit: dailyLimit, reason: 'daily_limit' };
}

/** Messages that may be under way at a time. */
export function inFlightLimit(pacing: Pacing, isOnTrial: boolean): number {
  if (isOnTrial) return 1;
  return pacing.typing ? typingInFlightMax : inFlightMax;
}

/** How many messages the number keeps at a time. */
export function queueLimit(pacing: Pacing, isOnTrial: boolean): number {
  if (isOnTrial) return 1;
  if (pacing.maxDelayMs === 0) return queueMax;
  return Math.min(pacedQueueMax, Math.max(2, Math.ceil(60_000 / meanDelayMs(pacing))));
}

/** The mean wait between two messages, in milliseconds; of an unpaced number, what a session takes for a new contact. */
export function meanDelayMs({ minDelayMs, maxDelayMs }: Pacing): number {
  return Math.max(100, (minDelayMs + maxDelayMs) / 2);
}

/** What the number can send now, in messages a minute: 0 in quiet hours, 1 while it is being tried after a rest. */
export function ratePerMinute(pacing: Pacing, isOnTrial: boolean, now: number): number {
  if (pacing.quietHours && isQuiet(pacing.quietHours, pacing.timeZone, now)) return 0;
  return isOnTrial ? 1 : Math.round(60_000 / meanDelayMs(pacing));
}

const typingMsPerCharacter = 30;
const typingMsMax = 3_000;

/** How long the number types before a message, in milliseconds. */
export function typingMs(pacing: Pacing, content: OutboundContent): number {
  return pacing.typing && !isAction(content)
    ? Math.min(textOf(content).length * typingMsPerCharacter, typingMsMax)
    : 0;
}
