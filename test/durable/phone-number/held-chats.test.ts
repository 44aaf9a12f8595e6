import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  changeSettings,
  inbound,
  newRecipient,
  news,
  noted,
  poolOf,
  sendRequest,
} from '../account/account-fixture.ts';
import { StandInLogs, StandInNumbers } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import { phoneNumber } from './fake-bridge.ts';

let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});
afterEach(() => {
  vi.useRealTimers();
});

const restricted = (revision: number) =>
  ({ revision, health: { status: 'restricted', reason: 'No new chats.', until: null } }) as const;

type Pool = Awaited<ReturnType<typeof poolOf>>;

async function accept({ account, keyHash }: Pool, to: string, text: string) {
  const sent = await account.send(sendRequest(keyHash, { to, content: { type: 'text', text } }));
  if (!sent.ok) throw new Error(sent.message);
  return sent.answer.messageId;
}

const textsGivenTo = (numberId: string) => numbers.givenTo(numberId).map(({ content }) => textOf(content));

describe('while a number may begin no new chats', () => {
  test('what follows to the same recipient does not overtake the message that begins the chat', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    await pool.account.hear(news(numberId, restricted(1_100)));
    const [held, known] = [newRecipient(), newRecipient()];
    await pool.account.hear(noted(numberId, inbound(known, Date.now())));
    await accept(pool, held, 'one');
    await accept(pool, held, 'two');
    await accept(pool, known, 'to somebody who wrote');
    await until(() => numbers.givenTo(numberId).length === 1);
    expect(textsGivenTo(numberId)).toEqual(['to somebody who wrote']);
    await pool.account.hear(news(numberId, { revision: 1_200, takenUpTo: numbers.takenUpTo(numberId) }));
    await until(() => numbers.givenTo(numberId).length === 3);
    expect(textsGivenTo(numberId).slice(1)).toEqual(['one', 'two']);
  });

  test('all that waits for somebody leaves in order once they have written themselves', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    await pool.account.hear(news(numberId, restricted(1_100)));
    const to = newRecipient();
    await accept(pool, to, 'one');
    await accept(pool, to, 'two');
    await pool.account.hear(noted(numberId, inbound(to, Date.now())));
    await accept(pool, to, 'three');
    await until(() => numbers.givenTo(numberId).length === 3);
    expect(textsGivenTo(numberId)).toEqual(['one', 'two', 'three']);
  });
});

describe('an opt-out', () => {
  test('is confirmed once where the account wants that, quietly, and nothing else goes there', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    const text = 'You will not hear from us again.';
    const optOut = { stopWords: ['STOP'], startWords: ['START'], confirmation: text };
    await changeSettings(pool.accountId, pool.account, { optOut });
    const to = newRecipient();
    await pool.account.hear(noted(numberId, inbound(to, Date.now(), 'please stop!')));
    await pool.account.hear(noted(numberId, inbound(to, Date.now(), 'Stop.')));
    await until(() => numbers.givenTo(numberId).length === 1);
    expect(numbers.givenTo(numberId)).toMatchObject([{ to, content: { text }, isQuiet: true }]);
    await until(() => logs.of(pool.accountId).length === 1);
    expect(logs.of(pool.accountId)).toMatchObject([{ kind: 'message.queued', message: { isQuiet: true } }]);
    expect(await pool.account.send(sendRequest(pool.keyHash, { to }))).toMatchObject({
      code: 'RECIPIENT_FILTERED',
    });
  });

  test('ends with the word to start again, also where the clock of its number was ahead', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    const to = newRecipient();
    const wrote = (text: string, at: number) => pool.account.hear(noted(numberId, inbound(to, at, text)));
    await wrote('STOP', Date.now() + 3_600_000);
    expect(await pool.account.send(sendRequest(pool.keyHash, { to }))).toMatchObject({
      code: 'RECIPIENT_FILTERED',
    });
    await wrote('START', Date.now());
    expect(await pool.account.send(sendRequest(pool.keyHash, { to }))).toMatchObject({ ok: true });
  });

  test('is answered by nothing where the account does not say what', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    const to = newRecipient();
    await pool.account.hear(noted(numberId, inbound(to, Date.now(), 'STOP')));
    const other = newRecipient();
    await accept(pool, other, 'to somebody else');
    await until(() => numbers.givenTo(numberId).length === 1);
    expect(numbers.givenTo(numberId)).toMatchObject([{ to: other }]);
  });
});

test('a number of the account is not written to, while it is linked', async () => {
  const pool = await poolOf(2);
  const [first = '', second = ''] = pool.numberIds;
  const own = newRecipient();
  await pool.account.hear(news(second, { revision: 1_100, phoneNumber: own }));
  const refused = await pool.account.send(sendRequest(pool.keyHash, { to: own }));
  expect(refused).toMatchObject({ code: 'RECIPIENT_FILTERED', details: [{ filter: 'ownNumber' }] });
  await pool.account.hear(news(second, { revision: 1_200, phoneNumber: own, state: 'logged_out' }));
  expect(await pool.account.send(sendRequest(pool.keyHash, { to: own }))).toMatchObject({ ok: true });
  expect(first).not.toBe('');
});

test('a number that was never made takes no batch, and says so', async () => {
  expect(await phoneNumber(newUuid()).take({ batchNumber: 1, messages: [] })).toEqual({
    takenUpTo: 0,
    room: 0,
    dailyRemaining: null,
  });
});
