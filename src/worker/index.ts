import { WorkerEntrypoint } from 'cloudflare:workers';
import type { EventsQueueMessage } from '../durable/relayed-events.ts';
import { consumeAlerts } from './alerts/alerts-consumer.ts';
import { app } from './app.ts';
import { consumeFastLane, consumeSlowLane } from './delivery/delivery-consumer.ts';
import { fastQueue, slowQueue } from './delivery/lanes.ts';
import { admitAtOnce } from './events/at-once.ts';
import { consumeAtOnce, consumeEvents } from './events/events-consumer.ts';
import { sweep } from './sweep.ts';

export { Account } from '../durable/account/account.ts';
export { BridgeFleet } from '../durable/bridge-fleet/bridge-fleet.ts';
export { PhoneNumber } from '../durable/phone-number/phone-number.ts';
export { SignInGuard } from '../durable/sign-in-guard/sign-in-guard.ts';

/** Each queue of `wrangler.toml`, and what its messages are for. */
const consumers: Record<
  string,
  (batch: MessageBatch<never>, env: Env, context: ExecutionContext) => Promise<void>
> = {
  events: consumeEvents,
  [fastQueue]: consumeFastLane,
  [slowQueue]: consumeSlowLane,
  alerts: consumeAlerts,
};

/** Takes events from an object, past the queue; false when it has too many already. */
export class EventsAtOnce extends WorkerEntrypoint<Env> {
  take(message: EventsQueueMessage): boolean {
    if (!admitAtOnce(message.events.length, Date.now())) return false;
    this.ctx.waitUntil(consumeAtOnce(message, this.env, this.ctx));
    return true;
  }
}

export default {
  fetch: app.fetch,
  async queue(batch, env, context) {
    const consume = consumers[batch.queue];
    if (consume === undefined) throw new Error(`No consumer for the queue ${batch.queue}`);
    await consume(batch as MessageBatch<never>, env, context);
  },
  async scheduled(_controller, env) {
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;
