import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { poolOf } from '../account/account-fixture.ts';
import { StandInLogs } from '../stand-in-objects.ts';
import { definitionWith } from './campaign-stage.ts';

test('a campaign is there until the log knows of its end, and is deleted then', async () => {
  const { accountId } = await poolOf(1);
  const campaignId = newUuid();
  const logs = await StandInLogs.begin();
  logs.isAway = true;
  const campaign = env.CAMPAIGN.getByName(campaignId);
  await campaign.create(accountId, campaignId, definitionWith({ startAt: Date.now() + 3_600_000 }));
  await campaign.start();
  // Who repeats that it is to be made changes nothing.
  expect(await campaign.create(accountId, campaignId, definitionWith())).toMatchObject({
    status: 'scheduled',
  });
  await campaign.cancel();
  await expect(campaign.remove()).rejects.toThrow('could not be told');
  expect(await campaign.view()).toMatchObject({ status: 'cancelled' });
  logs.isAway = false;
  expect(await campaign.remove()).toEqual({ ok: true });
  expect(logs.of(accountId)).toMatchObject([{ kind: 'campaign.changed', change: 'finished', revision: 1 }]);
  expect(await campaign.view()).toBeNull();
});
