import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { newEventId, newMessageId, newUuid } from '../../src/durable/new-ids.ts';
import type { EventsQueueMessage, MessageProjection } from '../../src/durable/relayed-events.ts';
import { sealSecret } from '../../src/worker/delivery/sealed-secret.ts';
import { newWebhookSecret } from '../../src/worker/delivery/signature.ts';
import worker from '../../src/worker/index.ts';

/** Gives a queue batch to the Worker, past the queue, and says which messages were acknowledged and which come again. */
export async function deliverBatch(queue: string, bodies: readonly unknown[]) {
  const messages = bodies.map((body, index) => ({
    id: `${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  const result = await getQueueResult(batch, context);
  // What is neither retried nor left behind by a handler that threw is acknowledged with the batch.
  const retried = result.retryMessages.map(({ msgId }) => Number(msgId));
  return { acked: [...bodies.keys()].filter((index) => !retried.includes(index)), retried };
}

/** One batch, up to the moment when its handler hands it back; `finished` waits for what goes on behind it. */
export async function handBatch(queue: string, bodies: readonly unknown[], bindings: Env = env) {
  const messages = bodies.map((body, index) => ({
    id: `${index}`,
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const context = createExecutionContext();
  await worker.queue(createMessageBatch(queue, messages), bindings, context);
  return { finished: () => waitOnExecutionContext(context) };
}

/** A webhook of an account that exists nowhere else. */
export async function insertWebhook(
  url: string,
  fields: { enabled?: boolean; numberIds?: string[]; accountId?: string } = {},
) {
  const [id, accountId] = [newUuid(), fields.accountId ?? newUuid()];
  const secret = newWebhookSecret();
  await env.DB.prepare(
    `insert into webhooks (id, account_id, url, number_ids, sealed_secret, enabled, created_at) values (?, ?, ?, ?, ?, ?, 0)`,
  )
    .bind(
      id,
      accountId,
      url,
      fields.numberIds === undefined ? null : JSON.stringify(fields.numberIds),
      await sealSecret(env.WEBHOOK_SEALING_KEY, id, secret),
      fields.enabled === false ? 0 : 1,
    )
    .run();
  return { id, accountId, secret };
}

/** One step of a message, as its number's object relays it. */
export function stepOf(accountId: string, row: Partial<MessageProjection> = {}, at = Date.now()) {
  const message: MessageProjection = {
    accountId,
    messageId: newMessageId(),
    direction: 'outbound',
    status: 'queued',
    numberId: newUuid(),
    to: '628123456789',
    from: '15550000001',
    chatType: 'personal',
    messageType: 'text',
    text: 'hello',
    queuedAt: at,
    ...row,
  };
  const { messageId, numberId, to, chatType, messageType } = message;
  const body: EventsQueueMessage = {
    accountId,
    source: { kind: 'phone-number', name: numberId },
    events: [
      {
        seq: 1,
        envelope: {
          id: newEventId(),
          event: 'message.failed',
          timestamp: new Date(at).toISOString(),
          data: { messageId, numberId, to, chatType, messageType, status: 'failed', errorMessage: 'No.' },
        },
        message,
        device: null,
      },
    ],
  };
  return { message, body };
}

export interface StoredDelivery {
  webhook_id: string;
  delivery_id: string;
  event_id: string;
  body: string;
  status: string;
  attempts: string;
  next_attempt_at: number | null;
}

/** What is stored of a webhook's deliveries, in rows and in packs, by id. */
export async function deliveriesOf(webhookId: string): Promise<StoredDelivery[]> {
  const { results } = await env.DB.prepare(
    `select webhook_id, delivery_id, event_id, body, status, attempts, next_attempt_at
       from deliveries where webhook_id = ?1
     union all
     select webhook_id, entry.value ->> 'deliveryId', entry.value ->> '$.body.id', entry.value -> 'body',
       'delivered', json_array(entry.value -> 'attempt'), null
       from delivery_packs, json_each(deliveries) as entry where webhook_id = ?1
     order by delivery_id`,
  )
    .bind(webhookId)
    .all<StoredDelivery & Record<string, unknown>>();
  return results;
}

/** How many packs a webhook has, and rows. */
export async function storedOf(webhookId: string): Promise<{ packs: number; rows: number }> {
  const stored = await env.DB.prepare(
    `select (select count(*) from delivery_packs where webhook_id = ?1) as packs,
       (select count(*) from deliveries where webhook_id = ?1) as rows`,
  )
    .bind(webhookId)
    .first<{ packs: number; rows: number }>();
  return stored ?? { packs: 0, rows: 0 };
}

export async function webhookRow(id: string) {
  return env.DB.prepare('select * from webhooks where id = ?').bind(id).first();
}

/** Deliveries that wait for their first attempt; nobody but the test queues them. */
export async function pending(
  webhook: { id: string; accountId: string },
  bodies: unknown[],
  nextAttemptAt = Date.now(),
): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const id = newUuid();
    ids.push(id);
    await env.DB.prepare(`insert into deliveries values (?, ?, ?, ?, 'message.sent', ?, 'pending', '[]', ?)`)
      .bind(webhook.id, id, webhook.accountId, newEventId(), JSON.stringify(body), nextAttemptAt)
      .run();
  }
  return ids;
}

/** What a queue message about each of these deliveries leads to. */
export const attempt = (webhook: { id: string }, ids: readonly string[], queue = 'webhook-deliveries') =>
  deliverBatch(
    queue,
    ids.map((deliveryId) => ({ webhookId: webhook.id, deliveryId })),
  );

/** Makes what waits for its time due now. */
export async function makeDue(webhookId: string): Promise<void> {
  await env.DB.prepare('update deliveries set next_attempt_at = 1 where webhook_id = ? and status = ?')
    .bind(webhookId, 'pending')
    .run();
}
