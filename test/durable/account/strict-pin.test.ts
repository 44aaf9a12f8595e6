import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { addKey, at, disconnected, news, poolOf, rowsOf, sendRequest } from './account-fixture.ts';

test('a message of a strictly pinned key waits for its number until its time is over, then fails and says why, and is given back', async () => {
  const numbers = await StandInNumbers.begin();
  const logs = await StandInLogs.begin();
  const { accountId, account, numberIds } = await poolOf(2);
  const [pin = ''] = numberIds;
  const key = await addKey(accountId, { pinnedNumberId: pin, onPinFailure: 'strict' });
  await account.refresh();
  await account.hear(news(pin, { room: 0 }));
  const sent = await account.send(sendRequest(key));
  if (!sent.ok) throw new Error(sent.code);
  const { messageId } = sent.answer;
  await account.hear(news(pin, disconnected));
  numbers.forecast = { heldReason: 'not_connected', expectedAt: Date.now() };
  expect(await account.waiting(messageId, pin)).toEqual({ heldReason: 'not_connected', expectedAt: null });
  expect(await account.send(sendRequest(key))).toMatchObject({ code: 'SENDER_UNAVAILABLE' });
  const failed = () => logs.of(accountId).filter(({ kind }) => kind === 'message.failed');
  await at(Date.now() + 86_400_000 - 60_000, async () => await runDurableObjectAlarm(account));
  expect(failed()).toEqual([]);
  await at(Date.now() + 86_400_000 + 10_000, async () => await runDurableObjectAlarm(account));
  await until(() => failed().length > 0);
  expect(failed()).toMatchObject([
    {
      message: { messageId, numberId: pin },
      errorMessage: 'It could not be sent in time. The connection to the network was lost.',
    },
  ]);
  expect(await account.usage()).toMatchObject({ used: 0, byNumber: [], byDay: [] });
  expect(await rowsOf(account, 'accepted')).toBe(0);
  expect(numbers.givenTo(...numberIds)).toEqual([]);
});
