import type { SendLane } from '../../../contract/messages/message.ts';
import type { HeldReason, Pacing } from '../../../contract/numbers/sender-settings.ts';
import { isQuiet, nextDayIn, nextQuietChange } from '../../local-time/zone-time.ts';
import type { HealthRecord } from '../health/health.ts';
import { dayLimit, inFlightLimit, meanDelayMs, type Pace, sentOn } from '../pacing/pacing.ts';

/** Everything that decides whether a number may send now; `pace` and `health` as of `now`. */
export interface Gates {
  now: number;
  isConnected: boolean;
  health: HealthRecord;
  pacing: Pacing;
  pace: Pace;
  /** When this phone number was first linked. */
  pairedAt: number | null;
  inFlight: number;
}

/** Why something waits, and until when as far as the clock decides it. */
export interface Hold {
  reason: HeldReason;
  until: number | null;
}

/** The part of a waiting message that its turn depends on. */
export interface Waiting {
  isNewChat: boolean;
  /** As the account has decided: the limit of a day does not hold it. */
  isAnswer: boolean;
  /** It may have left once: its day has counted it. */
  hasBeenHanded: boolean;
  /** It is something that is done to a message: it begins no chat and counts for no day. */
  isAction?: boolean;
}

/** What holds back every message of the number; null when there is nothing. */
export function numberHold(gates: Gates): Hold | null {
  const { now, pacing, pace, health } = gates;
  if (!gates.isConnected) return { reason: 'not_connected', until: null };
  if (health.rest) return { reason: 'resting', until: health.rest.until };
  if (pacing.quietHours && isQuiet(pacing.quietHours, pacing.timeZone, now)) {
    return { reason: 'quiet_hours', until: nextQuietChange(pacing.quietHours, pacing.timeZone, now) };
  }
  if (gates.inFlight >= inFlightLimit(pacing, health.isOnTrial)) return { reason: 'in_flight', until: null };
  if (pace.nextAt > now) return { reason: 'pacing', until: pace.nextAt };
  return null;
}

/** Whether the limit of a day applies to it. */
const isHeldByDay = ({ isAction = false, isAnswer, hasBeenHanded }: Waiting): boolean =>
  !isAction && !isAnswer && !hasBeenHanded;

/**
 * What has changed since the account decided that this message may leave: the network restricts new chats, or the daily limit
 * is used up. Null: nothing has. Only the account decides about recipients.
 */
export function changedFact(message: Waiting, gates: Gates): Hold | null {
  const { now, pacing, pace, health } = gates;
  if (message.isAction) return null;
  if (health.restriction && message.isNewChat) {
    return { reason: 'restricted', until: health.restriction.until };
  }
  const { limit, reason } = dayLimit(pacing, gates.pairedAt, now);
  if (limit !== null && isHeldByDay(message) && sentOn(pace, pacing, now) >= limit) {
    return { reason, until: nextDayIn(pacing.timeZone, now) };
  }
  return null;
}

/** What holds back this message while others may pass; null when there is nothing. `lastOutAt`: the last one to its recipient. */
export function messageHold(message: Waiting, lastOutAt: number | null, gates: Gates): Hold | null {
  const changed = changedFact(message, gates);
  if (changed !== null || message.isAction || lastOutAt === null) return changed;
  const until = lastOutAt + gates.pacing.recipientIntervalMs;
  return until > gates.now ? { reason: 'recipient_interval', until } : null;
}

/** A message that the number does not have: what the account has decided about it, and how many it keeps that leave before it. */
export interface ForecastRequest {
  recipient: string;
  isNewChat: boolean;
  isAnswer?: boolean;
  /** Left out by an account of an earlier release: behind all others. */
  lane?: SendLane;
  ahead: number;
}

export interface Forecast {
  expectedAt: number;
  heldReason: HeldReason | null;
}

/** The same of a message that is there; null: nobody knows when, or it is with the bridge. */
export type Outlook = { [Name in keyof Forecast]: Forecast[Name] | null };

/** How many days a forecast looks ahead. */
const forecastDaysMax = 366;

/**
 * When a message with `ahead` others before it is expected to leave, and what makes it wait now (null: nothing). It is an
 * estimate: it uses the mean of delays, and assumes that a disconnected number connects at once.
 */
export function forecast(message: Waiting, lastOutAt: number | null, ahead: number, gates: Gates): Forecast {
  const { now, pacing } = gates;
  const own = messageHold(message, lastOutAt, gates);
  const all = numberHold(gates);
  // A pause of seconds is not what keeps back a message that waits for another day.
  const isPassing = all?.reason === 'pacing' || all?.reason === 'in_flight';
  const hold = (isPassing ? own : null) ?? all ?? own ?? (ahead > 0 ? behindOthers(pacing) : null);
  const from = Math.max(now, hold?.until ?? 0, own?.until ?? 0);
  const expectedAt = isHeldByDay(message)
    ? leaveAt(gates, from, ahead)
    : outOfQuiet(pacing, outOfQuiet(pacing, from) + ahead * meanDelayMs(pacing));
  return { expectedAt, heldReason: hold?.reason ?? null };
}

const behindOthers = ({ maxDelayMs }: Pacing): Hold => ({
  reason: maxDelayMs > 0 ? 'pacing' : 'in_flight',
  until: null,
});

/** Walks through the days, each with what it may send, until it is the turn of the one behind `ahead` others. */
function leaveAt(gates: Gates, from: number, ahead: number): number {
  const { pacing, pace, pairedAt, now } = gates;
  const delayMs = meanDelayMs(pacing);
  let start = outOfQuiet(pacing, from);
  let before = ahead;
  let sent = start >= nextDayIn(pacing.timeZone, now) ? 0 : pace.sent;
  for (let day = 0; day < forecastDaysMax; day += 1) {
    const { limit } = dayLimit(pacing, pairedAt, start);
    const left = limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - sent);
    const at = start + before * delayMs;
    const dayEnd = nextDayIn(pacing.timeZone, start);
    if (before < left && (limit === null || at < dayEnd)) return outOfQuiet(pacing, at);
    before -= Math.min(left, before, Math.max(0, Math.floor((dayEnd - start) / delayMs)));
    start = outOfQuiet(pacing, dayEnd);
    sent = 0;
  }
  return start;
}

function outOfQuiet({ quietHours, timeZone }: Pacing, at: number): number {
  if (!quietHours || !isQuiet(quietHours, timeZone, at)) return at;
  return nextQuietChange(quietHours, timeZone, at) ?? at;
}
