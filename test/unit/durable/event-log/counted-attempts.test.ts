import { expect, test } from 'vitest';
import { countAttempts } from '../../../../src/durable/event-log/deliveries/attempts/planned-attempt.ts';

const start = Date.UTC(2026, 10, 26, 12);

/** What is counted of an attempt that took two of the three seconds since its event. */
function counted(
  attempt: number,
  kind: 'delivered' | 'retry',
  more: { event?: string; range?: string } = {},
) {
  const told: unknown[] = [];
  const { event = 'message.sent', range = 'first' } = more;
  const planned = {
    order: { event, attempt },
    ...(attempt === 1 && event !== 'webhook.test'
      ? { event: { envelope: { timestamp: new Date(start).toISOString() } }, range: { kind: range } }
      : { event: null, range: null }),
  };
  const report = { attempt: { at: start + 1_000, durationMs: 2_000 }, verdict: { kind } };
  countAttempts(
    {
      count: (...of) => void told.push(of.filter((it) => it !== undefined)),
      observe: (...of) => void told.push(of),
    },
    [{ planned, report } as never],
  );
  return told;
}

test('attempts are counted by what came of them, later ones as such, and how late an event was where the first one arrived', () => {
  expect(counted(1, 'delivered')).toEqual([
    ['webhookAttempts', 'delivered'],
    ['webhookSeconds', 3_000],
  ]);
  expect(counted(1, 'retry')).toEqual([['webhookAttempts', 'retry']]);
  expect(counted(2, 'delivered')).toEqual([['webhookAttempts', 'delivered'], ['webhookRetries']]);
  // Neither a replay nor a test says anything about how late the traffic is.
  expect(counted(1, 'delivered', { range: 'replay' })).toEqual([['webhookAttempts', 'delivered']]);
  expect(counted(1, 'delivered', { event: 'webhook.test' })).toEqual([]);
});
