import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import {
  failed,
  queued,
  receipt,
  received,
  record,
  sent,
} from '../../durable/event-log/event-log-fixture.ts';
import { acceptMessages } from '../../durable/event-log/stream-facts.ts';
import { addConnectedNumber, ask, eventually, openAccount } from '../front-door.ts';
import { interceptCallbacks, receiver } from '../webhooks/webhook-receiver.ts';

interceptCallbacks();

const timelineOf = async (headers: Record<string, string>, messageId: string) =>
  ask('GET', `/v1/messages/${messageId}/timeline`, { headers });

test('a timeline has the steps with the time between them, and every attempt at each webhook', async () => {
  const account = await openAccount();
  const [good, bad] = ['https://good.example/hook', 'https://bad.example/hook'];
  receiver(good);
  receiver(bad, () => new Response(null, { status: 503 }));
  const hook = { numberIds: 'all', events: ['message.sent', 'message.read'] };
  const ids: string[] = [];
  for (const url of [good, bad]) {
    const { body } = await ask('POST', '/v1/webhooks', { headers: account.owner, json: { ...hook, url } });
    ids.push(body.id);
  }
  const message = record({ queuedAt: Date.now() });
  const log = logOf(env, account.accountId);
  await log.take([queued(message), sent(message, message.queuedAt + 250)]);
  await acceptMessages(account.accountId, 30);
  await log.take([receipt(message, 'read', { at: message.queuedAt + 900 })]);

  const body = await eventually(async () => {
    const { body } = await timelineOf(account.server, message.messageId);
    const attempted = body.deliveries.filter((it: { attempts: unknown[] }) => it.attempts.length > 0);
    return attempted.length >= 3 && body;
  });
  expect(body).toMatchObject({
    messageId: message.messageId,
    status: 'read',
    sender: { numberId: message.numberId, source: 'pool' },
    steps: [
      { step: 'queued', at: new Date(message.queuedAt).toISOString(), afterMs: 0 },
      { step: 'sent', afterMs: 250 },
      { step: 'delivered', afterMs: 650 },
      { step: 'read', afterMs: 0 },
    ],
    waiting: null,
  });
  expect(body.events.map(({ event }: { event: string }) => event)).toEqual([
    'message.queued',
    'message.sent',
    'message.delivered',
    'message.read',
  ]);
  const sentEvent = body.events[1];
  const ofSent = body.deliveries.filter((it: { eventId: string }) => it.eventId === sentEvent.id);
  expect(ofSent).toMatchObject([
    { webhookId: ids[0], event: 'message.sent', status: 'delivered', attempts: [{ statusCode: 200 }] },
    { webhookId: ids[1], event: 'message.sent', status: 'pending', attempts: [{ statusCode: 503 }] },
  ]);
  // What waits for a webhook that is off is held.
  const off = { headers: account.owner, json: { enabled: false } };
  expect((await ask('PATCH', `/v1/webhooks/${ids[1]}`, off)).status).toBe(200);
  const { deliveries } = (await timelineOf(account.server, message.messageId)).body;
  const ofBad = deliveries.filter((it: { webhookId: string }) => it.webhookId === ids[1]);
  expect(ofBad).toMatchObject([
    { event: 'message.sent', status: 'held', nextAttemptAt: null, attempts: [{ statusCode: 503 }] },
    { event: 'message.read', status: 'held', nextAttemptAt: null },
  ]);
  // What is sent again stands behind what was sent first.
  const [first] = ofBad;
  const path = `/v1/webhooks/${ids[1]}/deliveries/${first.deliveryId}/redeliver`;
  const { body: again } = await ask('POST', path, { headers: account.owner });
  const { body: since } = await timelineOf(account.server, message.messageId);
  expect(
    since.deliveries
      .filter(
        ({ eventId, webhookId }: Record<string, string>) => eventId === sentEvent.id && webhookId === ids[1],
      )
      .map(({ deliveryId }: { deliveryId: string }) => deliveryId),
  ).toEqual([first.deliveryId, again.deliveryId]);
  // What is shown of an event is what a webhook gets, and where the stream has it.
  const stream = await ask('GET', `/v1/events?events=message.sent`, { headers: account.server });
  expect(stream.body.data).toEqual([sentEvent]);
});

test('what waits says what for, from the moment of the 202 on', async () => {
  const account = await openAccount();
  await addConnectedNumber(account);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const json = { to: '628123456789', text: 'hello', sendAt };
  const { body } = await ask('POST', '/v1/messages/send', { headers: account.server, json });
  const timeline = await timelineOf(account.owner, body.messageId);
  expect(timeline).toMatchObject({
    status: 200,
    body: {
      steps: [{ step: 'queued', at: body.queuedAt, afterMs: 0 }],
      waiting: { heldReason: 'scheduled', expectedAt: sendAt },
    },
  });
});

test('a step that was told long after it happened is found behind it', async () => {
  const account = await openAccount();
  const message = record({ queuedAt: Date.now() - 600_000 });
  const log = logOf(env, account.accountId);
  await acceptMessages(account.accountId, 20);
  await log.take([queued(message)]);
  await acceptMessages(account.accountId, 20);
  await log.take([failed(message, message.queuedAt + 1)]);
  const { body } = await timelineOf(account.server, message.messageId);
  expect(body.events).toMatchObject([{ event: 'message.queued' }, { event: 'message.failed' }]);
});

test('of a received message there is one step, and of a stranger to the account nothing', async () => {
  const account = await openAccount();
  const numberId = newUuid();
  await logOf(env, account.accountId).take([received({ at: new Date().toISOString() }, numberId)]);
  const { body } = await ask('GET', '/v1/messages', { headers: account.server });
  const { messageId } = body.data[0];
  const own = await timelineOf(account.server, messageId);
  expect(own.body).toMatchObject({
    direction: 'inbound',
    sender: null,
    steps: [{ step: 'received', afterMs: 0 }],
    events: [{ event: 'message.received' }],
    deliveries: [],
  });
  const stranger = await openAccount();
  expect((await timelineOf(stranger.server, messageId)).status).toBe(404);
  expect((await timelineOf(account.server, newMessageId())).status).toBe(404);

  const json = { name: 'till', pinnedNumberId: await addConnectedNumber(account), onPinFailure: 'strict' };
  const key = await ask('POST', '/v1/auth/api-keys', { headers: account.owner, json });
  expect((await timelineOf({ 'X-API-Key': key.body.key }, messageId)).status).toBe(404);
});
