import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';
import { consumeAtOnce } from '../../src/worker/events/events-consumer.ts';
import { deliveriesOf, insertWebhook, stepOf, storedOf } from './direct-queues.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';

/** Gives the consumer an event past the queue, until all that it does is done; what it puts into the queue. */
async function give(message: EventsQueueMessage, bindings: Partial<Env> = {}): Promise<unknown[]> {
  const queued: unknown[] = [];
  const EVENTS = { send: async (body: unknown) => void queued.push(body) };
  const context = createExecutionContext();
  await consumeAtOnce(message, { ...env, ...bindings, EVENTS } as unknown as Env, context);
  await waitOnExecutionContext(context);
  return queued;
}

test('an event that comes past the queue is projected, delivered and stored, and goes through no queue', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { message, body } = stepOf(webhook.accountId);
  expect(await give(body)).toEqual([]);
  expect(callbacks).toHaveLength(1);
  expect(await storedOf(webhook.id)).toEqual({ packs: 1, rows: 0 });
  const row = env.DB.prepare('select status from messages where message_id = ?').bind(message.messageId);
  expect(await row.first()).toEqual({ status: 'queued' });
});

test('an event that cannot be stored goes through the queue, and is called back under the same id', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { body } = stepOf(webhook.accountId);
  let batches = 0;
  const DB = {
    prepare: env.DB.prepare.bind(env.DB),
    // The first says who listens; what the attempt came to is never stored.
    batch: (statements: D1PreparedStatement[]) => {
      batches += 1;
      return batches === 1 ? env.DB.batch(statements) : Promise.reject(new Error('D1_ERROR: gone'));
    },
  } as unknown as D1Database;
  // The second time the consumer knows the webhook, so it asks all in one batch.
  await give(stepOf(webhook.accountId).body);
  expect(await give(body, { DB })).toEqual([body]);
  await give(body);
  const ids = callbacks.slice(1).map(({ headers }) => headers['x-service-delivery-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await deliveriesOf(webhook.id)).toHaveLength(2);
});

test('a webhook that is new, or was switched off, since the last event of its account is known with the next', async () => {
  const first = await insertWebhook(url);
  const { accountId } = first;
  const { callbacks } = receiver(url);
  await give(stepOf(accountId).body);
  const second = await insertWebhook(url, { accountId });
  await env.DB.prepare('update webhooks set enabled = 0 where id = ?').bind(first.id).run();
  const { body } = stepOf(accountId);
  await give(body);
  await give(body);
  expect([await storedOf(first.id), await storedOf(second.id)]).toEqual([
    { packs: 1, rows: 0 },
    { packs: 1, rows: 0 },
  ]);
  expect(callbacks).toHaveLength(2);
});
