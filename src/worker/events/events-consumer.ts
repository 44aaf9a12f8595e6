import { logFault } from '../../durable/log.ts';
import type { EventSource, EventsQueueMessage } from '../../durable/relayed-events.ts';
import { batch, openDatabase } from '../db/database.ts';
import { type DeliveryKey, insertDeliveries, untriedAmong } from '../db/deliveries.ts';
import { faultMessage } from '../db/fault-message.ts';
import { upsertMessages } from '../db/messages.ts';
import { projectDevice } from '../db/numbers.ts';
import { isTransient, retryTransient } from '../db/transient-errors.ts';
import { enabledWebhooks } from '../db/webhooks.ts';
import { queueDeliveries } from '../delivery/delivery-queue.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { fanOut } from './fan-out.ts';
import { mergeProjections } from './merge-projections.ts';

/**
 * Consumer of the queue `events`: stores what happened, queues the deliveries, and only then tells the objects that
 * they may forget it. Every step may be repeated, so a message whose step failed simply comes again.
 */
export async function consumeEvents(queueBatch: MessageBatch<EventsQueueMessage>, env: Env): Promise<void> {
  const stored = await storeOrSplit(env, queueBatch.messages);
  const confirmed = await Promise.all(bySource(stored).map((group) => confirm(env, group)));
  for (const message of confirmed.flat()) message.ack();
  const acked = new Set(confirmed.flat());
  for (const message of queueBatch.messages) {
    if (!acked.has(message)) message.retry();
  }
}

type QueueMessage = Message<EventsQueueMessage>;

/** The messages that are stored: all, or, where one spoils the transaction, those that can be stored alone. */
async function storeOrSplit(env: Env, messages: readonly QueueMessage[]): Promise<readonly QueueMessage[]> {
  try {
    await store(
      env,
      messages.map((message) => message.body),
    );
    return messages;
  } catch (error) {
    logFault('events.not_stored', faultMessage(error).error, { messages: messages.length });
    // A database that is away is no better for one message than for all.
    if (messages.length <= 1 || isTransient(error)) return [];
    const stored: QueueMessage[] = [];
    for (const message of messages) stored.push(...(await storeOrSplit(env, [message])));
    return stored;
  }
}

/** One transaction for the read model and the deliveries, then the deliveries' way to their queue. */
async function store(env: Env, bodies: readonly EventsQueueMessage[]): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const accountIds = [...new Set(bodies.map((body) => body.accountId))];
  const webhooks = await retryTransient(() => enabledWebhooks(db, accountIds));
  const deliveries = await fanOut(bodies, webhooks, now);
  const projections = mergeProjections(bodies);
  const statements = [
    ...upsertMessages(db, projections.messages),
    ...projections.devices.map(({ accountId, device }) => projectDevice(db, accountId, device)),
    ...insertDeliveries(db, deliveries),
  ];
  const results = await batch(db, [...statements, ...untriedAmong(db, deliveries)]);
  // Repeated messages find deliveries that are over or on their way: only the untried ones are queued, in event order.
  const untried = new Set(
    (results.slice(statements.length).flat() as DeliveryKey[]).map((it) => it.deliveryId),
  );
  await queueDeliveries(
    env,
    deliveries.filter((delivery) => untried.has(delivery.deliveryId)),
  );
}

interface SourceGroup {
  source: EventSource;
  messages: QueueMessage[];
}

function bySource(messages: readonly QueueMessage[]): SourceGroup[] {
  const groups = new Map<string, SourceGroup>();
  for (const message of messages) {
    const { source } = message.body;
    const key = `${source.kind} ${source.name}`;
    const group = groups.get(key) ?? { source, messages: [] };
    group.messages.push(message);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Tells the object what is stored. Returns the messages that need not come again. */
async function confirm(env: Env, { source, messages }: SourceGroup): Promise<QueueMessage[]> {
  const seqs = [...new Set(messages.flatMap((message) => message.body.events.map((event) => event.seq)))];
  try {
    await (source.kind === 'account'
      ? askAccount(env, source.name, (account) => account.confirmEvents(seqs))
      : askNumber(env, source.name, (number) => number.confirmEvents(seqs)));
    return messages;
  } catch (error) {
    logFault('events.not_confirmed', error, { source: source.kind, name: source.name });
    return [];
  }
}
