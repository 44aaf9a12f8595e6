import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  callbackHeaders,
  newWebhookSecret,
} from '../../../src/worker/features/webhooks/delivery/signature.ts';

const facts = {
  body: '{"id":"evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4","event":"message.sent"}',
  event: 'message.sent',
  eventId: 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
  deliveryId: '01a1fd32-bad3-7aef-a559-3afc15d5959f',
  attempt: 2,
  at: Date.parse('2026-01-31T09:30:00.123Z'),
};

const only = (current: string) => ({ current, previous: null });

test('the headers are those of the contract, to the letter', () => {
  // Signatures made with openssl from the same secret, body and times.
  expect(callbackHeaders(only('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='), facts)).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Heliograph-Webhooks/1.0',
    'X-Service-Event': 'message.sent',
    'X-Service-Delivery-Id': '01a1fd32-bad3-7aef-a559-3afc15d5959f',
    'X-Service-Attempt': '2',
    'X-Service-Timestamp': '2026-01-31T09:30:00.123Z',
    'X-Service-Signature': '627dc0fb1f7a86e917160344fa7ff5abb20b04089a6f2281b6a039bad364aa7c',
    'webhook-id': 'evt_01a1fd32-bad3-755b-acdf-d97fd1c904d4',
    'webhook-timestamp': '1769851800',
    'webhook-signature': 'v1,5qitEtYhsKwjH1MSHNxFHUtm+LGPH9N+WQstKYLvnLY=',
  });
});

test('a receiver with a Standard Webhooks library accepts a fresh callback, and no altered one', () => {
  const secret = newWebhookSecret();
  const headers = callbackHeaders(only(secret), { ...facts, at: Date.now() });
  expect(() => new Webhook(secret).verify(facts.body, headers)).not.toThrow();
  expect(() => new Webhook(secret).verify(`${facts.body} `, headers)).toThrow();
  expect(() => new Webhook(newWebhookSecret()).verify(facts.body, headers)).toThrow();
});

test('during a rotation both secrets sign, the new one in the place of the old one', () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
  const at = Date.now();
  const headers = callbackHeaders({ current, previous }, { ...facts, at });
  const alone = callbackHeaders(only(current), { ...facts, at });
  const before = callbackHeaders(only(previous), { ...facts, at });
  expect(headers).toEqual({
    ...alone,
    'X-Service-Signature-Previous': before['X-Service-Signature'],
    'webhook-signature': `${alone['webhook-signature']} ${before['webhook-signature']}`,
  });
  for (const secret of [current, previous]) {
    expect(() => new Webhook(secret).verify(facts.body, headers)).not.toThrow();
  }
});

test('openssl computes the same signature from the same bytes', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ text: "it's ünicode 😀 and a newline\n" });
  const headers = callbackHeaders(only(secret), { ...facts, body, at: Date.now() });
  const signed = Buffer.from(`${body}.${headers['X-Service-Timestamp']}`);
  const answer = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: signed });
  expect(answer.toString().trim().split(' ').at(-1)).toBe(headers['X-Service-Signature']);
});
