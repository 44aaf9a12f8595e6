import { expect, test } from 'vitest';
import { refuse } from '../../../src/contract/errors.ts';
import { resultOf } from '../../../src/worker/features/alerts/sending/attempt.ts';
import { sendByWhatsapp } from '../../../src/worker/features/alerts/sending/channel-senders.ts';

const answered = (statusCode: number, responseSnippet: string | null = null) =>
  resultOf({ outcome: { kind: 'answered', statusCode }, responseSnippet, reason: null }, 'Slack');

test.each([408, 429, 500, 503])('a channel that answers %i is tried again', (status) => {
  expect(answered(status)).toMatchObject({ outcome: 'retry', statusCode: status });
});

test.each([301, 400, 401, 403, 404, 410])('a channel that answers %i is not tried again', (status) => {
  expect(answered(status)).toMatchObject({ outcome: 'failed', statusCode: status });
});

test('a chat app is left alone for as long as it says, and no moment less', () => {
  const wait = (seconds: string) => answered(429, `{"retry_after": ${seconds}}`).retryAfterSeconds;
  expect([wait('7'), wait('0.3')]).toEqual([7, 1]);
});

test.each([
  ['SENDER_UNAVAILABLE', 'retry'],
  ['NO_HEALTHY_SENDER', 'retry'],
  ['RATE_LIMITED', 'retry'],
  ['INTERNAL', 'retry'],
  ['QUOTA_EXCEEDED', 'failed'],
] as const)('a WhatsApp alert that the account refuses with %s: %s', async (code, outcome) => {
  const account = {
    senders: async () => ({ a: { state: 'connected', health: { status: 'healthy' } } }),
    sendAs: async () => refuse(code, 'Not now.'),
  };
  const sent = await sendByWhatsapp({
    env: { ACCOUNT: { getByName: () => account } } as never,
    accountId: 'account',
    order: { channel: { shownTarget: { to: '628123456789', numberId: null } }, alerts: [] } as never,
    secret: {},
    text: { subject: 'A number was banned.', lines: [], more: 0, link: null },
    isTest: false,
  });
  expect(sent).toMatchObject({ outcome, error: 'Not now.' });
});
