import {
  type CounterName,
  type Counts,
  counted,
  counterKey,
  type HistogramName,
  histogramKeys,
} from '../../durable/counts/counted.ts';
import type { Family } from './open-metrics.ts';

/** Everything that the deployment counts, also what it has not met yet. */
export function countFamilies(counts: Counts): Family[] {
  return Object.entries(counted).map(([name, { kind, name: family, help }]) => {
    const isCounter = kind === 'counter';
    const keys = isCounter ? counterKeys(name as CounterName) : allKeys(name as HistogramName);
    const written = keys.map((key) => ({ key, value: counts[key] ?? 0 }));
    return { kind, name: family, help, written, ...(isCounter ? {} : { unit: 'seconds' as const }) };
  });
}

const counterKeys = (name: CounterName) => counted[name].values.map((value) => counterKey(name, value));

function allKeys(name: HistogramName): string[] {
  const { buckets, count, sum } = histogramKeys(name);
  return [...buckets, count, sum];
}
