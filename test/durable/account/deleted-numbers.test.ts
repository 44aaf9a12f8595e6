import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { numbers as numbersTable } from '../../../src/database/schema.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { db, newRecipient, news, noted, poolOf, rowsOf, sendRequest } from './account-fixture.ts';

let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});

const restricted = { status: 'restricted', reason: 'No new chats.', until: null } as const;

/** Two numbers, and messages for the first, which begin chats. */
async function newChats({ room }: { room: number }) {
  const pool = await poolOf(2);
  const [lost = '', other = ''] = pool.numberIds;
  await pool.account.hear(news(lost, { room }));
  const send = async (senderHint: string | null = lost) => {
    const sent = await pool.account.send(sendRequest(pool.keyHash, { to: newRecipient(), senderHint }));
    if (!sent.ok) throw new Error(sent.code);
    return sent.answer;
  };
  const messageIds = [(await send()).messageId, (await send()).messageId];
  const deleteLost = async () => {
    await db.delete(numbersTable).where(eq(numbersTable.id, lost));
    await pool.account.refresh();
  };
  const waitAt = async (numberId: string, count: number) =>
    until(async () => (await pool.account.senderLoads())[numberId]?.waiting === count);
  const failed = () => logs.of(pool.accountId).filter(({ kind }) => kind === 'message.failed');
  return { ...pool, lost, other, send, messageIds, deleteLost, waitAt, failed };
}

describe('new chats of a number that is deleted', () => {
  test('wait with another that is restricted, as what is sent now does', async () => {
    const { account, lost, other, send, messageIds, deleteLost, waitAt, failed } = await newChats({
      room: 0,
    });
    await account.hear(news(other, { health: restricted, revision: 2_000 }));
    await deleteLost();
    await waitAt(other, 2);
    expect((await send(null)).numberId).toBe(other);
    expect(failed()).toEqual([]);
    await account.hear(news(other, { revision: 3_000 }));
    await until(() => numbers.givenTo(other).length === 3);
    expect(messageIds.map((messageId) => numbers.takersOf(messageId))).toEqual([[other], [other]]);
    expect(numbers.givenTo(lost)).toEqual([]);
  });

  test.each([
    ['is restricted', { health: restricted }],
    ['has used up its day', { dailyRemaining: 0 }],
  ])('wait with another that %s when the number gives them back', async (_, hindrance) => {
    const { account, lost, other, messageIds, deleteLost, waitAt, failed } = await newChats({ room: 10 });
    await until(() => numbers.givenTo(lost).length === 2);
    const [first, second] = numbers.givenTo(lost);
    if (!first || !second) throw new Error('there are two');
    await account.hear(news(other, { ...hindrance, revision: 2_000 }));
    await deleteLost();
    const deleted = { kind: 'returned', reason: 'deleted' } as const;
    await account.hear(noted(lost, { ...deleted, message: first }, { ...deleted, message: second }));
    await waitAt(other, 2);
    expect(failed()).toEqual([]);
    expect(await rowsOf(account, 'accepted')).toBe(2);
    await account.hear(news(other, { revision: 3_000 }));
    await until(() => numbers.givenTo(other).length === 2);
    expect(numbers.givenTo(other).map(({ messageId }) => messageId)).toEqual(messageIds);
  });

  test('fail where no number is left that could take them', async () => {
    const { account, accountId, other, messageIds, deleteLost, failed } = await newChats({ room: 0 });
    await account.hear(news(other, { state: 'logged_out', revision: 2_000 }));
    await deleteLost();
    await until(() => failed().length === 2);
    expect(failed()).toMatchObject(
      messageIds.map((messageId) => ({
        message: { messageId },
        errorMessage: 'The number was deleted.',
      })),
    );
    expect(logs.of(accountId)).toHaveLength(4);
    expect(await account.usage()).toMatchObject({ used: 0 });
  });
});
