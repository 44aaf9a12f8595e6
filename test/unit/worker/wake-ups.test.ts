import { afterEach, expect, test, vi } from 'vitest';
import { consumeDeadLetters, handleWakeUps } from '../../../src/worker/handle-wake-ups.ts';

afterEach(() => void vi.restoreAllMocks());

/** A wake-up, and what became of it. */
function wakeUp(accountId: string, webhookId: string) {
  const outcomes: string[] = [];
  const settle = (outcome: string) => () => void outcomes.push(outcome);
  return { body: { accountId, webhookId }, outcomes, ack: settle('ack'), retry: settle('retry') };
}

test('an account gets all its wake-ups in one call, and one that fails has its own again alone', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const messages = [wakeUp('well', '1'), wakeUp('failing', '2'), wakeUp('well', '3')];
  const asked: [string, string[]][] = [];
  const batch = { messages } as unknown as MessageBatch<{ accountId: string; webhookId: string }>;
  await handleWakeUps(batch, 'not_handled', async (accountId, wakeUps) => {
    asked.push([accountId, wakeUps.map(({ webhookId }) => webhookId)]);
    if (accountId === 'failing') throw new Error('the log is away');
  });
  expect(asked).toEqual([
    ['well', ['1', '3']],
    ['failing', ['2']],
  ]);
  expect(messages.map(({ outcomes }) => outcomes)).toEqual([['ack'], ['retry'], ['ack']]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'not_handled', accountId: 'failing', wakeUps: 1 },
  ]);
});

test('what a queue gives up is a line of the log each, with what it was for', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const messages = [
    { id: 'm1', attempts: 4, body: { accountId: 'a', webhookId: 'w' } },
    { id: 'm2', attempts: 4, body: { accountId: 'b', alertId: 'l' } },
  ];
  await consumeDeadLetters({ queue: 'heliograph-webhook-deliveries-dead', messages } as never);
  const queue = 'heliograph-webhook-deliveries-dead';
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'queue.dead_letter', queue, messageId: 'm1', attempts: 4, accountId: 'a', webhookId: 'w' },
    { event: 'queue.dead_letter', queue, messageId: 'm2', attempts: 4, accountId: 'b', alertId: 'l' },
  ]);
});
