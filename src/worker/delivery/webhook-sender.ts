import { WorkerEntrypoint } from 'cloudflare:workers';
import type { AttemptReport, DeliveryOrder } from '../../durable/event-log/deliveries/delivery-order.ts';
import { parseLadder } from '../../durable/event-log/deliveries/webhooks/ladder.ts';
import { makeAttempt } from './attempt.ts';

/** Makes the callbacks that an account's log orders, all attempts of an order at the same time. Keeps nothing itself. */
export class WebhookSender extends WorkerEntrypoint<Env> {
  /** Answers when the last receiver has answered, or has had its time. */
  deliver({ accountId, webhook, attempts }: DeliveryOrder): Promise<AttemptReport[]> {
    const ladder = parseLadder(this.env.WEBHOOK_RETRY_SECONDS);
    return Promise.all(attempts.map((order) => makeAttempt(this.env, ladder, accountId, webhook, order)));
  }
}
