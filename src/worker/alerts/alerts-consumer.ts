import type { AlertOrder } from '../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { AlertBell } from '../../durable/event-log/deliveries/attempts/bells.ts';
import { log, logFault } from '../../durable/log.ts';
import { askLog } from '../object-calls.ts';
import { sendAlert } from './send-alert.ts';

/** Messages of one account that are under way at a time. */
const ordersAtOnce = 5;

/**
 * Consumer of the queue `alerts`: brings what is due to its channels. The account's log decides, so a bell that rings
 * twice, or for what is over, changes nothing; and for one that is lost the log's own alarm rings.
 */
export async function consumeAlerts(batch: MessageBatch<AlertBell>, env: Env): Promise<void> {
  // The accounts at once: one with many alerts, or a slow channel, holds up none of the others.
  const accounts = Map.groupBy(batch.messages, ({ body }) => body.accountId);
  await Promise.all(
    [...accounts].map(async ([accountId, messages]) => {
      try {
        await deliverAlerts(env, accountId);
        for (const message of messages) message.ack();
      } catch (error) {
        logFault('alert.bell_not_heard', error, { accountId, bells: messages.length });
        for (const message of messages) message.retry();
      }
    }),
  );
}

/** Everything of an account that is due now. */
async function deliverAlerts(env: Env, accountId: string): Promise<void> {
  for (;;) {
    const orders = await askLog(env, accountId, (accountLog) =>
      accountLog.beginAlertDeliveries(ordersAtOnce),
    );
    await Promise.all(orders.map((order) => deliver(env, accountId, order)));
    if (orders.length < ordersAtOnce) return;
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
