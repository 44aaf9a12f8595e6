import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../until.ts';
import { campaignFor, takenBy } from './campaign-stage.ts';

test('a campaign goes on where it was when its object, or its account, is evicted again and again', async () => {
  const stage = await campaignFor(80, 2);
  onTestFinished(() => {
    for (const network of stage.networks) network.close();
  });
  await stage.campaign().start();
  let evictions = 0;
  await until(async () => {
    const { status } = await stage.view();
    if (status === 'finished') return true;
    await evictDurableObject(stage.campaign());
    if (evictions % 3 === 0) {
      await stage.account.senders();
      await evictDurableObject(stage.account);
    }
    evictions += 1;
    await runDurableObjectAlarm(stage.campaign());
    return false;
  });
  expect(evictions).toBeGreaterThan(1);
  expect((await stage.view()).counts).toMatchObject({ recipients: 80, sent: 80, failed: 0 });
  expect(takenBy(stage.networks).toSorted()).toEqual(stage.phoneNumbers);
});
