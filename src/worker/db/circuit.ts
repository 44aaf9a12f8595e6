import { and, eq, exists, gte, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '../../database/schema.ts';
import { raiseAlert } from './alerts.ts';
import type { Database, Statement } from './database.ts';
import { attemptOpen, type DeliveryKey } from './deliveries.ts';

/** Failed attempts in a row: at these the owner is warned, and at the last the webhook is switched off. */
const warningStreaks = [10, 20];
const openingStreak = 25;

/**
 * One failed attempt more in a row; on the way warnings, and at last the end of it. These statements go before
 * `recordAttempt` in its batch: they count only while the row does not hold that attempt yet, so a repeated batch counts
 * it once. The streak reaches each number once, whatever runs at the same moment, and the webhook is switched off by
 * whoever finds it on.
 *
 * @param reason the last failure in words, for the alert
 */
export function noteFailedAttempt(
  db: Database,
  delivery: DeliveryKey,
  attemptsBefore: number,
  alertId: string,
  reason: string,
  now: number,
): Statement[] {
  const isOpen = exists(
    db.select({ one: sql`1` }).from(deliveries).where(attemptOpen(delivery, attemptsBefore)),
  );
  const webhook = eq(webhooks.id, delivery.webhookId);
  return [
    db
      .update(webhooks)
      .set({ failureStreak: sql`${webhooks.failureStreak} + 1` })
      .where(and(webhook, isOpen)),
    raiseAlert(
      db,
      sql`select account_id, ${alertId},
          case when failure_streak >= ${openingStreak} then 'webhook.disabled' else 'webhook.failing' end,
          'webhook:' || id, ${now},
          json_object('failureStreak', failure_streak, 'disabledAtStreak', ${openingStreak}, 'lastError', ${reason}), null
        from webhooks
        where ${webhook} and enabled = 1 and ${isOpen}
          and (failure_streak >= ${openingStreak} or failure_streak in ${warningStreaks})`,
    ),
    db
      .update(webhooks)
      .set({ enabled: false, disabledReason: 'circuit_open', releasing: false })
      .where(and(webhook, eq(webhooks.enabled, true), gte(webhooks.failureStreak, openingStreak), isOpen))
      .returning({ id: webhooks.id }),
  ];
}
