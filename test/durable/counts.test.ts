import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { fleetOf } from '../../src/durable/bridge-fleet/fleet-of.ts';
import { type Counts, counterKey, gatherLimits, histogramKeys } from '../../src/durable/counts/counted.ts';
import { countingFor, GatheredCounts } from '../../src/durable/counts/gathered-counts.ts';
import { SummedCounts } from '../../src/durable/counts/summed-counts.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import {
  failed,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
} from './event-log/event-log-fixture.ts';
import { until } from './until.ts';

const fleet = fleetOf(env, null);
const step = (name: string) => `heliograph_messages_total{step="${name}"}`;
const seconds = 'heliograph_message_sent_seconds';

const { objectMs } = gatherLimits;
beforeAll(() => {
  gatherLimits.objectMs = 50;
});
afterAll(() => {
  gatherLimits.objectMs = objectMs;
});

/** What was counted before, by other tests in this process too, is told. */
beforeEach(async () => {
  const marker = counterKey('webhookRetries', '');
  const { [marker]: before = 0 } = await fleet.counts();
  countingFor(env, () => {}, 'objectMs').count('webhookRetries');
  await until(async () => ((await fleet.counts())[marker] ?? 0) > before);
});

/** By how much figures have risen, once what was counted is told. */
async function risen(work: () => Promise<unknown>, isThere: (by: (key: string) => number) => boolean) {
  const before = await fleet.counts();
  await work();
  return until(async () => {
    const now = await fleet.counts();
    const by = (key: string) => (now[key] ?? 0) - (before[key] ?? 0);
    return isThere(by) && by;
  });
}

test('each step of a message counts once, however often it is told, and a sent one with its wait', async () => {
  const log = newLog();
  const [one, other] = [record(), record({ sendAt: start + 60_000 })];
  const facts = [queued(one), queued(other), sent(one, start + 4_000), failed(other), received()];
  const by = await risen(
    async () => {
      await log.take(facts);
      await log.take([...facts, receipt(one, 'read')]);
    },
    (rise) => rise(step('read')) === 1,
  );
  expect(['queued', 'sent', 'delivered', 'read', 'failed', 'received'].map((name) => by(step(name)))).toEqual(
    [2, 1, 1, 1, 1, 1],
  );
  const bucket = (end: string) => by(`${seconds}_bucket{le="${end}"}`);
  expect([bucket('2.5'), bucket('5.0'), bucket('+Inf'), by(`${seconds}_count`)]).toEqual([0, 1, 1, 1]);
  expect(by(`${seconds}_sum`)).toBeCloseTo(4);
});

test('a message that was to be sent later has waited since then', async () => {
  const later = record({ sendAt: start + 60_000 });
  const by = await risen(
    () => newLog().take([queued(later), sent(later, start + 61_000)]),
    (rise) => rise(`${seconds}_count`) === 1,
  );
  expect(by(`${seconds}_sum`)).toBeCloseTo(1);
});

test('no figure that was shown ever falls, also when the fleet loses its memory', async () => {
  const key = step('sent');
  await fleet.addCounts({ [key]: 5 });
  const shown = (await fleet.counts())[key] ?? 0;
  await fleet.addCounts({ [key]: 2 });
  await evictDurableObject(fleet);
  expect((await fleet.counts())[key]).toBe(shown);
  await fleet.addCounts({ [key]: 1 });
  expect((await fleet.counts())[key]).toBe(shown + 1);
});

test('a time counts in the bucket that ends at it, and one that a clock makes negative as none', async () => {
  const { buckets, count, sum } = histogramKeys('acceptSeconds');
  const counting = countingFor(env, () => {}, 'objectMs');
  const by = await risen(
    async () => {
      for (const ms of [250, -1_000]) counting.observe('acceptSeconds', ms);
    },
    (rise) => rise(count) === 2,
  );
  expect(buckets.map(by)).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
  expect(by(sum)).toBeCloseTo(0.25);
});

test('what could not be told is told no more, what comes after it at once, and for whoever ends before telling somebody else does', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const key = counterKey('webhookRetries', '');
  const told: (number | undefined)[] = [];
  const works: Promise<unknown>[] = [];
  let isAway = true;
  const addCounts = async (counts: Counts) => {
    told.push(counts[key]);
    if (isAway) throw new Error('the fleet is away');
  };
  const own = { BRIDGE_FLEET: { getByName: () => ({ addCounts }) } } as unknown as Pick<Env, 'BRIDGE_FLEET'>;
  const counting = countingFor(own, (work) => void works.push(work), 'objectMs', new GatheredCounts());
  const countOne = async () => {
    counting.count('webhookRetries');
    await Promise.all(works);
  };
  await countOne();
  isAway = false;
  await countOne();
  expect(told).toEqual([1, 1]);
  vi.spyOn(scheduler, 'wait').mockReturnValueOnce(new Promise(() => {}));
  counting.count('webhookRetries');
  works.length = 0;
  await countOne();
  expect(told).toEqual([1, 1]);
  vi.setSystemTime(Date.now() + 10_000);
  await countOne();
  expect(told).toEqual([1, 1, 3]);
});

test('what was counted is stored every ten seconds, whether somebody looks or not', async () => {
  await runInDurableObject(env.BRIDGE_FLEET.getByName(newUuid()), (_, { storage: { sql } }) => {
    const sums = new SummedCounts(sql);
    const now = Date.now();
    const stored = [0, 9_999, 10_000].map((ms) => {
      sums.add({ some: 1 }, now + ms);
      return new SummedCounts(sql).shown(now + ms);
    });
    expect(stored).toEqual([{ some: 1 }, { some: 1 }, { some: 3 }]);
  });
});
