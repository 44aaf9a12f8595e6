import { WorkerEntrypoint } from 'cloudflare:workers';
import type { AlertOrder } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { AlertWakeUp } from '../../../../durable/event-log/wake-ups.ts';
import { log } from '../../../../durable/log.ts';
import { handleWakeUps } from '../../../handle-wake-ups.ts';
import { askLog } from '../../../object-calls.ts';
import { sendAlert } from './send-alert.ts';

/** Messages of one account that are under way at a time: an invocation has six connections that may wait for an answer. */
const ordersAtOnce = 5;

/** Brings alerts of one account to its channels, in an invocation of its own: no other account's wait for them. */
export class AlertSender extends WorkerEntrypoint<Env> {
  /** A round of what is due. False: there may be more. */
  async deliver(accountId: string): Promise<boolean> {
    const orders = await askLog(this.env, accountId, (accountLog) =>
      accountLog.beginAlertDeliveries(ordersAtOnce),
    );
    await Promise.all(orders.map((order) => deliver(this.env, accountId, order)));
    return orders.length < ordersAtOnce;
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
 * Consumer of the queue `alerts`: delivers what is due to its channels. More than one round waits for another wake-up, so that
 * an account with many alerts, or a slow channel, delays none of the others.
 */
export function consumeAlerts(
  batch: MessageBatch<AlertWakeUp>,
  env: Env,
  { exports }: ExecutionContext,
): Promise<void> {
  return handleWakeUps(batch, 'alert.wake_up_not_handled', async (accountId) => {
    if (!(await exports.AlertSender.deliver(accountId))) await env.ALERTS.send({ accountId });
  });
}
