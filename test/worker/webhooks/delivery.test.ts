import { runDurableObjectAlarm } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { DeliveryOrder } from '../../../src/durable/event-log/deliveries/delivery-order.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { consumeRetryWakeUps } from '../../../src/worker/features/webhooks/delivery/webhook-sender.ts';
import { queued, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { eventually } from '../front-door.ts';
import {
  deliveriesOf,
  insertWebhook,
  oneEvent,
  onlyOf,
  ring,
  rowsOf,
  setColumn,
  stateOf,
  stopClock,
  type TestWebhook,
  tell,
} from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://delivery.example.com/hook';

const attempted = (webhook: TestWebhook, times: number) =>
  eventually(async () => (await deliveriesOf(webhook))[0]?.attempts.length === times);

describe('an attempt', () => {
  test('that the receiver takes ends the delivery, and a bell that rings again makes no second one', async () => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url, () => new Response('x'.repeat(10_000), { status: 202 }));
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    await ring(webhook);
    await ring(webhook);
    expect(callbacks).toHaveLength(1);
    expect(await onlyOf(webhook)).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [{ statusCode: 202, error: null, responseSnippet: 'x'.repeat(512) }],
    });
    expect(await rowsOf(webhook)).toBe(0);
  });

  test('that cannot be made is told as none, and breaks nothing else', async () => {
    const { accountId, id } = await insertWebhook(url);
    const { callbacks } = receiver(url);
    const target = {
      id,
      url,
      sealedSecret: 'nothing that could be opened',
      previousSealedSecret: null,
      previousSecretUntil: null,
    };
    const attempts = [
      { deliveryId: newUuid(), eventId: 'evt', event: 'message.sent', body: '{}', attempt: 1 },
    ];
    const order = { accountId, webhook: target, attempts } as unknown as DeliveryOrder;
    expect(await exports.WebhookSender.deliver(order)).toEqual([null]);
    expect(callbacks).toEqual([]);
  });

  test.each([202, 503])(
    'answered with %i is a line of the log that has neither the URL nor a secret',
    async (status) => {
      const secretUrl = 'https://delivery.example.com/hook?token=url-secret';
      const webhook = await insertWebhook(secretUrl);
      receiver(secretUrl, () => new Response('an answer of theirs', { status }));
      const lines: string[] = [];
      const spies = (['log', 'error', 'warn'] as const).map((method) =>
        vi.spyOn(console, method).mockImplementation((...values) => void lines.push(values.join(' '))),
      );
      await tell(webhook.accountId, oneEvent());
      await attempted(webhook, 1);
      for (const spy of spies) spy.mockRestore();
      const attempts = lines.filter(
        (line) => line.includes('"webhook.attempted"') && line.includes(webhook.id),
      );
      expect(attempts.map((line) => JSON.parse(line))).toMatchObject([{ statusCode: status }]);
      for (const secret of ['url-secret', 'delivery.example.com', webhook.secret, 'an answer of theirs']) {
        expect(lines.join('\n')).not.toContain(secret);
      }
    },
  );

  test.each([301, 400, 404, 410, 429])('answered with %i is the last one', async (status) => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(
      url,
      () => new Response(null, { status, headers: { Location: 'https://example.com/other' } }),
    );
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    await ring(webhook);
    expect(callbacks).toHaveLength(1);
    expect(await onlyOf(webhook)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      attempts: [{ statusCode: status, error: expect.stringMatching(`^${status} is final: .* not `) }],
    });
    expect(await stateOf(webhook)).toMatchObject({ failureStreak: 1, lastDeliveryAt: null });
  });

  test('answered with 500 is made again after the first rung, under the same id and a fresh time; success ends the streak', async () => {
    const clock = stopClock();
    const webhook = await insertWebhook(url);
    const hook = receiver(url, () => new Response('sorry', { status: 500 }));
    const before = Date.now();
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    expect(await onlyOf(webhook)).toMatchObject({
      status: 'pending',
      nextAttemptAt: before + 30_000,
      attempts: [{ statusCode: 500, error: 'The receiver answered 500.', responseSnippet: 'sorry' }],
    });
    expect(await stateOf(webhook)).toMatchObject({ failureStreak: 1 });

    hook.answers(() => new Response(null, { status: 204 }));
    clock.pass(30);
    await ring(webhook);
    await attempted(webhook, 2);
    expect(await onlyOf(webhook)).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [{ statusCode: 500 }, { statusCode: 204, responseSnippet: null }],
    });
    expect(await stateOf(webhook)).toMatchObject({ failureStreak: 0, lastDeliveryAt: before + 30_000 });
    const [first, second] = hook.callbacks;
    expect(second?.headers['x-service-delivery-id']).toBe(first?.headers['x-service-delivery-id']);
    expect(hook.callbacks.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    expect(hook.callbacks.map(({ headers }) => Date.parse(headers['x-service-timestamp'] ?? ''))).toEqual([
      before,
      before + 30_000,
    ]);
  });

  test('is the last one when the ladder is used up', async () => {
    const clock = stopClock();
    const webhook = await insertWebhook(url);
    receiver(url, () => new Response(null, { status: 503 }));
    await tell(webhook.accountId, oneEvent());
    for (const [index, seconds] of [30, 120, 600, 1800].entries()) {
      await attempted(webhook, index + 1);
      clock.pass(seconds);
      await ring(webhook);
    }
    await attempted(webhook, 5);
    const { status, attempts, nextAttemptAt } = await onlyOf(webhook);
    expect({ status, nextAttemptAt }).toEqual({ status: 'failed', nextAttemptAt: null });
    expect(attempts[4]?.error).toMatch(/^The receiver answered 503\. This was attempt 5, the last one\./);
    expect(await stateOf(webhook)).toMatchObject({ failureStreak: 5 });
  });

  test('without an answer in time, or without a connection, is made again', async () => {
    const [slow, dead] = [await insertWebhook(`${url}/slow`), await insertWebhook(`${url}/dead`)];
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    receiver(`${url}/slow`, () => Promise.reject(new DOMException('too late', 'TimeoutError')));
    await tell(slow.accountId, oneEvent());
    await attempted(slow, 1);
    expect(timeouts).toHaveBeenCalledWith(10_000);
    expect(await onlyOf(slow)).toMatchObject({
      status: 'pending',
      attempts: [{ statusCode: null, error: 'No answer within 10 seconds.' }],
    });
    receiver(`${url}/dead`, () => Promise.reject(new Error('ECONNREFUSED 10.1.2.3')));
    await tell(dead.accountId, oneEvent());
    await attempted(dead, 1);
    expect(await onlyOf(dead)).toMatchObject({
      status: 'pending',
      attempts: [{ statusCode: null, error: 'The connection failed.' }],
    });
  });

  test('is not made to a URL that is no longer allowed', async () => {
    const webhook = await insertWebhook('https://10.0.0.1/hook');
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    expect(await onlyOf(webhook)).toMatchObject({
      status: 'failed',
      // Nothing is amiss with the receiver, and no later attempt would do better.
      attempts: [
        {
          error: 'The URL is not allowed. Private and reserved addresses are not allowed.',
          statusCode: null,
        },
      ],
    });
  });

  test('keeps the order of the steps of one message, and lets another message pass', async () => {
    const webhook = await insertWebhook(url);
    const order: string[] = [];
    const [a, b] = [record(), record()];
    let isAnswered = false;
    const hook = receiver(url, async () => {
      const { event, data } = JSON.parse(hook.callbacks.at(-1)?.body ?? '{}');
      const step = `${data.messageId === a.messageId ? 'a' : 'b'} ${event}`;
      order.push(step);
      while (step === 'a message.queued' && !isAnswered) await scheduler.wait(5);
      return new Response();
    });
    await tell(webhook.accountId, queued(a), sent(a));
    await eventually(() => order.length === 1);
    await tell(webhook.accountId, queued(b), sent(b));
    await eventually(() => order.length === 3);
    expect(order).toEqual(['a message.queued', 'b message.queued', 'b message.sent']);
    isAnswered = true;
    await eventually(() => order.length === 4);
    expect(order.at(-1)).toBe('a message.sent');
  });
});

describe('a wakeUp', () => {
  test('of several webhooks tells their account of each, once', async () => {
    const asked: [string, string[]][] = [];
    const getByName = (accountId: string) => ({
      retryDue: async (webhookIds: string[]) => void asked.push([accountId, webhookIds]),
    });
    const messages = [
      ['one', '1'],
      ['one', '2'],
      ['one', '1'],
      ['other', '3'],
    ].map(([accountId, webhookId]) => ({ body: { accountId, webhookId }, ack: () => {}, retry: () => {} }));
    const own = { ...env, EVENT_LOG: { getByName } } as unknown as Env;
    await consumeRetryWakeUps({ messages } as never, own);
    expect(asked).toEqual([
      ['one', ['1', '2']],
      ['other', ['3']],
    ]);
  });

  test('that rings before its time makes no attempt, and costs none', async () => {
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url, () => new Response(null, { status: 500 }));
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    await ring(webhook);
    expect(callbacks).toHaveLength(1);
    expect(await onlyOf(webhook)).toMatchObject({ status: 'pending', attempts: [{ statusCode: 500 }] });
  });

  test('for a webhook that was deleted meanwhile changes nothing: its deliveries are gone', async () => {
    const clock = stopClock();
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url, () => new Response(null, { status: 500 }));
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    await env.DB.prepare('delete from webhooks where id = ?').bind(webhook.id).run();
    await logOf(env, webhook.accountId).refresh();
    clock.pass(30);
    await ring(webhook);
    expect(callbacks).toHaveLength(1);
    expect(await rowsOf(webhook)).toBe(0);
    expect(await logOf(env, webhook.accountId).webhookDeliveries(webhook.id, {}, 10, null)).toBeNull();
  });

  test('for a webhook that is off makes no attempt: its deliveries are held, without a date', async () => {
    const clock = stopClock();
    const webhook = await insertWebhook(url);
    const { callbacks } = receiver(url, () => new Response(null, { status: 500 }));
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    await setColumn(webhook, 'enabled', 0);
    clock.pass(30);
    await ring(webhook);
    expect(callbacks).toHaveLength(1);
    expect(await onlyOf(webhook)).toMatchObject({ status: 'held', nextAttemptAt: null });
  });

  test('that the queue has lost is rung by the alarm of the log, a little after its time', async () => {
    const clock = stopClock();
    const webhook = await insertWebhook(url);
    const hook = receiver(url, () => new Response(null, { status: 500 }));
    await tell(webhook.accountId, oneEvent());
    await attempted(webhook, 1);
    hook.answers(() => new Response());
    clock.pass(61);
    await runDurableObjectAlarm(logOf(env, webhook.accountId));
    await eventually(async () => (await onlyOf(webhook)).status === 'delivered');
    expect(hook.callbacks).toHaveLength(2);
  });
});
