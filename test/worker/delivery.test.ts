import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { newUuid } from '../../src/durable/new-ids.ts';
import { openDatabase } from '../../src/worker/db/database.ts';
import { overdueClaim } from '../../src/worker/db/delivery-sweeps.ts';
import { requeueOverdueDeliveries } from '../../src/worker/sweep.ts';
import { attempt, deliveriesOf, insertWebhook, pending, webhookRow } from './direct-queues.ts';
import { eventually } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';

async function only(webhookId: string) {
  const [row, ...others] = await deliveriesOf(webhookId);
  if (row === undefined || others.length > 0)
    throw new Error(`${others.length + 1} deliveries instead of one`);
  return { ...row, attempts: JSON.parse(row.attempts) };
}

describe('an attempt', () => {
  test('that the receiver takes ends the delivery, and a repeated queue message makes no second one', async () => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url, () => new Response('x'.repeat(10_000), { status: 202 }));
    const ids = await pending(webhook, [{ data: {} }]);
    expect(await attempt(webhook, [...ids, ...ids])).toEqual({ acked: [0, 1], retried: [] });
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    expect(callbacks).toHaveLength(1);
    expect(await only(webhook.id)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ statusCode: 202, error: null, responseSnippet: 'x'.repeat(512) }],
    });
  });

  test.each([301, 400, 404, 410, 429])('answered with %i is the last one', async (status) => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(
      url,
      () => new Response(null, { status, headers: { Location: 'https://example.com/other' } }),
    );
    const ids = await pending(webhook, [{ data: {} }]);
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    expect(callbacks).toHaveLength(1);
    expect(await only(webhook.id)).toMatchObject({
      status: 'failed',
      next_attempt_at: null,
      attempts: [{ statusCode: status, error: expect.stringMatching(`^${status} is final: .* not `) }],
    });
    expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 1, last_delivery_at: null });
  });

  test('answered with 500 is made again after the first rung, under the same id and a fresh time; success ends the streak', async () => {
    const webhook = await insertWebhook(url);
    const hook = receiver(url, () => new Response('sorry', { status: 500 }));
    const ids = await pending(webhook, [{ data: {} }]);
    const before = Date.now();
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    const waiting = await only(webhook.id);
    expect(waiting).toMatchObject({
      status: 'pending',
      attempts: [{ statusCode: 500, error: 'The receiver answered 500.', responseSnippet: 'sorry' }],
    });
    expect(waiting.next_attempt_at).toBeGreaterThanOrEqual(before + 30_000);
    expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 1 });

    hook.answers(() => new Response(null, { status: 204 }));
    await env.DB.prepare('update deliveries set next_attempt_at = 1 where webhook_id = ?')
      .bind(webhook.id)
      .run();
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    expect(await only(webhook.id)).toMatchObject({
      status: 'delivered',
      attempts: [{ statusCode: 500 }, { statusCode: 204, responseSnippet: null }],
    });
    expect(await webhookRow(webhook.id)).toMatchObject({
      failure_streak: 0,
      last_delivery_at: expect.any(Number),
    });
    const [first, second] = hook.callbacks;
    expect(second?.headers['x-service-delivery-id']).toBe(first?.headers['x-service-delivery-id']);
    expect(hook.callbacks.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  });

  test('is the last one when the ladder is used up', async () => {
    const webhook = await insertWebhook(url);
    receiver(url, () => new Response(null, { status: 503 }));
    const ids = await pending(webhook, [{ data: {} }]);
    for (let number = 1; number <= 5; number += 1) {
      expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
      await env.DB.prepare('update deliveries set next_attempt_at = 1 where status = ?')
        .bind('pending')
        .run();
    }
    const { status, attempts } = await only(webhook.id);
    expect({ status, attempts: attempts.length }).toEqual({ status: 'failed', attempts: 5 });
    expect(attempts.at(-1).error).toMatch(/^The receiver answered 503\. This was attempt 5, the last one\./);
    expect(await webhookRow(webhook.id)).toMatchObject({ failure_streak: 5 });
  });

  test('without an answer in time, or without a connection, is made again', async () => {
    const [slow, dead] = [await insertWebhook(`${url}/slow`), await insertWebhook(`${url}/dead`)];
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    receiver(`${url}/slow`, () => Promise.reject(new DOMException('too late', 'TimeoutError')));
    expect(await attempt(slow, await pending(slow, [{ data: {} }]))).toEqual({ acked: [0], retried: [] });
    expect(timeouts).toHaveBeenCalledWith(10_000);
    expect((await only(slow.id)).attempts).toMatchObject([
      { statusCode: null, error: 'No answer within 10 seconds.' },
    ]);
    receiver(`${url}/dead`, () => Promise.reject(new Error('ECONNREFUSED 10.1.2.3')));
    expect(await attempt(dead, await pending(dead, [{ data: {} }]))).toEqual({ acked: [0], retried: [] });
    expect((await only(dead.id)).attempts).toMatchObject([
      { statusCode: null, error: 'The connection failed.' },
    ]);
  });

  test('is not made to a URL that is no longer allowed', async () => {
    const webhook = await insertWebhook('https://10.0.0.1/hook');
    expect(await attempt(webhook, await pending(webhook, [{ data: {} }]))).toEqual({
      acked: [0],
      retried: [],
    });
    expect(await only(webhook.id)).toMatchObject({
      status: 'failed',
      attempts: [{ statusCode: null, error: expect.stringMatching(/^The URL is not allowed/) }],
    });
  });

  test('keeps the order of the steps of one message, and lets another message pass', async () => {
    const webhook = await insertWebhook(url);
    const order: string[] = [];
    let answerFirst: (response: Response) => void = () => undefined;
    const hook = receiver(url, () => {
      const step = JSON.parse(hook.callbacks.at(-1)?.body ?? '{}').step;
      order.push(step);
      if (step !== 'a1') return new Response();
      return new Promise((resolve) => {
        answerFirst = resolve;
      });
    });
    const ids = await pending(webhook, [
      { step: 'a1', data: { messageId: 'a' } },
      { step: 'a2', data: { messageId: 'a' } },
      { step: 'b1', data: { messageId: 'b' } },
    ]);
    const running = attempt(webhook, ids);
    await eventually(() => order.length === 2);
    expect(order).toEqual(['a1', 'b1']);
    answerFirst(new Response());
    await running;
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });
});

describe('a queue message', () => {
  test('that comes before its time makes no attempt, and costs none', async () => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url);
    const ids = await pending(webhook, [{ data: {} }], Date.now() + 3_600_000);
    expect(await attempt(webhook, ids)).toEqual({ acked: [0], retried: [] });
    expect(callbacks).toEqual([]);
    expect(await only(webhook.id)).toMatchObject({ status: 'pending', attempts: [] });
  });

  test('for a webhook that was deleted meanwhile is forgotten, with its delivery', async () => {
    const webhook = await insertWebhook(url);
    const ids = await pending(webhook, [{ data: {} }]);
    await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run();
    expect(await attempt(webhook, [...ids, newUuid()])).toEqual({ acked: [0, 1], retried: [] });
    expect(await deliveriesOf(webhook.id)).toEqual([]);
  });

  test('for a webhook that is off is held, without a date', async () => {
    const webhook = await insertWebhook(url, { enabled: false });
    const { callbacks } = receiver(url);
    expect(await attempt(webhook, await pending(webhook, [{ data: {} }]))).toEqual({
      acked: [0],
      retried: [],
    });
    expect(callbacks).toEqual([]);
    expect(await only(webhook.id)).toMatchObject({ status: 'held', next_attempt_at: null });
  });
});

describe('the sweep', () => {
  test('queues again what is overdue, and nothing that still waits, is over, or was queued a moment ago', async () => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url);
    const now = Date.now();
    const [overdue] = await pending(webhook, [{ name: 'overdue', data: {} }], now - 60_000);
    await pending(webhook, [{ name: 'fresh', data: {} }], now - 1_000);
    await pending(webhook, [{ name: 'later', data: {} }], now + 60_000);
    await env.DB.prepare(
      `insert into deliveries values (?, ?, ?, 'evt_1', 'message.sent', '{"name":"over"}', 'delivered', '[]', null)`,
    )
      .bind(webhook.id, newUuid(), webhook.accountId)
      .run();
    await requeueOverdueDeliveries(env, now);
    await eventually(async () =>
      (await deliveriesOf(webhook.id)).some(
        (row) => row.delivery_id === overdue && row.status === 'delivered',
      ),
    );
    expect(callbacks.map(({ body }) => JSON.parse(body).name)).toEqual(['overdue']);
  });

  test.each([
    { lane: 'two minutes', sentSecondsAgo: 120, stillQueued: 140, lost: 160 },
    { lane: 'an hour', sentSecondsAgo: 3600, stillQueued: 620, lost: 640 },
  ])(
    'leaves alone what may still be in a lane that is $lane behind, and queues what cannot be or is too late',
    async ({ sentSecondsAgo, stillQueued, lost }) => {
      const webhook = await insertWebhook(url);
      const now = Date.now();
      const dueAgo = (seconds: number) =>
        pending(webhook, [{ name: `${seconds}`, data: {} }], now - seconds * 1000);
      await dueAgo(stillQueued);
      const [lostId] = await dueAgo(lost);
      const queued: string[] = [];
      const behind = {
        metrics: async () => ({
          backlogCount: 1,
          backlogBytes: 1,
          oldestMessageTimestamp: new Date(now - sentSecondsAgo * 1000),
        }),
        sendBatch: async (messages: { body: { webhookId: string; deliveryId: string } }[]) => {
          for (const { body } of messages) if (body.webhookId === webhook.id) queued.push(body.deliveryId);
        },
      };
      await requeueOverdueDeliveries({ ...env, WEBHOOK_DELIVERIES_SLOW: behind as unknown as Queue }, now);
      expect(queued).toEqual([lostId]);
    },
  );

  test('finds what is due through the index, without reading the deliveries that are over', async () => {
    const { sql, params } = overdueClaim(openDatabase(env.DB), 1, 1, 1).toSQL();
    const { results } = await env.DB.prepare(`explain query plan ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const plan = results.map(({ detail }) => detail).filter((detail) => / deliveries /.test(detail));
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH deliveries USING PRIMARY KEY/),
      expect.stringMatching(/^SEARCH deliveries USING COVERING INDEX deliveries_due/),
    ]);
  });
});
