import { logFault } from '../../durable/log.ts';
import type { EventSource, EventsQueueMessage } from '../../durable/relayed-events.ts';
import { batch, openDatabase } from '../db/database.ts';
import { type DeliveryKey, type DeliveryRow, deliveryKeptMs, untriedAmong } from '../db/deliveries.ts';
import { insertPacks, insertUnpacked } from '../db/delivery-packs.ts';
import { faultMessage } from '../db/fault-message.ts';
import { upsertMessages } from '../db/messages.ts';
import { projectDevice } from '../db/numbers.ts';
import { isTransient } from '../db/transient-errors.ts';
import {
  isDeliveryNews,
  listeningWebhooks,
  noteDelivered,
  releaseAgain,
  type WebhookRow,
} from '../db/webhooks.ts';
import { FirstAttempts, type Patience, patienceAlone } from '../delivery/first-attempts.ts';
import { type Lane, laneOf, queueDeliveries } from '../delivery/lanes.ts';
import { parseLadder } from '../delivery/verdict.ts';
import { askAccount, askNumber } from '../object-calls.ts';
import { knownWebhooks } from './known-webhooks.ts';
import { mergeProjections } from './merge-projections.ts';
import {
  accountsOf,
  asksForMore,
  type EventsMessage,
  type Plan,
  type Planned,
  planBatch,
  planByMemory,
} from './plan.ts';

/**
 * The consumer of events, as batches of the queue `events`: makes the first attempts at the deliveries, stores what
 * happened, and only then tells the objects that they may forget it. Every step may be repeated, so a message whose step
 * failed simply comes again.
 */
export async function consumeEvents(
  queueBatch: MessageBatch<EventsQueueMessage>,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  const confirmed = new Set<EventsMessage>(await storeAndDeliver(env, queueBatch.messages, context));
  for (const message of queueBatch.messages) {
    if (confirmed.has(message)) message.ack();
    else message.retry();
  }
}

/**
 * The same for events that come past the queue, and for the first time: nobody waits behind them, so their receivers may
 * take their time. What could not be stored, or is wanted by a webhook that is new, goes through the queue after all,
 * which looks for what is stored and tries again.
 */
export async function consumeAtOnce(
  message: EventsQueueMessage,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  const messages = [{ body: message }];
  const past = { plan: planByMemory(messages), patience: patienceAlone };
  const [stored] = await storeAndDeliver(env, messages, context, past);
  if (stored === undefined) await env.EVENTS.send(message, { contentType: 'json' });
}

/** The messages that are stored, with all that the webhooks want of them, and confirmed. */
async function storeAndDeliver(
  env: Env,
  messages: readonly EventsMessage[],
  context: ExecutionContext,
  past?: { plan: Plan | null; patience: Patience },
): Promise<EventsMessage[]> {
  const attempts = new FirstAttempts(env, parseLadder(env.WEBHOOK_RETRY_SECONDS), past?.patience);
  let stored: readonly Planned[] = [];
  let complete: EventsMessage[] = [];
  try {
    const plan = past?.plan ?? (await planBatch(env, messages));
    await attempts.run(plan.untried, plan.webhooks);
    stored = await storeOrSplit(env, plan.planned, plan, attempts);
    complete = stored.map(({ message }) => message).filter((message) => !plan.overtaken.has(message));
  } catch (error) {
    logFault('events.not_stored', faultMessage(error).error, { messages: messages.length });
  } finally {
    // An attempt whose receiver is slow goes on behind the batch.
    const deliveries = stored.flatMap((it) => it.deliveries);
    context.waitUntil(attempts.finish(new Set(deliveries.map(({ deliveryId }) => deliveryId))));
  }
  return (await Promise.all(bySource(complete).map((group) => confirm(env, group)))).flat();
}

/** The messages that are stored: all, or, where one spoils the transaction, those that can be stored alone. */
async function storeOrSplit(
  env: Env,
  planned: readonly Planned[],
  plan: Plan,
  attempts: FirstAttempts,
): Promise<readonly Planned[]> {
  try {
    await store(env, planned, plan, attempts);
    return planned;
  } catch (error) {
    logFault('events.not_stored', faultMessage(error).error, { messages: planned.length });
    // A database that is away is no better for one message than for all.
    if (planned.length <= 1 || isTransient(error)) return [];
    const stored: Planned[] = [];
    for (const one of planned) stored.push(...(await storeOrSplit(env, [one], plan, attempts)));
    return stored;
  }
}

/** One transaction for the read model and the deliveries, then the way of those that were not begun to their queue. */
async function store(
  env: Env,
  planned: readonly Planned[],
  plan: Plan,
  attempts: FirstAttempts,
): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const projections = mergeProjections(planned.map(({ message }) => message.body));
  const deliveries = planned.flatMap((it) => it.deliveries);
  const fresh = deliveries.filter(({ deliveryId }) => !plan.known.has(deliveryId));
  const rows = fresh.map((delivery) => attempts.rowOf(delivery));
  const [delivered, others] = [
    rows.filter(({ status }) => status === 'delivered'),
    rows.filter(({ status }) => status !== 'delivered'),
  ];
  const leftOver = deliveries.filter((delivery) => !attempts.wasBegun(delivery));
  const statements = [
    ...upsertMessages(db, projections.messages),
    ...projections.devices.map(({ accountId, device }) => projectDevice(db, accountId, device)),
    ...insertPacks(db, delivered, now - deliveryKeptMs),
    ...insertUnpacked(db, others),
    ...webhooksOf(others.filter(({ status }) => status === 'held')).map((id) => releaseAgain(db, id)),
    ...webhooksOf(delivered)
      .flatMap((id) => plan.webhooks.get(id) ?? [])
      .filter((webhook) => isDeliveryNews(webhook, now))
      .map(({ id }) => noteDelivered(db, id, now)),
  ];
  const asked = untriedAmong(db, leftOver);
  const accountIds = accountsOf(planned.map(({ message }) => message));
  const listening = plan.isByMemory ? listeningWebhooks(db, accountIds) : [];
  const results = await batch(db, [...statements, ...asked, ...listening]);
  for (const { deliveryId } of fresh) plan.known.add(deliveryId);
  if (plan.isByMemory) {
    const webhooks = results.slice(-listening.length).flat() as WebhookRow[];
    knownWebhooks.note(accountIds, webhooks, now);
    for (const it of planned) if (asksForMore(it, webhooks)) plan.overtaken.add(it.message);
  }
  // Repeated messages find deliveries that are over or on their way: only the untried ones are queued, in event order.
  const answers = results.slice(statements.length, statements.length + asked.length);
  const untried = new Set((answers.flat() as DeliveryKey[]).map((it) => it.deliveryId));
  const queued = leftOver.filter((delivery) => untried.has(delivery.deliveryId));
  const laneOfDelivery = ({ webhookId }: DeliveryRow) =>
    laneOf(plan.webhooks.get(webhookId) ?? { slowUntil: null }, now);
  for (const lane of ['fast', 'slow'] satisfies Lane[]) {
    await queueDeliveries(
      env,
      lane,
      queued.filter((delivery) => laneOfDelivery(delivery) === lane),
    );
  }
}

const webhooksOf = (rows: readonly DeliveryRow[]): string[] => [
  ...new Set(rows.map(({ webhookId }) => webhookId)),
];

interface SourceGroup {
  source: EventSource;
  messages: EventsMessage[];
}

function bySource(messages: readonly EventsMessage[]): SourceGroup[] {
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
async function confirm(env: Env, { source, messages }: SourceGroup): Promise<EventsMessage[]> {
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
