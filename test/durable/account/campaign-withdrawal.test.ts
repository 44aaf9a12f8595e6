import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import type { Account } from '../../../src/durable/account/account.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { type AccountStub, newRecipient, news, noted, poolOf, rowsOf } from './account-fixture.ts';

let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});

async function accepted(account: AccountStub, count: number) {
  const campaignId = newUuid();
  const answers = await account.sendForCampaign(
    Array.from({ length: count }, (_, index) => ({
      campaignId,
      numberIds: null,
      to: newRecipient(),
      content: { type: 'text' as const, text: 'Spring' },
      idempotencyKey: `campaign:${campaignId}:${index}`,
    })),
  );
  return answers.map((answer) => {
    if (!answer.ok) throw new Error(answer.message);
    return answer;
  });
}

const withdraw = (account: AccountStub, messages: readonly { messageId: string; numberId: string }[]) =>
  account.withdraw(
    messages.map(({ messageId }) => messageId),
    messages.map(({ numberId }) => numberId),
  );

test('a campaign gets back what waits for any number, wherever it has moved', async () => {
  const { accountId, account, numberIds } = await poolOf(2);
  for (const numberId of numberIds) await account.hear(news(numberId, { room: 0 }));
  const messages = await accepted(account, 4);
  // As if each of them had been accepted for the other number, and has moved.
  const moved = messages.map(({ messageId, numberId }) => ({
    messageId,
    numberId: numberIds.find((one) => one !== numberId) ?? '',
  }));
  await withdraw(account, moved);
  expect(await rowsOf(account, 'accepted')).toBe(0);
  expect(await account.usage()).toMatchObject({ used: 0 });
  await until(() => logs.of(accountId).filter(({ kind }) => kind === 'message.failed').length === 4);
});

test('a message of a campaign is found by an index, however many wait', async () => {
  const { account } = await poolOf(1);
  const plan = await runInDurableObject<Account, string>(account, (_, { storage }) =>
    storage.sql
      .exec<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT number_id FROM accepted
           WHERE kind IN ('campaign.answer', 'campaign.ongoing', 'campaign.new') AND message_id = ?`,
        'a',
      )
      .toArray()
      .map(({ detail }) => detail)
      .join(),
  );
  expect(plan).toContain('accepted_campaign');
});

test('what a number has been given is asked back from it, and is not sent again when it comes', async () => {
  const { account } = await poolOf(1);
  const [message] = await accepted(account, 1);
  if (!message) throw new Error('nothing was accepted');
  const { messageId, numberId } = message;
  const given = await until(() => numbers.givenTo(numberId)[0]);
  await withdraw(account, [message]);
  expect(numbers.askedBack).toEqual([{ numberId, messageIds: [messageId] }]);
  await account.hear(noted(numberId, { kind: 'returned', message: given, reason: 'cancelled' }));
  expect(await rowsOf(account, 'accepted')).toBe(0);
  expect(await account.usage()).toMatchObject({ used: 0 });
  expect(numbers.takersOf(messageId)).toEqual([numberId]);
});

test('every number is asked for what it has been given, however many there are', async () => {
  const { account, numberIds } = await poolOf(8);
  const messages = await accepted(account, 8);
  expect(new Set(messages.map(({ numberId }) => numberId))).toEqual(new Set(numberIds));
  await until(() => numbers.givenTo(...numberIds).length === 8);
  await withdraw(account, messages);
  expect(numbers.askedBack.map(({ numberId }) => numberId).toSorted()).toEqual(numberIds.toSorted());
});
