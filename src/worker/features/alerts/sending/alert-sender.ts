import { WorkerEntrypoint } from 'cloudflare:workers';
import type { AlertOrder } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { AlertWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { log, logFault } from '../../../../durable/log.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';
import { sendAlert } from './send-alert.ts';

/** Messages of one account that are under way at a time: an invocation has six connections that may wait for an answer. */
const ordersAtOnce = 5;

/** Brings alerts of one account to its channels, in an invocation of its own: no other account's wait for them. */
export class AlertSender extends WorkerEntrypoint<Env> {
  /** Answers when the last channel has answered, or has had its time. */
  async deliver(accountId: string, orders: readonly AlertOrder[]): Promise<void> {
    await Promise.all(orders.map((order) => deliver(this.env, accountId, order)));
  }
}

async function deliver(env: Env, accountId: string, order: AlertOrder): Promise<void> {
  const { deliveryId } = order;
  const report = await sendAlert(env, accountId, order);
  const status = await askLog(env, accountId, (accountLog) =>
    accountLog.reportAlertDelivery(deliveryId, report),
  );
  if (status === 'failed') {
    const { id: channelId, kind } = order.channel;
    log('alert.given_up', { accountId, deliveryId, channelId, kind, attempts: order.attempt });
  }
}

/**
 * Consumer of the queue `alerts`: delivers what is due to its channels. Nobody waits for channels here, so that the queue goes on
 * to the next wake-up. More than one round waits for another one.
 */
export function consumeAlerts(
  batch: MessageBatch<AlertWakeUp>,
  env: Env,
  context: ExecutionContext,
): Promise<void> {
  const fault = 'alert.wake_up_not_handled';
  return handleWakeUps(batch, fault, async (accountId) => {
    const orders = await askLog(env, accountId, (accountLog) =>
      accountLog.beginAlertDeliveries(ordersAtOnce),
    );
    const round = async () => {
      await context.exports.AlertSender.deliver(accountId, orders);
      if (orders.length === ordersAtOnce) await env.ALERTS.send({ accountId });
    };
    context.waitUntil(round().catch((error) => logFault(fault, error, { accountId })));
  });
}
