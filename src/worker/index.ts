import { app } from './app.ts';
import { consumeDeliveries } from './delivery/delivery-consumer.ts';
import { consumeEvents } from './events/events-consumer.ts';
import { requeueOverdueDeliveries } from './sweep.ts';

export { Account } from '../durable/account/account.ts';
export { BridgeFleet } from '../durable/bridge-fleet/bridge-fleet.ts';
export { PhoneNumber } from '../durable/phone-number/phone-number.ts';

/** Each queue of `wrangler.toml`, and what its messages are for. */
const consumers: Record<string, (batch: MessageBatch<never>, env: Env) => Promise<void>> = {
  events: consumeEvents,
  'webhook-deliveries': consumeDeliveries,
};

export default {
  fetch: app.fetch,
  async queue(batch, env) {
    const consume = consumers[batch.queue];
    if (consume === undefined) throw new Error(`No consumer for the queue ${batch.queue}`);
    await consume(batch as MessageBatch<never>, env);
  },
  async scheduled(_controller, env) {
    await requeueOverdueDeliveries(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
