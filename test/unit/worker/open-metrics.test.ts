import { expect, test } from 'vitest';
import { counterKey, histogramKeys } from '../../../src/durable/counts/counted.ts';
import { countFamilies } from '../../../src/worker/metrics/count-families.ts';
import { openMetricsText } from '../../../src/worker/metrics/open-metrics.ts';

test('figures are written as OpenMetrics text: families in one piece, labels escaped, an end that is said', () => {
  const text = openMetricsText([
    {
      kind: 'gauge',
      name: 'heliograph_bridge_resident_memory_bytes',
      unit: 'bytes',
      help: 'Memory, as "said" last.',
      samples: [
        { labels: { bridge_id: 'a', name: 'rack "4"\\\nleft' }, value: 268_435_456 },
        { labels: { bridge_id: 'b', name: '' }, value: 0.5 },
      ],
    },
    { kind: 'gauge', name: 'heliograph_numbers', help: 'Numbers.', samples: [{ value: 3 }] },
    { kind: 'gauge', name: 'heliograph_bridges', help: 'None that is known.', samples: [] },
  ]);
  expect(text).toBe(
    [
      '# TYPE heliograph_bridge_resident_memory_bytes gauge',
      '# UNIT heliograph_bridge_resident_memory_bytes bytes',
      '# HELP heliograph_bridge_resident_memory_bytes Memory, as \\"said\\" last.',
      'heliograph_bridge_resident_memory_bytes{bridge_id="a",name="rack \\"4\\"\\\\\\nleft"} 268435456',
      'heliograph_bridge_resident_memory_bytes{bridge_id="b",name=""} 0.5',
      '# TYPE heliograph_numbers gauge',
      '# HELP heliograph_numbers Numbers.',
      'heliograph_numbers 3',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('what is counted is written as counters and histograms, also what has not happened yet', () => {
  const { buckets, count, sum } = histogramKeys('acceptSeconds');
  const counts = { [counterKey('messages', 'sent')]: 3, [`${buckets.at(-1)}`]: 2, [count]: 2, [sum]: 0.75 };
  const lines = openMetricsText(countFamilies(counts)).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE heliograph_messages counter',
      'heliograph_messages_total{step="sent"} 3',
      'heliograph_messages_total{step="failed"} 0',
      'heliograph_webhook_retries_total 0',
      '# TYPE heliograph_send_accept_seconds histogram',
      '# UNIT heliograph_send_accept_seconds seconds',
      'heliograph_send_accept_seconds_bucket{le="1.0"} 0',
      'heliograph_send_accept_seconds_bucket{le="+Inf"} 2',
      'heliograph_send_accept_seconds_count 2',
      'heliograph_send_accept_seconds_sum 0.75',
    ]),
  );
});

test('a status that nobody has named is counted with the others', () => {
  expect(counterKey('sendRequests', '418')).toBe('heliograph_send_requests_total{status="other"}');
});
