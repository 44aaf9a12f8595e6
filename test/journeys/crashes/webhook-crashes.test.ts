import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { Customer } from '../stage/customer.ts';
import type { GatewayProcess } from '../stage/gateway-process.ts';
import { expectCleanLogs } from '../stage/promises.ts';
import { isSigned } from '../stage/webhook-receiver.ts';
import { test } from '../stage/workers-gateway.ts';

const events = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

interface Delivery {
  deliveryId: string;
  eventId: string;
  event: string;
  status: string;
  attempts: { statusCode: number | null }[];
}

let gateway: GatewayProcess;
let customer: Customer;

test.beforeAll(({ gateway: workers }) => {
  gateway = workers;
});
afterEach(() => customer?.leave());

/** The deliveries of the customer's one webhook; null while the gateway is away. */
async function deliveries(): Promise<Delivery[] | null> {
  try {
    const webhooks = await customer.admin<{ data: { id: string }[] }>('GET', '/v1/webhooks');
    const path = `/v1/webhooks/${webhooks.data[0]?.id}/deliveries`;
    return (await customer.admin<{ data: Delivery[] }>('GET', path)).data.filter(({ event }) =>
      events.includes(event),
    );
  } catch {
    return null;
  }
}

const whenLogged = (what: string, isSo: (log: Delivery[]) => boolean) =>
  waitUntil(what, async () => {
    const log = await deliveries();
    return log !== null && isSo(log) ? log : null;
  });

describe('kill -9 of the runtime while deliveries wait', () => {
  test('at each rung of the ladder loses none of them, and each comes under one id until it is taken', async () => {
    customer = await Customer.join(gateway);
    customer.receiver.answer = ({ event, headers }) =>
      events.includes(event) && headers['x-service-attempt'] !== '5' ? 500 : 204;
    const message = await customer.send(`rungs ${randomUUID()}`);
    for (let rung = 1; rung <= 4; rung += 1) {
      await whenLogged(`Attempt ${rung} was not made at every delivery`, (log) =>
        events.every((event) => log.some((it) => it.event === event && it.attempts.length >= rung)),
      );
      // The queue is gone with it; what is due stands in the rows alone.
      await gateway.killAndAwaitRestart('workerd');
    }
    const log = await whenLogged('Not every delivery was taken in the end', (all) =>
      all.every(({ status }) => status === 'delivered'),
    );
    expect(log.map(({ event }) => event).sort()).toEqual([...events].sort());
    for (const delivery of log) {
      expect(delivery.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500, 204]);
      const callbacks = customer.receiver
        .about(message.messageId)
        .filter(({ event }) => event === delivery.event);
      expect(new Set(callbacks.map(({ headers }) => headers['x-service-delivery-id']))).toEqual(
        new Set([delivery.deliveryId]),
      );
      expect(new Set(callbacks.map(({ id }) => id))).toEqual(new Set([delivery.eventId]));
      // Twice where the last kill came in the middle of it.
      expect(callbacks.some(({ headers }) => headers['x-service-attempt'] === '5')).toBe(true);
      expect(callbacks.every((callback) => isSigned(callback, customer.webhookSecret))).toBe(true);
    }
    expectCleanLogs(gateway, [customer], [message.text]);
  });

  test('in the middle of an attempt that nobody has answered yet makes it again', async () => {
    customer = await Customer.join(gateway);
    const receiver = customer.receiver;
    let isKilled = false;
    receiver.answer = ({ event }) => {
      if (event === 'message.queued' && !isKilled) {
        isKilled = true;
        process.kill(gateway.pidOf('workerd'), 'SIGKILL');
      }
      return 204;
    };
    const sending = customer.send(`mid-flight ${randomUUID()}`);
    const { messageId } = await sending;
    const log = await whenLogged('Not every delivery was taken in the end', (all) =>
      events.every((event) => all.some((it) => it.event === event && it.status === 'delivered')),
    );
    expect(isKilled).toBe(true);
    const queued = log.filter(({ event }) => event === 'message.queued');
    expect(queued).toHaveLength(1);
    // At least once: the receiver tells the repetition by the event's id.
    const ids = receiver
      .about(messageId)
      .filter(({ event }) => event === 'message.queued')
      .map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([queued[0]?.eventId]));
  });
});
