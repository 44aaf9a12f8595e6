import { expect, test } from 'vitest';
import { redacted, redactedSentence } from '../../../src/worker/features/requests/keep-request.ts';

test('of a body its shape, ids, times and closed words are kept, and no text, secret or whole phone number', () => {
  const body = {
    to: '+62 812-3456-789',
    text: 'your code is 4711',
    txt: 'hello',
    type: 'text',
    senderHint: '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f',
    sendAt: '2026-01-31T09:30:00.123Z',
    password: 'correct horse',
    apiKey: 'sk_live_abc',
    nested: { url: 'https://hooks.example/T0/secret', token: 7, count: 3 },
    from: 628123456789,
    events: ['message.sent', 'a text with blanks'],
    '628123456789': true,
  };
  expect(redacted(body)).toEqual({
    to: '628***789',
    text: '[17 characters]',
    txt: '[5 characters]',
    type: 'text',
    senderHint: body.senderHint,
    sendAt: body.sendAt,
    password: '[secret]',
    apiKey: '[secret]',
    nested: { url: '[31 characters]', token: '[secret]', count: 3 },
    from: '[number]',
    events: ['message.sent', '[18 characters]'],
    '628***789': true,
  });
});

test('of a field that is named as a secret is, nothing is kept, whatever stands in it', () => {
  const value = '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f';
  const names = ['webhookSecret', 'oldPassword', 'deviceToken', 'proxyAuthorization', 'sessionCookie', 'key'];
  const others = ['credentials', 'signature', 'apiKey', 'api_key', 'x-api-key', 'code'];
  const fields = Object.fromEntries([...names, ...others].map((name) => [name, value]));
  expect(new Set(Object.values(redacted(fields) as object))).toEqual(new Set(['[secret]']));
});

test('what is large or deep is cut', () => {
  const list = Array.from({ length: 100 }, (_, index) => index);
  expect(redacted({ list })).toEqual({ list: [...list.slice(0, 20), '[80 more]'] });
  expect(JSON.stringify(redacted(JSON.parse('[[[[[[[["deep"]]]]]]]]')))).toContain('[deeper]');
  const wide = Object.fromEntries(list.map((index) => [`field-${index}-${'x'.repeat(60)}`, 'text']));
  expect(redacted(wide)).toBe('[too large to be kept]');
});

test('a phone number within a sentence is shortened', () => {
  expect(redactedSentence('Nobody is there under 628123456789.')).toBe('Nobody is there under 628***789.');
});

test('of headers the names are kept, and nothing of what stands in them', () => {
  const kept = redacted({ headers: { 'X-Tenant': 'north', Authorization: ['Basic', 'b3JkZXJz'] } });
  expect(kept).toEqual({ headers: { 'X-Tenant': '[secret]', Authorization: '[secret]' } });
});
