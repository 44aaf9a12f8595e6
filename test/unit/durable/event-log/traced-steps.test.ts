import { afterEach, expect, test, vi } from 'vitest';
import { logTraces } from '../../../../src/durable/event-log/intake/counted-facts.ts';
import { stepEvents } from '../../../../src/durable/event-log/intake/messages/message-events.ts';
import { acceptedMessage } from '../../../../src/durable/event-log/messages/logged-message.ts';
import { newMessageId } from '../../../../src/durable/new-ids.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const messageId = newMessageId();
const accepted = acceptedMessage({
  messageId,
  numberId: 'number-1',
  from: '15550000001',
  to: '628123456789',
  chatType: 'personal',
  content: { type: 'text', text: 'hello' },
  senderSource: 'pool',
  queuedAt: 0,
});
const untraced = { ...accepted, id: 1 };
const traced = { ...untraced, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

/** The lines that the log gets of these steps. */
function linesOf(message: typeof untraced, steps: Parameters<typeof stepEvents>[0]): unknown[] {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(JSON.parse(line)));
  logTraces('account-1', stepEvents(steps, message));
  return lines;
}

test('each step of a message that belongs to a trace is a line of the log that names it, receipts too', () => {
  const of = (step: string) => ({
    event: 'message.step',
    accountId: 'account-1',
    numberId: 'number-1',
    messageId,
    step,
    traceId,
  });
  expect(linesOf(traced, ['queued', 'sent', 'delivered', 'read'])).toMatchObject([
    of('queued'),
    of('sent'),
    of('delivered'),
    of('read'),
  ]);
  expect(linesOf(traced, ['failed'])).toMatchObject([of('failed')]);
});

test('a message without a trace writes no line', () => {
  expect(linesOf(untraced, ['queued', 'read'])).toEqual([]);
});
