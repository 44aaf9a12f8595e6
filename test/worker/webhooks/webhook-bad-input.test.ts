import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/durable/event-log/feed/cursor.ts';
import { ask, eventually, openAccount } from '../front-door.ts';
import { deliveriesOf, insertWebhook, oneEvent, tell } from './delivery-fixture.ts';
import { interceptCallbacks, receiver } from './webhook-receiver.ts';

interceptCallbacks();
receiver('https://bad-input.example.com/hook', () => new Response(null, { status: 404 }));

const account = await openAccount();
const stranger = await openAccount();
const webhook = await insertWebhook('https://bad-input.example.com/hook', { accountId: account.accountId });
const others = await insertWebhook('https://bad-input.example.com/hook', { accountId: stranger.accountId });

/** Of one that has failed. */
async function deliveryOf(of: typeof webhook): Promise<string> {
  await tell(of.accountId, oneEvent());
  await eventually(async () => (await deliveriesOf(of))[0]?.status === 'failed');
  return (await deliveriesOf(of))[0]?.deliveryId ?? '';
}

const delivery = await deliveryOf(webhook);
const othersDelivery = await deliveryOf(others);
const missing = crypto.randomUUID();
const everything = async () => [
  (await env.DB.prepare('select * from webhooks order by id').all()).results,
  await deliveriesOf(webhook),
  await deliveriesOf(others),
  await env.AUDIT_LOG.getByName(account.accountId).list(1000, undefined),
];
const before = await everything();

const path = `/v1/webhooks/${webhook.id}`;
const since = '2026-01-31T09:30:00.123Z';

const stream = await ask('GET', '/v1/events', { headers: account.owner });
const newest = decodeCursor(stream.body.nextCursor);
const beyond = encodeCursor({ generation: newest?.generation ?? '', seq: (newest?.seq ?? 0) + 1 });

/** The request, and the field that is named. */
const invalid: Record<string, [string, string, unknown, string]> = {
  'a URL of the gateway itself': ['PATCH', path, { url: 'https://gateway.test/v1/webhooks' }, 'url'],
  'a URL with a fragment': ['PATCH', path, { url: 'https://example.com/#part' }, 'url'],
  'a URL that ends in a dot': ['PATCH', path, { url: 'https://example.com./' }, 'url'],
  'a URL of a decimal address': ['PATCH', path, { url: 'https://167772161/' }, 'url'],
  'a URL of a mapped address': ['PATCH', path, { url: 'https://[::ffff:10.0.0.1]/' }, 'url'],
  'a URL of the metadata service': ['PATCH', path, { url: 'http://169.254.169.254/' }, 'url'],
  'a new webhook at the gateway itself': [
    'POST',
    '/v1/webhooks',
    { url: 'https://gateway.test:8443/', numberIds: 'all', events: 'all' },
    'url',
  ],
  'a failure streak of their own': ['PATCH', path, { failureStreak: 0 }, 'failureStreak'],
  'a reason of their own': ['PATCH', path, { enabled: false, disabledReason: 'x' }, 'disabledReason'],
  'enabled is null': ['PATCH', path, { enabled: null }, 'enabled'],
  'a test with fields': ['POST', `${path}/test`, { event: 'message.sent' }, 'event'],
  'a rotation with a secret': ['POST', `${path}/rotate-secret`, { secret: 'whsec_1' }, 'secret'],
  'a redelivery with fields': ['POST', `${path}/deliveries/${delivery}/redeliver`, { to: 'me' }, 'to'],
  'a redelivery of everything': ['POST', `${path}/redeliver`, {}, 'since'],
  'a redelivery since some day': ['POST', `${path}/redeliver`, { since: 'yesterday' }, 'since'],
  'a redelivery since a date': ['POST', `${path}/redeliver`, { since: '2026-01-31' }, 'since'],
  'a redelivery since a number': ['POST', `${path}/redeliver`, { since: 0 }, 'since'],
  'a redelivery of what is on its way': ['POST', `${path}/redeliver`, { since, status: 'pending' }, 'status'],
  'a redelivery with a limit': ['POST', `${path}/redeliver`, { since, limit: 5 }, 'limit'],
  'a replay of everything': ['POST', `${path}/replay`, {}, 'since'],
  'a replay from two places': ['POST', `${path}/replay`, { since, after: 'x' }, 'since'],
  'a replay from no cursor': ['POST', `${path}/replay`, { after: 'abc' }, 'after'],
  'a replay from a cursor beyond the newest event': ['POST', `${path}/replay`, { after: beyond }, 'after'],
  'a replay since some day': ['POST', `${path}/replay`, { since: 'yesterday' }, 'since'],
  'a replay until some day': ['POST', `${path}/replay`, { since, until: 'today' }, 'until'],
  'a replay of some events': ['POST', `${path}/replay`, { since, events: ['message.sent'] }, 'events'],
  'a list in an unknown status': ['GET', `${path}/deliveries?status=lost`, undefined, 'status'],
  'a list of an unknown event': ['GET', `${path}/deliveries?event=message.exploded`, undefined, 'event'],
  'alerts with a filter': ['GET', '/v1/alerts?kind=webhook.disabled', undefined, 'kind'],
  'alerts with a cursor of their own': ['GET', '/v1/alerts?cursor=abc', undefined, 'cursor'],
};

describe('refused, with the field named:', () => {
  test.each(Object.entries(invalid))('%s', async (_name, [method, route, json, field]) => {
    const answer = await ask(method, route, { headers: account.owner, json });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(answer.body.error.details[0]).toEqual({ path: field, message: expect.stringMatching(/\S/) });
  });

  test('a body that is no JSON', async () => {
    const raw = { raw: '{"since":', headers: { ...account.owner, 'Content-Type': 'application/json' } };
    expect(await ask('POST', `${path}/redeliver`, raw)).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_JSON' } },
    });
  });

  test('a body of another type', async () => {
    const raw = { raw: 'since=now', headers: { ...account.owner, 'Content-Type': 'text/plain' } };
    for (const route of ['redeliver', 'test', 'rotate-secret']) {
      expect(await ask('POST', `${path}/${route}`, raw)).toMatchObject({
        status: 415,
        body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } },
      });
    }
  });
});

const calls = (id: string, deliveryId: string): [string, string, unknown?][] => [
  ['GET', `/v1/webhooks/${id}`],
  ['PATCH', `/v1/webhooks/${id}`, { enabled: false }],
  ['DELETE', `/v1/webhooks/${id}`],
  ['POST', `/v1/webhooks/${id}/test`],
  ['POST', `/v1/webhooks/${id}/rotate-secret`],
  ['GET', `/v1/webhooks/${id}/deliveries`],
  ['POST', `/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`],
  ['POST', `/v1/webhooks/${id}/redeliver`, { since }],
  ['POST', `/v1/webhooks/${id}/replay`, { since }],
];

describe('not found, exactly as what does not exist:', () => {
  const targets: Record<string, [string, string]> = {
    "another account's webhook": [others.id, othersDelivery],
    'a webhook that is not there': [missing, delivery],
    'what is no id': ['1', '1'],
  };
  test.each(Object.entries(targets))('%s', async (_name, [id, deliveryId]) => {
    for (const [method, route, json] of calls(id, deliveryId)) {
      expect(await ask(method, route, { headers: account.owner, json }), `${method} ${route}`).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND', message: 'There is no such webhook.' } },
      });
    }
  });

  test.each([
    ["another webhook's delivery", othersDelivery],
    ['a delivery that is not there', missing],
    ['what is no delivery id', 'x'],
  ])('%s', async (_name, deliveryId) => {
    const route = `${path}/deliveries/${deliveryId}/redeliver`;
    expect(await ask('POST', route, { headers: account.owner })).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', message: 'There is no such delivery.' } },
    });
  });
});

test('a replay from a cursor of another log is too old, and is told the oldest one that works', async () => {
  const after = encodeCursor({ generation: '00000000', seq: 1 });
  const answer = await ask('POST', `${path}/replay`, { headers: account.owner, json: { after } });
  expect(answer).toMatchObject({ status: 410, body: { error: { code: 'CURSOR_EXPIRED' } } });
  const { oldest } = answer.body.error.details[0];
  expect(decodeCursor(oldest)).toEqual({ generation: newest?.generation, seq: 0 });
});

test('nobody without a credential of the account gets as far as that', async () => {
  for (const [method, route, json] of [...calls(webhook.id, delivery), ['GET', '/v1/alerts'] as const]) {
    expect(await ask(method, route, { json }), `${method} ${route}`).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED' } },
    });
  }
});

test('after all that nothing has changed', async () => {
  expect(await everything()).toEqual(before);
});
