import type { EventsQueueMessage } from '../../durable/relayed-events.ts';
import { batch, type Database, openDatabase, type Statement } from '../db/database.ts';
import { type DeliveryKey, type DeliveryRow, storedAmong } from '../db/deliveries.ts';
import { packedAmong } from '../db/delivery-packs.ts';
import { listeningWebhooks, type WebhookRow } from '../db/webhooks.ts';
import { fanOut } from './fan-out.ts';
import { knownWebhooks } from './known-webhooks.ts';

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
  /** Whether the webhooks are those of a moment ago: they are read anew as the batch is stored. */
  isByMemory: boolean;
  /** Messages of which it then turned out that webhooks want what is not planned. */
  overtaken: Set<EventsMessage>;
}

/** What the messages ask for. A message may have come before: only deliveries that are not stored are untried. */
export async function planBatch(env: Env, messages: readonly EventsMessage[]): Promise<Plan> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const accountIds = accountsOf(messages);
  // Nothing is decided by those that are known: they let the batch ask for webhooks and deliveries in one round trip.
  const guessed = fanOut(bodiesOf(messages), knownWebhooks.last(accountIds), now);
  const listening = listeningWebhooks(db, accountIds);
  const answers = await batch(db, [...listening, ...lookUps(db, guessed)]);
  const webhooks = answers.slice(0, listening.length).flat() as WebhookRow[];
  knownWebhooks.note(accountIds, webhooks, now);
  const planned = plannedFor(messages, webhooks, now);
  const wanted = wantedBy(planned);
  const askedFor = new Set(guessed.map(({ deliveryId }) => deliveryId));
  const missing = wanted.filter(({ deliveryId }) => !askedFor.has(deliveryId));
  const found = [...answers.slice(listening.length), ...(await batch(db, lookUps(db, missing)))];
  const known = new Set((found.flat() as DeliveryKey[]).map(({ deliveryId }) => deliveryId));
  return {
    planned,
    webhooks: byId(webhooks),
    known,
    untried: wanted.filter(({ deliveryId }) => !known.has(deliveryId)),
    isByMemory: false,
    overtaken: new Set(),
  };
}

/**
 * The same without asking, for messages that nobody can have had before, where the webhooks of their accounts were read
 * within the last second; else null. A webhook that was changed since is called as it was.
 */
export function planByMemory(messages: readonly EventsMessage[]): Plan | null {
  const now = Date.now();
  const webhooks = knownWebhooks.lately(accountsOf(messages), now);
  if (webhooks === null) return null;
  const planned = plannedFor(messages, webhooks, now);
  return {
    planned,
    webhooks: byId(webhooks),
    known: new Set(),
    untried: wantedBy(planned),
    isByMemory: true,
    overtaken: new Set(),
  };
}

/** Whether these webhooks ask for a delivery that was not planned. */
export const asksForMore = ({ message, deliveries }: Planned, webhooks: readonly WebhookRow[]): boolean => {
  const ids = new Set(deliveries.map(({ deliveryId }) => deliveryId));
  return fanOut([message.body], webhooks, Date.now()).some(({ deliveryId }) => !ids.has(deliveryId));
};

export const accountsOf = (messages: readonly EventsMessage[]): string[] => [
  ...new Set(messages.map(({ body }) => body.accountId)),
];

const bodiesOf = (messages: readonly EventsMessage[]) => messages.map(({ body }) => body);

const plannedFor = (
  messages: readonly EventsMessage[],
  webhooks: readonly WebhookRow[],
  now: number,
): Planned[] => messages.map((message) => ({ message, deliveries: fanOut([message.body], webhooks, now) }));

/** Each delivery once. */
const wantedBy = (planned: readonly Planned[]): DeliveryRow[] => [
  ...new Map(planned.flatMap((it) => it.deliveries).map((row) => [row.deliveryId, row])).values(),
];

const byId = (webhooks: readonly WebhookRow[]) => new Map(webhooks.map((webhook) => [webhook.id, webhook]));

/** Which of these are stored, in rows or in packs. */
const lookUps = (db: Database, deliveries: readonly DeliveryRow[]): Statement[] => [
  ...storedAmong(db, deliveries),
  ...packedAmong(db, deliveries),
];
