import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';
import { consumeAtOnce } from '../../src/worker/events/events-consumer.ts';
import { deliverBatch, deliveriesOf, insertWebhook, stepOf, storedOf } from './direct-queues.ts';
import { ask, openAccount } from './front-door.ts';
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

test('an event of an account that had one within the last second is called back before the database is asked', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  await give(stepOf(webhook.accountId).body);
  const calledBefore: number[] = [];
  const DB = {
    prepare: env.DB.prepare.bind(env.DB),
    batch: (statements: D1PreparedStatement[]) => {
      calledBefore.push(callbacks.length);
      return env.DB.batch(statements);
    },
  } as unknown as D1Database;
  expect(await give(stepOf(webhook.accountId).body, { DB })).toEqual([]);
  expect(calledBefore).toEqual([2]);
  expect(await deliveriesOf(webhook.id)).toHaveLength(2);
});

test('an event that cannot be stored goes through the queue, and is called back under the same id', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { body } = stepOf(webhook.accountId);
  // Who listens may be asked; what the attempt came to is never stored.
  const DB = {
    prepare: env.DB.prepare.bind(env.DB),
    batch: (statements: D1PreparedStatement[]) =>
      callbacks.length === 0 ? env.DB.batch(statements) : Promise.reject(new Error('D1_ERROR: gone')),
  } as unknown as D1Database;
  expect(await give(body, { DB })).toEqual([body]);
  expect((await deliverBatch('events', [body])).acked).toEqual([0]);
  const ids = callbacks.map(({ headers }) => headers['x-service-delivery-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await deliveriesOf(webhook.id)).toHaveLength(1);
});

test('a webhook that is new since the last event of its account gets the next one, and the others get it once', async () => {
  const first = await insertWebhook(url);
  const { accountId } = first;
  const { callbacks } = receiver(url);
  await give(stepOf(accountId).body);
  const second = await insertWebhook(url, { accountId });
  const queued = await give(stepOf(accountId).body);
  await deliverBatch('events', queued);
  expect(callbacks).toHaveLength(3);
  expect(await deliveriesOf(first.id)).toHaveLength(2);
  expect(await deliveriesOf(second.id)).toHaveLength(1);
});

test('a webhook that its owner has switched off is not called for the next event', async () => {
  const account = await openAccount();
  const { callbacks } = receiver(url);
  const created = await ask('POST', '/v1/webhooks', {
    headers: account.owner,
    json: { url, numberIds: 'all', events: 'all' },
  });
  await give(stepOf(account.accountId).body);
  expect(callbacks).toHaveLength(1);
  await ask('PATCH', `/v1/webhooks/${created.body.id}`, { headers: account.owner, json: { enabled: false } });
  expect(await give(stepOf(account.accountId).body)).toEqual([]);
  expect(callbacks).toHaveLength(1);
});
