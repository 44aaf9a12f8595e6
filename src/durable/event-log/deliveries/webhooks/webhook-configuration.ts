import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EventName } from '../../../../contract/events.ts';
import { accounts, webhooks } from '../../../../database/schema.ts';
import type { WebhookTarget } from '../delivery-order.ts';

/** A webhook as a person has configured it. */
export interface WebhookConfiguration extends WebhookTarget {
  /** Null: all numbers, also those to come. */
  numberIds: string[] | null;
  /** Null: all events, also those to come. */
  events: EventName[] | null;
  enabled: boolean;
}

export interface AccountWebhooks {
  /** Of the account's configuration: rises with each change of it. */
  revision: number;
  webhooks: WebhookConfiguration[];
}

/** Reads an account's webhooks from D1, as of now; null for an account that does not exist. */
export async function loadWebhooks(d1: D1Database, accountId: string): Promise<AccountWebhooks | null> {
  const db = drizzle(d1);
  const [account, rows] = await db.batch([
    db.select({ revision: accounts.revision }).from(accounts).where(eq(accounts.id, accountId)),
    db
      .select({
        id: webhooks.id,
        url: webhooks.url,
        sealedSecret: webhooks.sealedSecret,
        previousSealedSecret: webhooks.previousSealedSecret,
        previousSecretUntil: webhooks.previousSecretUntil,
        sealedHeaders: webhooks.sealedHeaders,
        numberIds: webhooks.numberIds,
        events: webhooks.events,
        enabled: webhooks.enabled,
      })
      .from(webhooks)
      .where(eq(webhooks.accountId, accountId)),
  ]);
  return account[0] ? { revision: account[0].revision, webhooks: rows } : null;
}
