import { eq } from 'drizzle-orm';
import type { EventEnvelope, EventName } from '../../../../contract/events.ts';
import { openDatabase } from '../../../../database/open-database.ts';
import { webhooks } from '../../../../database/schema.ts';
import { accountQuery } from '../../../account-query.ts';
import { orderedUuid } from '../../../new-ids.ts';
import type { StoredEvent } from '../../events/event-rows.ts';
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
  const db = openDatabase(d1);
  const [account, rows] = await db.batch([
    accountQuery(db, accountId),
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

/** Whether a webhook gets this event: it asked for it, and it is assigned to the number that the event bears. */
export function wants(
  webhook: Pick<WebhookConfiguration, 'events' | 'numberIds'>,
  { event, data }: EventEnvelope,
): boolean {
  if (webhook.events !== null && !webhook.events.includes(event)) return false;
  return webhook.numberIds === null || !('numberId' in data) || webhook.numberIds.includes(data.numberId);
}

/** Events with the same key must not overtake one another: those of one message. Null: it waits for nobody. */
export const orderKeyOf = ({ data }: EventEnvelope): string | null =>
  'messageId' in data ? data.messageId : null;

/** The first delivery of an event to a webhook has this id, however often it is planned. Ids are in the order of events. */
export const firstDeliveryIdOf = (webhookId: string, { seq, envelope }: StoredEvent): string =>
  orderedUuid(Date.parse(envelope.timestamp), seq, envelope.id, webhookId);

/** The same for the delivery that a replay makes of it. */
export const replayDeliveryIdOf = (
  webhookId: string,
  replay: { id: string; begunAt: number },
  { seq, envelope }: StoredEvent,
): string => orderedUuid(replay.begunAt, seq, envelope.id, webhookId, replay.id);

/** Below every delivery id of this time: ids are UUIDv7, which begin with their milliseconds. */
export function deliveryIdsFrom(at: number): string {
  const hex = Math.max(0, at).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When a delivery with this id was planned; milliseconds since 1970. */
export const timeOfDeliveryId = (deliveryId: string): number =>
  Number.parseInt(deliveryId.slice(0, 8) + deliveryId.slice(9, 13), 16);
