import { expect, test } from 'vitest';
import { openMetricsText } from '../../../src/worker/metrics/open-metrics.ts';

test('figures are written as OpenMetrics text: families in one piece, labels escaped, an end that is said', () => {
  const text = openMetricsText([
    {
      name: 'heliograph_bridge_resident_memory_bytes',
      unit: 'bytes',
      help: 'Memory, as "said" last.',
      samples: [
        { labels: { bridge_id: 'a', name: 'rack "4"\\\nleft' }, value: 268_435_456 },
        { labels: { bridge_id: 'b', name: '' }, value: 0.5 },
      ],
    },
    { name: 'heliograph_numbers', help: 'Numbers.', samples: [{ value: 3 }] },
    { name: 'heliograph_bridges', help: 'None that is known.', samples: [] },
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
