import { logFault } from '../../durable/log.ts';
import { batch, openDatabase } from '../db/database.ts';
import { type DeliveryRow, deleteOrphan, loadDeliveries, parkDelivery } from '../db/deliveries.ts';
import { faultMessage } from '../db/fault-message.ts';
import type { WebhookRow } from '../db/webhooks.ts';
import { attemptDelivery } from './attempt.ts';
import type { DeliveryQueueMessage } from './delivery-queue.ts';
import { parseLadder } from './verdict.ts';

type QueueMessage = Message<DeliveryQueueMessage>;

interface DueDelivery {
  message: QueueMessage;
  delivery: DeliveryRow;
  webhook: WebhookRow;
}

/** A message this early is taken as on time: clocks and queues are not exact. */
const earlyMs = 1000;
const delaySecondsMax = 86_400;

/**
 * Consumer of the queue `webhook-deliveries`: one message, one attempt, one verdict. The row decides, not the message:
 * a repeat of a delivery that is over makes no request. Deliveries run at once (a batch is no wider than the
 * connections that a Worker may hold open), but those of one message to one webhook in the order of its events.
 */
export async function consumeDeliveries(
  queueBatch: MessageBatch<DeliveryQueueMessage>,
  env: Env,
): Promise<void> {
  const db = openDatabase(env.DB);
  const ladder = parseLadder(env.WEBHOOK_RETRY_SECONDS);
  const rows = await loadDeliveries(
    db,
    queueBatch.messages.map((message) => message.body),
  );
  const known = new Map(rows.map((row) => [row.delivery.deliveryId, row]));
  const due: DueDelivery[] = [];
  for (const message of queueBatch.messages) {
    const row = known.get(message.body.deliveryId);
    if (row === undefined) {
      await batch(db, [deleteOrphan(db, message.body)]);
      message.ack();
    } else if (row.delivery.status !== 'pending' || due.some((it) => it.delivery === row.delivery)) {
      message.ack();
    } else if (!row.webhook.enabled) {
      await batch(db, [parkDelivery(db, row.delivery)]);
      message.ack();
    } else if (await waits(env, message, row.delivery)) {
      message.ack();
    } else {
      due.push({ message, ...row });
    }
  }
  await Promise.all(sequences(due).map((sequence) => runInOrder(env, ladder, sequence)));
}

/** Sends a message that came before its time away again, without spending one of its attempts in the queue. */
async function waits(env: Env, message: QueueMessage, { nextAttemptAt }: DeliveryRow): Promise<boolean> {
  const waitMs = (nextAttemptAt ?? 0) - Date.now();
  if (waitMs <= earlyMs) return false;
  const delaySeconds = Math.min(Math.ceil(waitMs / 1000), delaySecondsMax);
  await env.WEBHOOK_DELIVERIES.send(message.body, { delaySeconds });
  return true;
}

/** Deliveries that must not overtake one another: of the same message, to the same webhook, oldest event first. */
function sequences(due: readonly DueDelivery[]): DueDelivery[][] {
  const found = new Map<string, DueDelivery[]>();
  for (const item of due) {
    const { data }: { data: { messageId?: string } } = JSON.parse(item.delivery.body);
    const key = `${item.delivery.webhookId} ${data.messageId ?? item.delivery.deliveryId}`;
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return [...found.values()];
}

async function runInOrder(
  env: Env,
  ladder: readonly number[],
  sequence: readonly DueDelivery[],
): Promise<void> {
  for (const { message, delivery, webhook } of sequence) {
    try {
      const result = await attemptDelivery(env, ladder, delivery, webhook);
      if (result.kind === 'retry') message.retry({ delaySeconds: result.delaySeconds });
      else message.ack();
    } catch (error) {
      logFault('webhook.not_attempted', faultMessage(error).error, {
        deliveryId: delivery.deliveryId,
        webhookId: webhook.id,
      });
      message.retry();
    }
  }
}
