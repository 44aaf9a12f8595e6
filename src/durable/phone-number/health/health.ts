import { type RefusalWeight, refusalWeight } from '../../../contract/messages/send-refusals.ts';
import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import { earliest } from '../../due-times.ts';
import type { Health } from '../../hand-over/number-news.ts';

/** How a number does as a sender, as far as its messages tell. Times are milliseconds since 1970. */
export interface HealthRecord {
  failuresInRow: number;
  /** Results by the minute, the last {@link windowMinutes} of them. */
  window: { minute: number; good: number; bad: number }[];
  /** Set while it rests. */
  rest: { until: number; reason: string } | null;
  /** How long the last rest was; 0 once a message has gone well since. */
  restMs: number;
  /** After a rest, until a message has gone well: one at a time, and one failure is enough. */
  isOnTrial: boolean;
  /** Set while the network lets it begin no new chats. `lengthMs`: how long that was to last when it was learnt. */
  restriction: { until: number; lengthMs: number } | null;
}

/** What became of a message, as far as it says something about the number that sent it. */
export type Trial =
  | { kind: 'sent'; ackMs: number | null }
  /** `code`: the network's, or one of `preparationFailures`; null where nobody knows. */
  | { kind: 'failed'; code: string | null }
  | { kind: 'unanswered' };

export const freshHealth: HealthRecord = {
  failuresInRow: 0,
  window: [],
  rest: null,
  restMs: 0,
  isOnTrial: false,
  restriction: null,
};

const failuresInRowMax = 5;
const windowMinutes = 10;
/** Fewer results than that say nothing about a rate. */
const windowResultsMin = 20;
const failureRateMax = 0.5;
/** An acknowledgement that takes longer counts as trouble: the network throttles before it refuses. */
export const slowAckMs = 15_000;
export const firstRestMs = 30_000;
export const restMsMax = 30 * 60_000;
/** Where the network restricts new chats and does not say until when. */
export const restrictionMs = 24 * 3_600_000;

/** The record after a result. What was under way before a rest, and ends during it, changes nothing. */
export function afterTrial(record: HealthRecord, trial: Trial, now: number): HealthRecord {
  const weight = trial.kind === 'failed' ? refusalWeight(trial.code) : null;
  if (weight === 'restriction') {
    return record.restriction ? record : withRestriction(record, now + restrictionMs, now);
  }
  if (record.rest || weight === 'nothing') return record;
  if (trial.kind === 'sent' && (trial.ackMs ?? 0) <= slowAckMs) return afterSuccess(record, now);
  const failuresInRow = record.failuresInRow + 1;
  const window = counted(record.window, 'bad', now);
  const reason = restReason(record, trial, weight, failuresInRow, window);
  if (reason === null) return { ...record, failuresInRow, window };
  const restMs = Math.min(record.restMs === 0 ? firstRestMs : record.restMs * 2, restMsMax);
  return {
    ...record,
    failuresInRow: 0,
    window: [],
    rest: { until: now + restMs, reason },
    restMs,
    isOnTrial: false,
  };
}

function afterSuccess(record: HealthRecord, now: number): HealthRecord {
  // What failed before the rest has been paid for.
  return {
    ...record,
    failuresInRow: 0,
    window: counted(record.window, 'good', now),
    restMs: 0,
    isOnTrial: false,
  };
}

function restReason(
  record: HealthRecord,
  trial: Trial,
  weight: RefusalWeight | null,
  failuresInRow: number,
  window: HealthRecord['window'],
): string | null {
  if (record.isOnTrial) return reasonSentence('failed_trial');
  if (weight === 'rest') return reasonSentence('sends_too_much');
  if (failuresInRow >= failuresInRowMax) {
    const values = { count: String(failuresInRow), seconds: String(slowAckMs / 1000) };
    if (trial.kind === 'failed') return reasonSentence('failed_in_row', values);
    return reasonSentence(trial.kind === 'unanswered' ? 'unacknowledged' : 'acknowledged_late', values);
  }
  const bad = window.reduce((sum, minute) => sum + minute.bad, 0);
  const all = window.reduce((sum, minute) => sum + minute.good + minute.bad, 0);
  if (all < windowResultsMin || bad / all <= failureRateMax) return null;
  return reasonSentence('often_failed', { failed: String(bad), count: String(all) });
}

function counted(
  window: HealthRecord['window'],
  result: 'good' | 'bad',
  now: number,
): HealthRecord['window'] {
  const minute = Math.floor(now / 60_000);
  const recent = window.filter((one) => one.minute > minute - windowMinutes && one.minute <= minute);
  const current = recent.find((one) => one.minute === minute) ?? { minute, good: 0, bad: 0 };
  return [...recent.filter((one) => one !== current), { ...current, [result]: current[result] + 1 }];
}

/** What the network itself says about new chats; `until` null where it names no end. */
export function afterRestriction(
  record: HealthRecord,
  told: { isActive: boolean; until: number | null },
  now: number,
): HealthRecord {
  if (!told.isActive) return record.restriction ? { ...record, restriction: null } : record;
  const until = told.until ?? record.restriction?.until ?? now + restrictionMs;
  if (until <= now || until === record.restriction?.until) return record;
  return withRestriction(record, until, now);
}

function withRestriction(record: HealthRecord, until: number, now: number): HealthRecord {
  return { ...record, restriction: { until, lengthMs: until - now } };
}

/** The record once time has passed: rests and restrictions end, and none is longer than it was when it began. */
export function healthAt(record: HealthRecord, now: number): HealthRecord {
  let next = record;
  if (record.rest) {
    if (record.rest.until <= now) next = { ...next, rest: null, isOnTrial: true };
    else if (record.rest.until > now + record.restMs) {
      next = { ...next, rest: { ...record.rest, until: now + record.restMs } };
    }
  }
  if (record.restriction) {
    const { until, lengthMs } = record.restriction;
    if (until <= now) next = { ...next, restriction: null };
    else if (until > now + lengthMs) next = { ...next, restriction: { until: now + lengthMs, lengthMs } };
  }
  return next;
}

/** Health as it is shown. `unavailable`: why the number is not connected, null while it is. */
export function shownHealth(record: HealthRecord, unavailable: string | null): Health {
  if (unavailable !== null) return { status: 'unavailable', reason: unavailable, until: null };
  if (record.rest) return { status: 'resting', ...record.rest };
  if (record.restriction) {
    const reason = reasonSentence('no_new_chats');
    return { status: 'restricted', reason, until: record.restriction.until };
  }
  const reason = record.isOnTrial ? reasonSentence('on_trial') : null;
  return { status: 'healthy', reason, until: null };
}

export const isSameHealth = (one: Health, other: Health): boolean =>
  one.status === other.status && one.reason === other.reason && one.until === other.until;

/** When time alone changes the health; null when it does not. */
export const healthChangesAt = ({ rest, restriction }: HealthRecord): number | null =>
  earliest([rest?.until, restriction?.until]);
