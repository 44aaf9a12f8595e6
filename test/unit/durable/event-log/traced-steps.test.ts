import { afterEach, expect, test, vi } from 'vitest';
import type { Fact, OutboundRecord } from '../../../../src/durable/event-log/facts.ts';
import { logTraces, type ToldFact } from '../../../../src/durable/event-log/intake/counted-facts.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traced = { messageId: 'msg_1', numberId: 'number-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

/** What the log has taken of a message, and the events that came of it. */
const told = (fields: Partial<OutboundRecord>, events: string[]): ToldFact => ({
  fact: {
    kind: 'message.sent',
    at: 0,
    message: { ...fields, content: { type: 'text', text: 'hello' } },
  } as Fact,
  drafts: events.map((event) => ({ id: 'evt_1', event, data: {} }) as unknown as ToldFact['drafts'][number]),
});

test('each step of a message that belongs to a trace is a line of the log that names it, and a repeat is none', () => {
  const lines: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => lines.push(JSON.parse(line)));
  logTraces('account-1', [
    told(traced, ['message.queued', 'message.sent', 'number.changed']),
    told(traced, []),
  ]);
  const of = (step: string) => ({ event: 'message.step', accountId: 'account-1', step, traceId });
  expect(lines).toMatchObject([of('queued'), of('sent')]);
});

test('a message without a trace writes no line', () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {});
  logTraces('account-1', [told({ messageId: 'msg_2' }, ['message.queued'])]);
  expect(lines).not.toHaveBeenCalled();
});
