import { LRUCache } from 'lru-cache';
import type { EventsQueueMessage } from '../../durable/relayed-events.ts';
import { batch, type Database, openDatabase, type Statement } from '../db/database.ts';
import { type DeliveryKey, type DeliveryRow, storedAmong } from '../db/deliveries.ts';
import { packedAmong } from '../db/delivery-packs.ts';
import { listeningWebhooks, type WebhookRow } from '../db/webhooks.ts';
import { fanOut } from './fan-out.ts';

/** Events of one object, as a queue message or past the queue. */
export type EventsMessage = Pick<Message<EventsQueueMessage>, 'body'>;

/** A message, and the deliveries that its events ask for. */
export interface Planned {
  message: EventsMessage;
  deliveries: DeliveryRow[];
}

/** What a batch is to do. */
export interface Plan {
  planned: readonly Planned[];
  webhooks: ReadonlyMap<string, WebhookRow>;
  /** Ids of deliveries that are stored; more come in as the batch is. */
  known: Set<string>;
  untried: readonly DeliveryRow[];
}

/**
 * The webhooks of accounts as they last were. Nothing is decided by them: they let the batch ask in one round trip which
 * webhooks there are and which of their deliveries are stored.
 */
const remembered = new LRUCache<string, WebhookRow[]>({ max: 1000 });

/** What the messages ask for. A message may have come before: only deliveries that are not stored are untried. */
export async function planBatch(env: Env, messages: readonly EventsMessage[]): Promise<Plan> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const bodies = messages.map(({ body }) => body);
  const accountIds = [...new Set(bodies.map(({ accountId }) => accountId))];
  const guessed = fanOut(
    bodies,
    accountIds.flatMap((id) => remembered.get(id) ?? []),
    now,
  );
  const listening = listeningWebhooks(db, accountIds);
  const answers = await batch(db, [...listening, ...lookUps(db, guessed)]);
  const webhooks = answers.slice(0, listening.length).flat() as WebhookRow[];
  for (const id of accountIds)
    remembered.set(
      id,
      webhooks.filter(({ accountId }) => accountId === id),
    );
  const planned = messages.map((message) => ({ message, deliveries: fanOut([message.body], webhooks, now) }));
  const wanted = [
    ...new Map(planned.flatMap((it) => it.deliveries).map((row) => [row.deliveryId, row])).values(),
  ];
  const askedFor = new Set(guessed.map(({ deliveryId }) => deliveryId));
  const missing = wanted.filter(({ deliveryId }) => !askedFor.has(deliveryId));
  const found = [...answers.slice(listening.length), ...(await batch(db, lookUps(db, missing)))];
  const known = new Set((found.flat() as DeliveryKey[]).map(({ deliveryId }) => deliveryId));
  return {
    planned,
    webhooks: new Map(webhooks.map((webhook) => [webhook.id, webhook])),
    known,
    untried: wanted.filter(({ deliveryId }) => !known.has(deliveryId)),
  };
}

/** Which of these are stored, in rows or in packs. */
const lookUps = (db: Database, deliveries: readonly DeliveryRow[]): Statement[] => [
  ...storedAmong(db, deliveries),
  ...packedAmong(db, deliveries),
];
