import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';
import {
  deliverBatch,
  deliveriesOf,
  handBatch,
  insertWebhook,
  pending,
  stepOf,
  storedOf,
  webhookRow,
} from './direct-queues.ts';
import { eventually } from './front-door.ts';
import { hangingReceiver, interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';

/** The Worker's bindings, and what goes through them: rows written in D1, messages sent to the delivery queues; rows read. */
function metered() {
  const meter = { rows: 0, queued: { fast: 0, slow: 0 }, bodies: [] as unknown[] };
  const reads = { rows: 0 };
  const queue = (lane: 'fast' | 'slow') => ({
    sendBatch: async (messages: MessageSendRequest[]) => {
      meter.queued[lane] += messages.length;
      meter.bodies.push(...messages.map(({ body }) => body));
    },
  });
  const bindings = {
    ...env,
    DB: {
      prepare: env.DB.prepare.bind(env.DB),
      batch: async (statements: D1PreparedStatement[]) => {
        const results = await env.DB.batch(statements);
        for (const { meta } of results) {
          meter.rows += meta.rows_written;
          reads.rows += meta.rows_read;
        }
        return results;
      },
    },
    WEBHOOK_DELIVERIES: queue('fast'),
    WEBHOOK_DELIVERIES_SLOW: queue('slow'),
  } as unknown as Env;
  return { meter, reads, bindings };
}

/** Steps of one message, or of several: events in the order of the list. */
const steps = (accountId: string, messageIds: readonly string[]): EventsQueueMessage[] =>
  messageIds.map((messageId) => stepOf(accountId, { messageId }).body);

test('a delivery that is taken at once writes one row and goes through no further queue', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { meter, bindings } = metered();
  await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  // The webhook has just said when it was last delivered to; that is written once a minute.
  meter.rows = 0;
  const { message, body } = stepOf(webhook.accountId);
  await handBatch('events', [body], bindings);
  // One row is the message's, one the delivery's.
  expect(meter).toEqual({ rows: 2, queued: { fast: 0, slow: 0 }, bodies: [] });
  expect(callbacks).toHaveLength(2);
  const [, delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({ status: 'delivered', next_attempt_at: null });
  expect(JSON.parse(delivery?.attempts ?? '[]')).toMatchObject([{ statusCode: 200, error: null }]);
  expect(callbacks[1]?.headers['x-service-delivery-id']).toBe(delivery?.delivery_id);
  expect(await webhookRow(webhook.id)).toMatchObject({ last_delivery_at: expect.any(Number) });
  expect(message.status).toBe('queued');
});

test('a receiver that hangs does not keep the others of its batch waiting; its attempt is stored when it ends', async () => {
  const hanging = await insertWebhook(`${url}/hangs`);
  const healthy = await insertWebhook(`${url}/well`, { accountId: hanging.accountId });
  const hook = hangingReceiver(`${url}/hangs`);
  const { callbacks } = receiver(`${url}/well`);
  const { body } = stepOf(hanging.accountId);
  const { finished } = await handBatch('events', [body]);
  expect(callbacks).toHaveLength(1);
  expect((await deliveriesOf(healthy.id))[0]).toMatchObject({ status: 'delivered' });
  const [underWay] = await deliveriesOf(hanging.id);
  expect(underWay).toMatchObject({ status: 'pending', attempts: '[]' });
  // The sweep leaves it alone until the attempt must be over.
  expect(underWay?.next_attempt_at).toBeGreaterThan(Date.now() + 10_000);
  // A repeat of the event makes no second POST.
  await deliverBatch('events', [body]);
  hook.answerAll();
  await finished();
  expect((await deliveriesOf(hanging.id))[0]).toMatchObject({ status: 'delivered', next_attempt_at: null });
  expect(hook.callbacks).toHaveLength(1);
  expect(callbacks).toHaveLength(1);
});

test('no batch waits for a receiver that has not answered the one before: its next deliveries go to the queue', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const { meter, bindings } = metered();
  const first = await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  expect(hook.callbacks).toHaveLength(1);
  expect(meter.queued).toEqual({ fast: 1, slow: 0 });
  hook.answers(() => new Response());
  hook.answerAll();
  await first.finished();
  await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  expect(hook.callbacks).toHaveLength(2);
  expect(meter.queued).toEqual({ fast: 1, slow: 0 });
});

test('a first attempt that fails goes onto the ladder and counts towards the streak', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url, () => new Response('sorry', { status: 500 }));
  const { meter, bindings } = metered();
  const before = Date.now();
  const { finished } = await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  await finished();
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({ status: 'pending' });
  expect(JSON.parse(delivery?.attempts ?? '[]')).toMatchObject([{ statusCode: 500 }]);
  expect(delivery?.next_attempt_at).toBeGreaterThanOrEqual(before + 30_000);
  expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 1 });
  expect(meter.queued).toEqual({ fast: 0, slow: 1 });
  hook.answers(() => new Response(null, { status: 410 }));
  const gone = await handBatch('events', [stepOf(webhook.accountId).body]);
  await gone.finished();
  expect((await deliveriesOf(webhook.id)).map(({ status }) => status)).toEqual(['pending', 'failed']);
});

test('of one webhook three attempts are under way at a time, and what a hang keeps from beginning goes to the queue', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const { meter, bindings } = metered();
  const bodies = steps(
    webhook.accountId,
    ['a', 'b', 'c', 'd', 'e'].map((name) => `msg_${name}`),
  );
  const { finished } = await handBatch('events', bodies, bindings);
  expect(hook.callbacks).toHaveLength(3);
  expect(meter.queued).toEqual({ fast: 2, slow: 0 });
  hook.answers(() => new Response());
  hook.answerAll();
  await finished();
  await deliverBatch('webhook-deliveries', meter.bodies);
  expect(hook.callbacks).toHaveLength(5);
  expect((await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered')).toBe(true);
});

test('a webhook that is alone in a batch, and is known to answer, gets six attempts at a time', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url);
  await handBatch('events', steps(webhook.accountId, ['msg_known']));
  const six = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  hook.answers(async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 6) six.resolve();
    await six.promise;
    underWay -= 1;
    return new Response();
  });
  const names = Array.from({ length: 9 }, (_, index) => `msg_${index}`);
  const { finished } = await handBatch('events', steps(webhook.accountId, names), metered().bindings);
  await finished();
  expect(most).toBe(6);
});

test('a later step of a message does not overtake the one that is under way or in the queue', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const [first, second, third] = steps(webhook.accountId, ['msg_a', 'msg_a', 'msg_a']);
  const one = await handBatch('events', [first]);
  const two = await handBatch('events', [second]);
  const three = await handBatch('events', [third]);
  expect(hook.callbacks).toHaveLength(1);
  hook.answers(() => new Response());
  hook.answerAll();
  await Promise.all([one, two, three].map(({ finished }) => finished()));
  await eventually(() => hook.callbacks.length === 3);
  const order = hook.callbacks.map(({ body }) => JSON.parse(body).id);
  expect(order).toEqual([first, second, third].map((body) => body?.events[0]?.envelope?.id));
});

test('a database that is away loses nothing: the events come again, under the same delivery ids', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { body } = stepOf(webhook.accountId);
  const away = {
    ...env,
    DB: { prepare: env.DB.prepare.bind(env.DB), batch: () => Promise.reject(new Error('D1_ERROR: gone')) },
  } as unknown as Env;
  const { finished } = await handBatch('events', [body], away);
  await finished();
  expect(await deliveriesOf(webhook.id)).toEqual([]);
  await handBatch('events', [body]);
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({ status: 'delivered' });
  expect(new Set(callbacks.map(({ headers }) => headers['x-service-delivery-id']))).toEqual(
    new Set([delivery?.delivery_id]),
  );
});

test('a webhook that is deleted during an attempt leaves no delivery behind', async () => {
  const webhook = await insertWebhook(url);
  receiver(url, async () => {
    // With what is stored of it by then: an attempt that takes long has its row already.
    await env.DB.batch([
      env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id),
      env.DB.prepare('delete from deliveries where webhook_id = ?').bind(webhook.id),
    ]);
    return new Response();
  });
  const { finished } = await handBatch('events', [stepOf(webhook.accountId).body]);
  await finished();
  expect(await deliveriesOf(webhook.id)).toEqual([]);
});

test('a webhook that is deleted while its attempt hangs leaves no delivery behind', async () => {
  const webhook = await insertWebhook(url);
  const { promise: hanging, resolve: answer } = Promise.withResolvers<Response>();
  receiver(url, async () => {
    await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run();
    return hanging;
  });
  const { finished } = await handBatch('events', [stepOf(webhook.accountId).body]);
  expect(await deliveriesOf(webhook.id)).toEqual([]);
  answer(new Response());
  await finished();
  expect(await deliveriesOf(webhook.id)).toEqual([]);
});

test('what one batch delivers to a webhook is one row written, however many events', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  await handBatch('events', [stepOf(webhook.accountId).body]);
  const { meter, bindings } = metered();
  await handBatch('events', steps(webhook.accountId, ['msg_a', 'msg_a', 'msg_b', 'msg_c']), bindings);
  // One row is the pack's, three are the messages'.
  expect(meter).toEqual({ rows: 4, queued: { fast: 0, slow: 0 }, bodies: [] });
  expect(callbacks).toHaveLength(5);
  expect(await storedOf(webhook.id)).toEqual({ packs: 2, rows: 0 });
});

test('a long log costs the next delivery nothing: what is stored of earlier ones is not read', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  const hour = 60 * 60 * 1000;
  const earlier = [1, 2, 3, 4, 5].map(() => stepOf(webhook.accountId, {}, Date.now() - hour).body);
  for (const body of earlier) await handBatch('events', [body]);
  await pending(webhook, new Array(200).fill({ data: {} }), Date.now() + hour);
  await env.DB.prepare(
    `with recursive number (n) as (select 1 union all select n + 1 from number where n < 200)
     insert into delivery_packs select webhook_id, last_id, n, first_id, events, deliveries from delivery_packs, number
       where webhook_id = ?`,
  )
    .bind(webhook.id)
    .run();
  const { reads, bindings } = metered();
  await handBatch('events', [stepOf(webhook.accountId).body], bindings);
  expect(await storedOf(webhook.id)).toEqual({ packs: 5 + 1000 + 1, rows: 200 });
  expect(reads.rows).toBeLessThan(30);
});

test('what the queue brings again in another batch is neither stored nor delivered twice', async () => {
  const webhook = await insertWebhook(url);
  const hook = receiver(url);
  const [a, b, c, d] = steps(webhook.accountId, ['msg_a', 'msg_b', 'msg_c', 'msg_d']);
  await handBatch('events', [a, b]);
  expect(await storedOf(webhook.id)).toEqual({ packs: 2, rows: 0 });
  hook.answers(() => new Response(null, { status: 500 }));
  const failing = await handBatch('events', [b, c]);
  await failing.finished();
  hook.answers(() => new Response());
  await handBatch('events', [c, d, a, d]);
  await handBatch('events', [d, c, b, a]);
  expect(hook.callbacks.map(({ body }) => JSON.parse(body).id)).toEqual(
    [a, b, c, d].map((body) => body?.events[0]?.envelope?.id),
  );
  const stored = await deliveriesOf(webhook.id);
  expect(stored.map(({ status }) => status).sort()).toEqual([
    'delivered',
    'delivered',
    'delivered',
    'pending',
  ]);
  expect(await storedOf(webhook.id)).toEqual({ packs: 3, rows: 1 });
});

test('an event that two batches have at the same time is stored as delivered, and leaves nothing in the queue', async () => {
  const webhook = await insertWebhook(url);
  const hook = hangingReceiver(url);
  const { meter, bindings } = metered();
  const [body] = steps(webhook.accountId, ['msg_a']);
  // The second one has looked what is stored, and waits for the database to answer, until the first one is done.
  const { promise: firstIsDone, resolve: goOn } = Promise.withResolvers<void>();
  let batches = 0;
  const held = {
    ...bindings,
    DB: {
      ...bindings.DB,
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === 2) await firstIsDone;
        return env.DB.batch(statements);
      },
    },
  } as unknown as Env;
  const first = handBatch('events', [body]);
  await eventually(() => hook.callbacks.length === 1);
  const second = handBatch('events', [body], held);
  await eventually(() => batches === 2);
  hook.answers(() => new Response());
  hook.answerAll();
  await (await first).finished();
  goOn();
  await (await second).finished();
  expect(hook.callbacks).toHaveLength(1);
  expect(await deliveriesOf(webhook.id)).toMatchObject([{ status: 'delivered' }]);
  expect(meter.queued).toEqual({ fast: 0, slow: 0 });
});

test('a pack takes the row of one whose 30 days are over: one row written, and none to delete', async () => {
  const webhook = await insertWebhook(url);
  receiver(url);
  await handBatch('events', [stepOf(webhook.accountId).body]);
  const month = 31 * 24 * 60 * 60 * 1000;
  const old = stepOf(webhook.accountId, {}, Date.now() - month).body;
  await handBatch('events', [old]);
  expect(await deliveriesOf(webhook.id)).toHaveLength(2);
  const { meter, bindings } = metered();
  const [one, two] = [stepOf(webhook.accountId).body, stepOf(webhook.accountId).body];
  await handBatch('events', [one], bindings);
  expect(meter.rows).toBe(2);
  const eventIds = async () => (await deliveriesOf(webhook.id)).map(({ event_id: id }) => id);
  expect(await eventIds()).toHaveLength(2);
  expect(await eventIds()).not.toContain(old.events[0]?.envelope?.id);
  // Nothing else is outdated, and a repeat takes no row.
  await handBatch('events', [two, one], bindings);
  expect(await eventIds()).toHaveLength(3);
  expect((await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered')).toBe(true);
});
