import type { Alert } from '../../durable/event-log/alerts/alert-rows.ts';

/**
 * A way for an alert to reach people beyond the log it stands in: e-mail, a chat app. Announcing may be repeated after
 * a crash; the alert's id is the same each time, and a channel hands it on to whatever can tell repetitions by it.
 */
export interface AlertChannel {
  readonly name: string;
  /** Throws when it did not go out; it is then announced again, on every channel. */
  announce(env: Env, accountId: string, alert: Alert): Promise<void>;
}
