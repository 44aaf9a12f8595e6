import type { AlertKind } from '../../../../contract/alerts/alerts.ts';

/** How a receiver does. */
export interface Streak {
  /** Failed attempts in a row. */
  failures: number;
  /** When the first of them ended; null while there is none. */
  since: number | null;
  /** It failed too long: nothing goes there until a person switches the webhook on again. */
  isOpen: boolean;
}

/** What a streak means for the owner. */
type WebhookAlertKind = Extract<AlertKind, `webhook.${string}`>;

export const freshStreak: Streak = { failures: 0, since: null, isOpen: false };

/** At these the owner is warned. */
const warningFailures = [10, 20];
/** From this on the circuit opens, once the failures have lasted long enough. */
export const openingFailures = 25;

/** A success ends the streak. It does not close the circuit: that is a person's decision. */
export const afterSuccess = (streak: Streak): Streak => ({ ...streak, failures: 0, since: null });

/**
 * Counts one more failed attempt, and returns what the owner has to be told.
 * @param at when the attempt ended
 * @param openAfterMs how long ago the first failure must be for the circuit to open
 */
export function afterFailure(
  streak: Streak,
  at: number,
  openAfterMs: number,
): { streak: Streak; alert: WebhookAlertKind | null } {
  const failures = streak.failures + 1;
  const since = Math.min(streak.since ?? at, at);
  if (streak.isOpen) return { streak: { failures, since, isOpen: true }, alert: null };
  const opens = failures >= openingFailures && at - since >= openAfterMs;
  const alert = opens ? 'webhook.disabled' : warningFailures.includes(failures) ? 'webhook.failing' : null;
  return { streak: { failures, since, isOpen: opens }, alert };
}

/** The waits whose sum a receiver must have been failing for before its circuit opens. */
const circuitRungs = 3;

/** How long a receiver must have been failing before its circuit may open: a restart under load must not open it. */
export const circuitAfterMs = (ladderSeconds: readonly number[]): number =>
  ladderSeconds.slice(0, circuitRungs).reduce((sum, seconds) => sum + seconds, 0) * 1000;
