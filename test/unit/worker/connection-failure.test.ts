import { expect, test } from 'vitest';
import { attemptWords } from '../../../src/worker/features/webhooks/delivery/attempt.ts';
import { connectionFailure } from '../../../src/worker/features/webhooks/delivery/callback.ts';

test.each([
  ['Network connection lost.', 'https://a.example/', 'nothing listens there'],
  [
    'internal error; reference = 477ehe3rpj5mrtte1or21t5u',
    'https://a.example/',
    'certificate is not trusted',
  ],
  [
    'internal error; reference = 477ehe3rpj5mrtte1or21t5u',
    'http://a.example/',
    'name of the host is not known',
  ],
])('of "%s" from %s a person reads what failed, and no word of the runtime', (message, url, words) => {
  const sentence = connectionFailure(new Error(message), url);
  expect(sentence).toContain(words);
  expect(sentence).not.toContain('reference');
});

test('what nobody knows is said as that', () => {
  expect(connectionFailure(new Error('else'), 'https://a.example/')).toBe('The connection failed.');
  expect(connectionFailure('thrown', 'https://a.example/')).toBe('The connection failed.');
});

test('a status with which the platform says what failed on the way says so in words', () => {
  const words = (statusCode: number) =>
    attemptWords(
      { kind: 'answered', statusCode },
      null,
      { kind: 'retry', delaySeconds: 30 } as Parameters<typeof attemptWords>[2],
      1,
      'delivery',
    );
  expect(words(526)).toBe('The receiver answered 526: the certificate is not trusted.');
  expect(words(530)).toBe('The receiver answered 530: the name of the host is not known.');
  expect(words(500)).toBe('The receiver answered 500.');
});
