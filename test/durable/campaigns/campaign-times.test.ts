import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setUsed } from '../account/account-fixture.ts';
import { until } from '../until.ts';
import { campaignFor, takenBy } from './campaign-stage.ts';

type Stage = Awaited<ReturnType<typeof campaignFor>>;
const limit = Number(env.FREE_PLAN_MESSAGES);

/** A stage whose clock the test sets: the alarms are rung by {@link pass}. */
async function stageAt(time: string, ...input: Parameters<typeof campaignFor>): Promise<Stage> {
  const stage = await campaignFor(...input);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
  onTestFinished(() => {
    vi.useRealTimers();
    for (const network of stage.networks) network.close();
  });
  return stage;
}

/** A second goes by for everybody. */
async function pass(stage: Stage): Promise<void> {
  vi.setSystemTime(Date.now() + 1_000);
  await runDurableObjectAlarm(stage.campaign());
  await runDurableObjectAlarm(stage.account);
  for (const { numberId } of stage.senders) {
    await runDurableObjectAlarm(env.PHONE_NUMBER.getByName(numberId));
  }
}

/** Seconds go by until that holds. */
const passUntil = (stage: Stage, holds: (view: Awaited<ReturnType<Stage['view']>>) => boolean) =>
  until(async () => {
    const view = await stage.view();
    if (holds(view)) return view;
    await pass(stage);
    return false;
  });

test('a campaign whose quota is used up waits for the new month, over an eviction, and then goes to those who are left', async () => {
  const stage = await stageAt('2031-01-31T23:40:00Z', 30, 1);
  await setUsed(stage.account, limit - 10);
  await stage.campaign().start();
  const waiting = await passUntil(stage, ({ hold }) => hold?.reason === 'quota');
  expect(waiting.hold?.until).toBe(Date.parse('2031-02-01T00:00:00Z'));
  await passUntil(stage, ({ counts }) => counts.queued === 0);
  expect((await stage.view()).counts).toMatchObject({ sent: 10, pending: 20, failed: 0 });
  vi.setSystemTime(Date.parse('2031-01-31T23:59:55Z'));
  await evictDurableObject(stage.campaign());
  await pass(stage);
  expect(takenBy(stage.networks)).toHaveLength(10);
  vi.setSystemTime(Date.parse('2031-02-01T00:00:05Z'));
  const { counts } = await passUntil(stage, ({ status }) => status === 'finished');
  expect(counts).toMatchObject({ recipients: 30, sent: 30, failed: 0, skipped: 0 });
  expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
});

test('a campaign with hours begins by the clocks of its zone, also in the night in which they are changed', async () => {
  // On this Sunday it is 03:00 in Berlin one second after 01:59:59: half past two does not exist.
  const window = { days: ['sunday' as const], from: '02:30', to: '05:00', timeZone: 'Europe/Berlin' };
  const stage = await stageAt('2031-03-29T22:00:00Z', 12, 1, { window });
  await stage.campaign().start();
  const waiting = await passUntil(stage, ({ hold }) => hold?.reason === 'window');
  expect(new Date(waiting.hold?.until ?? 0).toISOString()).toBe('2031-03-30T01:00:00.000Z');
  vi.setSystemTime(Date.parse('2031-03-30T00:59:50Z'));
  await evictDurableObject(stage.campaign());
  await pass(stage);
  expect(takenBy(stage.networks)).toEqual([]);
  vi.setSystemTime(Date.parse('2031-03-30T01:00:01Z'));
  await passUntil(stage, ({ status }) => status === 'finished');
  expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
});
