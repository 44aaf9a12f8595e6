import { beforeEach, expect, test } from 'vitest';
import { openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import { StandInLogs, StandInNumbers } from '../../stand-in-objects.ts';
import { addSenders, newRecipient, poolOf, sendRequest } from '../account-fixture.ts';

let numbers: StandInNumbers;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  await StandInLogs.begin();
});

type Pool = Awaited<ReturnType<typeof poolOf>>;

function sendTo({ account, keyHash }: Pool, ...recipients: string[]) {
  const items = recipients.map((to) => {
    const { keyHash: _, ...item } = sendRequest(keyHash, { to });
    return item;
  });
  return account.sendBatch({ keyHash, idempotencyKey: null, bodyHash: 'all', items });
}

test('recipients of a batch are looked up first where a number of the account wants that, and not the account', async () => {
  const pool = await poolOf(0);
  await addSenders(pool.accountId, 1, { filters: { ...openFilters, checkOnNetwork: true } });
  await addSenders(pool.accountId, 1, { inPool: false });
  const [there, missing] = [newRecipient(), newRecipient()];
  numbers.onNetwork = (phoneNumber) => phoneNumber === there;
  expect(await sendTo(pool, there, missing)).toMatchObject({
    items: [{ ok: true }, { code: 'RECIPIENT_NOT_ON_NETWORK' }],
  });
  expect(numbers.asked.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual([there, missing].toSorted());
});

test('a key that sends nothing but batches was used with the last of them', async () => {
  const pool = await poolOf(1);
  const before = Date.now();
  expect(await sendTo(pool, newRecipient())).toMatchObject({ ok: true });
  const [usedAt] = Object.values(await pool.account.keyUsage());
  expect(usedAt).toBeGreaterThanOrEqual(before);
});

test('a key that only tries sends out was used with the last of them', async () => {
  const { account, keyHash } = await poolOf(1);
  const before = Date.now();
  expect(await account.dryRun(sendRequest(keyHash, { to: newRecipient() }))).toMatchObject({ ok: true });
  const [usedAt] = Object.values(await account.keyUsage());
  expect(usedAt).toBeGreaterThanOrEqual(before);
});
