import { beforeEach, expect, test } from 'vitest';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { addSenders, banned, newRecipient, news, poolOf, sendRequest } from './account-fixture.ts';

let numbers: StandInNumbers;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  await StandInLogs.begin();
});

test('a campaign is told of the numbers of the pool, or of those that it names, and of no others', async () => {
  const { accountId, account, numberIds } = await poolOf(2);
  const [outside = ''] = await addSenders(accountId, 1, { inPool: false });
  const told = async (named: readonly string[] | null) =>
    (await account.campaignOutlook(named)).numbers.map(({ numberId }) => numberId).toSorted();
  expect(await told(null)).toEqual(numberIds.toSorted());
  const named = [outside, numberIds[0] ?? ''];
  expect(await told(named)).toEqual(named.toSorted());
});

test('a campaign is told why a number sends nothing now, and what waits for it', async () => {
  const { account, keyHash, numberIds } = await poolOf(3);
  const [gone = '', mute = '', well = ''] = numberIds;
  await account.hear(news(gone, banned));
  numbers.unreachable.add(mute);
  const to = newRecipient();
  expect(await account.send(sendRequest(keyHash, { to, senderHint: mute }))).toMatchObject({ ok: true });
  const outlook = await until(async () => {
    const { numbers: told } = await account.campaignOutlook([gone, mute, well]);
    const hindrances = new Map(told.map(({ numberId, hindrance }) => [numberId, hindrance]));
    return hindrances.get(mute) ? { told, hindrances } : null;
  });
  expect(Object.fromEntries(outlook.hindrances)).toEqual({
    [gone]: 'The network banned the number.',
    [mute]: 'The number does not answer for the moment.',
    [well]: null,
  });
  expect(outlook.told.find(({ numberId }) => numberId === mute)).toMatchObject({ waiting: 1 });
});
