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

/** What was counted and not told. */
export class GatheredCounts {
  readonly counts = new Map<string, number>();
  tellingSince: number | null = null;

  /** All of it, which is gone from here then. */
  takeAll(): Counts {
    const counts: Counts = Object.fromEntries(this.counts);
    this.counts.clear();
    return counts;
  }
}

/** Of the objects and requests of this isolate together. It is lost with the isolate. */
const ofThisIsolate = new GatheredCounts();

/**
 * Counts in memory and reports to the fleet now and then, in one call for everything that the isolate has counted meanwhile.
 * There is no row and no call for each message. If a call fails, its counts are dropped: it is unknown whether they arrived,
 * and counting twice is worse than not at all.
 */
export function countingFor(
  env: Pick<Env, 'BRIDGE_FLEET'>,
  waitUntil: (work: Promise<unknown>) => void,
  by: keyof typeof gatherLimits,
  gathered = ofThisIsolate,
): Counting {
  const add = (key: string, more: number) => {
    gathered.counts.set(key, (gathered.counts.get(key) ?? 0) + more);
    const now = Date.now();
    if (gathered.tellingSince !== null && Math.abs(now - gathered.tellingSince) < forgottenMs) return;
    gathered.tellingSince = now;
    waitUntil(tell(env, gathered, now, gatherLimits[by]));
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

async function tell(
  env: Pick<Env, 'BRIDGE_FLEET'>,
  gathered: GatheredCounts,
  since: number,
  gatherMs: number,
): Promise<void> {
  const isOver = () => {
    if (gathered.tellingSince === since) gathered.tellingSince = null;
  };
  try {
    await scheduler.wait(gatherMs);
    const counts = gathered.takeAll();
    isOver();
    await fleetOf(env, null).addCounts(counts);
  } catch (error) {
    isOver();
    logFault('counts.not_told', error);
  }
}
