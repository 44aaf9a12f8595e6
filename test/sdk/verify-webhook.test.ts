import { createHmac } from 'node:crypto';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { EventData, EventEnvelope, EventName } from '../../src/contract/events.ts';
import { verifyWebhook } from '../../src/sdk/index.ts';
import type { WebhookEvent, WebhookEventData } from '../../src/sdk/webhook-events.ts';
import { callbackHeaders, newWebhookSecret } from '../../src/worker/features/webhooks/delivery/signature.ts';

const secret = newWebhookSecret();
const at = Date.parse('2026-01-31T09:30:00.123Z');
const event: WebhookEvent<'webhook.test'> = {
  id: 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
  event: 'webhook.test',
  timestamp: '2026-01-31T09:30:00.000Z',
  data: { message: 'ünicode 😀' },
};
const body = JSON.stringify(event);

/** The headers that the gateway itself makes. */
const signed = (current = secret, previous: string | null = null, text = body) =>
  callbackHeaders(
    { current, previous },
    { body: text, event: event.event, eventId: event.id, deliveryId: 'd', attempt: 1, at },
  );
const now = at;
const refused = (reason: string) => expect.objectContaining({ name: 'WebhookVerificationError', reason });

describe('a callback of the gateway', () => {
  test.each([
    ['a string', body],
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('is verified with its body as %s', async (_form, raw) => {
    expect(await verifyWebhook(raw, signed(), secret, { now })).toEqual(event);
  });

  test('is verified with headers of any make', async () => {
    const headers = signed();
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const made of [headers, lower, lists, new Headers(headers)]) {
      expect(await verifyWebhook(body, made, secret, { now })).toEqual(event);
    }
  });

  test('is verified during a rotation by the new secret, by the old one, and by both', async () => {
    const old = newWebhookSecret();
    const headers = signed(secret, old);
    for (const known of [secret, old, [secret, old], [newWebhookSecret(), old]]) {
      expect(await verifyWebhook(body, headers, known, { now })).toEqual(event);
    }
    await expect(verifyWebhook(body, headers, newWebhookSecret(), { now })).rejects.toEqual(
      refused('signature_mismatch'),
    );
    await expect(verifyWebhook(body, signed(), old, { now })).rejects.toEqual(refused('signature_mismatch'));
  });

  test('is taken as long as its time is within the tolerance, in both directions', async () => {
    const verify = (later: number, toleranceSeconds?: number) =>
      verifyWebhook(body, signed(), secret, {
        now: at + later,
        ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
      });
    for (const later of [300_000, -300_000]) expect(await verify(later)).toEqual(event);
    for (const later of [300_001, -300_001]) {
      await expect(verify(later)).rejects.toEqual(refused('timestamp_out_of_tolerance'));
    }
    expect(await verify(10_000, 10)).toEqual(event);
    await expect(verify(10_001, 10)).rejects.toEqual(refused('timestamp_out_of_tolerance'));
    await expect(verify(1, Number.NaN)).rejects.toEqual(refused('timestamp_out_of_tolerance'));
  });
});

describe('what is not a callback of the gateway', () => {
  test.each([
    ['one byte more', `${body} `],
    ['another body', body.replace('message', 'massage')],
    ['nothing', ''],
  ])('is refused: %s', async (_what, altered) => {
    await expect(verifyWebhook(altered, signed(), secret, { now })).rejects.toEqual(
      refused('signature_mismatch'),
    );
  });

  test.each([
    ['no signature', { 'X-Service-Signature': '' }, 'missing_header'],
    ['a signature of zeros', { 'X-Service-Signature': '0'.repeat(64) }, 'signature_mismatch'],
    [
      'a signature in capitals',
      { 'X-Service-Signature': signed()['X-Service-Signature']?.toUpperCase() },
      'signature_mismatch',
    ],
    [
      'half a signature',
      { 'X-Service-Signature': signed()['X-Service-Signature']?.slice(0, 32) },
      'signature_mismatch',
    ],
    ['a time without milliseconds', { 'X-Service-Timestamp': '2026-01-31T09:30:00Z' }, 'malformed_timestamp'],
    ['a time in seconds', { 'X-Service-Timestamp': '1769851800' }, 'malformed_timestamp'],
    ['no day of any month', { 'X-Service-Timestamp': '2026-13-31T09:30:00.123Z' }, 'malformed_timestamp'],
    [
      'a fresh time on an old signature',
      { 'X-Service-Timestamp': '2026-01-31T09:31:00.123Z' },
      'signature_mismatch',
    ],
    ['no time', { 'X-Service-Timestamp': undefined }, 'missing_header'],
  ])('is refused: %s', async (_what, altered, reason) => {
    await expect(verifyWebhook(body, { ...signed(), ...altered }, secret, { now })).rejects.toEqual(
      refused(reason),
    );
  });

  test('is refused though it is signed, when it is no JSON', async () => {
    await expect(verifyWebhook('{', signed(secret, null, '{'), secret, { now })).rejects.toEqual(
      refused('malformed_body'),
    );
  });

  test('does not get in by a secret that is not set, or by a body that was parsed', async () => {
    const anybody = createHmac('sha256', '').update(`${body}.2026-01-31T09:30:00.123Z`).digest('hex');
    const headers = { ...signed(), 'X-Service-Signature': anybody };
    await expect(verifyWebhook(body, headers, '', { now })).rejects.toThrow('secret is empty');
    await expect(verifyWebhook(body, headers, [], { now })).rejects.toEqual(refused('signature_mismatch'));
    await expect(verifyWebhook(event as never, headers, secret, { now })).rejects.toThrow('raw body');
  });
});

test('the types of the events are those of the contract', () => {
  expectTypeOf<keyof WebhookEventData>().toEqualTypeOf<EventName>();
  expectTypeOf<WebhookEventData>().toExtend<{ [Name in EventName]: EventData<Name> }>();
  expectTypeOf<WebhookEvent>().toExtend<EventEnvelope>();
  expectTypeOf<WebhookEvent<'message.read'>['data']['readAt']>().toBeString();
});
