import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newEventId, newUuid } from '../../src/durable/new-ids.ts';
import type { EventsQueueMessage } from '../../src/durable/relayed-events.ts';
import { deliverBatch, deliveriesOf, insertWebhook, stepOf } from './direct-queues.ts';
import { eventually } from './front-door.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();

const url = 'https://receiver.example.com/hook';
const messageRow = (accountId: string, messageId: string) =>
  env.DB.prepare('select * from messages where account_id = ? and message_id = ?')
    .bind(accountId, messageId)
    .first();

test('a message that is delivered twice by the queue is stored once and called back once', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const { message, body } = stepOf(webhook.accountId);
  expect(await deliverBatch('events', [body])).toEqual({ acked: [0], retried: [] });
  await eventually(async () => (await deliveriesOf(webhook.id))[0]?.status === 'delivered');
  const stored = await messageRow(webhook.accountId, message.messageId);
  expect(stored).toMatchObject({ status: 'queued', text: 'hello', to: '628123456789' });
  expect(await deliverBatch('events', [body, body])).toEqual({ acked: [0, 1], retried: [] });
  expect(await messageRow(webhook.accountId, message.messageId)).toEqual(stored);
  expect(await deliveriesOf(webhook.id)).toHaveLength(1);
  expect(callbacks).toHaveLength(1);
});

test('steps that arrive in the wrong order, in one batch or in several, leave the furthest one', async () => {
  const accountId = newUuid();
  const { message } = stepOf(accountId);
  const base = { messageId: message.messageId, numberId: message.numberId, queuedAt: 1 };
  const sent = stepOf(accountId, { ...base, status: 'sent', sentAt: 2, providerMessageId: '3EB0' }).body;
  const read = stepOf(accountId, {
    ...base,
    status: 'read',
    sentAt: 2,
    deliveredAt: 3,
    readAt: 4,
    providerMessageId: '3EB0',
  }).body;
  const queued = stepOf(accountId, { ...base }).body;
  await deliverBatch('events', [sent, queued]);
  expect(await messageRow(accountId, message.messageId)).toMatchObject({ status: 'sent', sent_at: 2 });
  await deliverBatch('events', [read, sent]);
  const furthest = await messageRow(accountId, message.messageId);
  expect(furthest).toMatchObject({
    status: 'read',
    queued_at: 1,
    sent_at: 2,
    delivered_at: 3,
    read_at: 4,
    provider_message_id: '3EB0',
  });
  await deliverBatch('events', [queued]);
  await deliverBatch('events', [sent]);
  await deliverBatch('events', [
    stepOf(accountId, { ...base, status: 'failed', failedAt: 9, errorMessage: 'No.' }).body,
  ]);
  expect(await messageRow(accountId, message.messageId)).toEqual(furthest);
});

test('a message that has moved is shown with the number that sent it, also when its first number is told of last', async () => {
  const accountId = newUuid();
  const first = stepOf(accountId);
  const { messageId } = first.message;
  const moved = stepOf(accountId, {
    messageId,
    queuedAt: first.message.queuedAt ?? null,
    from: '15550000002',
    senderSource: 'pinned_fallback',
    status: 'sent',
    sentAt: Date.now(),
  });
  await deliverBatch('events', [first.body]);
  await deliverBatch('events', [moved.body]);
  await deliverBatch('events', [first.body]);
  expect(await messageRow(accountId, messageId)).toMatchObject({
    status: 'sent',
    number_id: moved.message.numberId,
    from: '15550000002',
    sender_source: 'pinned_fallback',
  });
});

test('a whole batch of many messages fits, and each event of each is called back', async () => {
  const webhook = await insertWebhook(url);
  const { callbacks } = receiver(url);
  const steps = Array.from({ length: 100 }, () => stepOf(webhook.accountId));
  const result = await deliverBatch(
    'events',
    steps.map(({ body }) => body),
  );
  expect(result.acked).toHaveLength(100);
  const { count } =
    (await env.DB.prepare('select count(*) as count from messages where account_id = ?')
      .bind(webhook.accountId)
      .first()) ?? {};
  expect(count).toBe(100);
  await eventually(() => callbacks.length >= 100);
  const ids = callbacks.map(({ body }) => JSON.parse(body).id);
  expect(new Set(ids)).toEqual(new Set(steps.map(({ body }) => body.events[0]?.envelope?.id)));
  expect(ids).toHaveLength(100);
});

test('the message that cannot be stored comes again, and the others do not wait for it', async () => {
  const accountId = newUuid();
  const good = stepOf(accountId);
  const bad = stepOf(accountId, { direction: null as never });
  expect(await deliverBatch('events', [bad.body, good.body])).toEqual({ acked: [1], retried: [0] });
  expect(await messageRow(accountId, good.message.messageId)).toMatchObject({ status: 'queued' });
});

test('a device shows its newest revision, however its reports arrive', async () => {
  const [accountId, numberId] = [newUuid(), newUuid()];
  await env.DB.prepare(
    "insert into numbers (id, account_id, label, in_pool, created_at, state) values (?, ?, 'Sales', 1, 0, 'unpaired')",
  )
    .bind(numberId, accountId)
    .run();
  const report = (
    revision: number,
    state: 'connected' | 'disconnected',
    ofAccount = accountId,
  ): EventsQueueMessage => ({
    accountId: ofAccount,
    source: { kind: 'phone-number', name: numberId },
    events: [
      {
        seq: revision,
        envelope: null,
        message: null,
        device: {
          numberId,
          revision,
          state,
          phoneNumber: '15550000001',
          reason: null,
          connectedAt: 1,
          lastSeenAt: null,
        },
      },
    ],
  });
  const row = () => env.DB.prepare('select * from numbers where id = ?').bind(numberId).first();
  await deliverBatch('events', [report(3, 'connected'), report(2, 'disconnected')]);
  expect(await row()).toMatchObject({
    state: 'connected',
    revision: 3,
    phone_number: '15550000001',
    label: 'Sales',
  });
  await deliverBatch('events', [report(1, 'disconnected')]);
  await deliverBatch('events', [report(9, 'disconnected', newUuid())]);
  expect(await row()).toMatchObject({ state: 'connected', revision: 3 });
});

test('events of numbers that a webhook is not assigned to are not called back', async () => {
  const numberId = newUuid();
  const webhook = await insertWebhook(url, { numberIds: [numberId] });
  const { callbacks } = receiver(url);
  const own = stepOf(webhook.accountId, { numberId });
  const other = stepOf(webhook.accountId);
  const quota: EventsQueueMessage = {
    accountId: webhook.accountId,
    source: { kind: 'account', name: webhook.accountId },
    events: [
      {
        seq: 1,
        envelope: {
          id: newEventId(),
          event: 'quota.exceeded',
          timestamp: new Date().toISOString(),
          data: { used: 1, limit: 1, resetAt: new Date().toISOString() },
        },
        message: null,
        device: null,
      },
    ],
  };
  expect((await deliverBatch('events', [own.body, other.body, quota])).acked).toEqual([0, 1, 2]);
  await eventually(async () =>
    (await deliveriesOf(webhook.id)).every(({ status }) => status === 'delivered'),
  );
  const called = callbacks.map(({ body }) => JSON.parse(body).id);
  const expected = [own.body, quota].map(({ events }) => events[0]?.envelope?.id);
  expect(called.sort()).toEqual(expected.sort());
});
