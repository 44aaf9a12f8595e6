import { fleetOf } from '../bridge-fleet/fleet-of.ts';
import { logFault } from '../log.ts';
import {
  type CounterName,
  type Counts,
  counted,
  counterKey,
  gatherLimits,
  type HistogramName,
  histogramKeys,
} from './counted.ts';

/** Whoever was to tell and has not by then will not any more. */
const forgottenMs = 10_000;

/** Where something is counted. Never throws, and waits for nothing. */
export interface Counting {
  count(name: CounterName, value?: string): void;
  /** A time that something took; milliseconds. One that a clock makes negative counts as 0. */
  observe(name: HistogramName, ms: number): void;
}

/** What this isolate has counted and not told, its objects and requests together. It is lost with the isolate. */
const gathered = new Map<string, number>();
let tellingSince: number | null = null;

/**
 * Counts in memory and reports to the fleet now and then, in one call for everything that the isolate has counted meanwhile.
 * There is no row and no call for each message. If a call fails, its counts are dropped: it is unknown whether they arrived,
 * and counting twice is worse than not at all.
 */
export function countingFor(
  env: Pick<Env, 'BRIDGE_FLEET'>,
  waitUntil: (work: Promise<unknown>) => void,
  by: keyof typeof gatherLimits,
): Counting {
  const add = (key: string, more: number) => {
    gathered.set(key, (gathered.get(key) ?? 0) + more);
    const now = Date.now();
    if (tellingSince !== null && Math.abs(now - tellingSince) < forgottenMs) return;
    tellingSince = now;
    waitUntil(tell(env, now, gatherLimits[by]));
  };
  return {
    count: (name, value = '') => add(counterKey(name, value), 1),
    observe(name, ms) {
      const seconds = Math.max(0, ms) / 1000;
      const { buckets, count, sum } = histogramKeys(name);
      const ends: readonly number[] = counted[name].seconds;
      for (const [index, key] of buckets.entries()) {
        if (seconds <= (ends[index] ?? Number.POSITIVE_INFINITY)) add(key, 1);
      }
      add(count, 1);
      add(sum, seconds);
    },
  };
}

async function tell(env: Pick<Env, 'BRIDGE_FLEET'>, since: number, gatherMs: number): Promise<void> {
  try {
    await scheduler.wait(gatherMs);
    const counts: Counts = Object.fromEntries(gathered);
    gathered.clear();
    if (tellingSince === since) tellingSince = null;
    await fleetOf(env, null).addCounts(counts);
  } catch (error) {
    if (tellingSince === since) tellingSince = null;
    logFault('counts.not_told', error);
  }
}
