import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StandInLogs, StandInNumbers } from '../../stand-in-objects.ts';
import { until } from '../../until.ts';
import {
  addSenders,
  at,
  changeSettings,
  disconnected,
  newRecipient,
  news,
  poolOf,
  rowsOf,
  sendRequest,
} from '../account-fixture.ts';

const hourMs = 3600_000;
let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});
afterEach(() => {
  vi.useRealTimers();
});

type Pool = Awaited<ReturnType<typeof poolOf>>;

async function accept({ account, keyHash }: Pool, more: Parameters<typeof sendRequest>[1]) {
  const sent = await account.send(sendRequest(keyHash, more));
  if (!sent.ok) throw new Error(sent.message);
  return sent.answer;
}

describe('a message with sendAt', () => {
  test('does not leave before its time, and leaves then, also when the account slept meanwhile', async () => {
    const pool = await poolOf(1);
    const sendAt = Date.now() + hourMs;
    const to = newRecipient();
    const { messageId, numberId } = await accept(pool, { to, sendAt });
    const prompt = await accept(pool, { to });
    await until(() => numbers.takersOf(prompt.messageId).length === 1);
    const next = await accept(pool, { to });
    await until(() => numbers.takersOf(next.messageId).length === 1);
    expect(await pool.account.waiting(messageId, numberId)).toEqual({
      heldReason: 'scheduled',
      expectedAt: sendAt,
    });
    await evictDurableObject(pool.account);
    await at(sendAt - 1_000, () => runDurableObjectAlarm(pool.account));
    expect(numbers.takersOf(messageId)).toEqual([]);
    await at(sendAt, async () => {
      await runDurableObjectAlarm(pool.account);
      await until(() => numbers.takersOf(messageId).length === 1);
    });
    // The one that left at once has begun the chat.
    expect(numbers.givenTo(numberId)).toMatchObject([
      { messageId: prompt.messageId, isNewChat: true },
      { messageId: next.messageId, isNewChat: false },
      { messageId, isNewChat: false },
    ]);
    expect(await rowsOf(pool.account, 'accepted')).toBe(0);
  });

  test('is told of as it was sent, with its time and its reference', async () => {
    const pool = await poolOf(1);
    const sendAt = Date.now() + hourMs;
    const { messageId } = await accept(pool, { to: newRecipient(), sendAt, clientReference: 'order-1042' });
    await until(() => logs.of(pool.accountId).length === 1);
    expect(logs.of(pool.accountId)).toMatchObject([
      { kind: 'message.queued', message: { messageId, sendAt, clientReference: 'order-1042' } },
    ]);
  });

  test('lives as long after its time as others after they were accepted', async () => {
    const pool = await poolOf(1);
    const now = Date.now();
    const sendAt = now + 20 * 24 * hourMs;
    await pool.account.hear(news(pool.numberIds[0] ?? '', { room: 0, revision: 1_500 }));
    const { messageId } = await accept(pool, { to: newRecipient(), sendAt });
    const prompt = await accept(pool, { to: newRecipient() });
    const failed = () =>
      logs
        .of(pool.accountId)
        .flatMap((fact) => (fact.kind === 'message.failed' ? [fact.message.messageId] : []));
    await at(sendAt + 1_000, async () => {
      await runDurableObjectAlarm(pool.account);
      await until(() => failed().includes(prompt.messageId));
    });
    expect(failed()).not.toContain(messageId);
    await at(sendAt + 31 * 24 * hourMs, async () => {
      await runDurableObjectAlarm(pool.account);
      await until(() => failed().includes(messageId));
    });
    expect(logs.of(pool.accountId).at(-1)).toMatchObject({ kind: 'message.failed', errorCode: 'expired' });
  });

  test('is expected at its time, or when its number can send it where that is later', async () => {
    const { account, keyHash } = await poolOf(1);
    const sendAt = Date.now() + hourMs;
    const expected = async (expectedAt: number) => {
      numbers.forecast = { expectedAt, heldReason: null };
      const dry = await account.dryRun(sendRequest(keyHash, { to: newRecipient(), sendAt }));
      return dry.ok && dry.dryRun.expectedAt;
    };
    expect(await expected(sendAt - 60_000)).toBe(sendAt);
    expect(await expected(sendAt + 60_000)).toBe(sendAt + 60_000);
  });

  test('goes through another number when its own is gone by then', async () => {
    const pool = await poolOf(1);
    await changeSettings(pool.accountId, pool.account, { rerouteAfterMs: 0 });
    const sendAt = Date.now() + hourMs;
    const { messageId, numberId } = await accept(pool, { to: newRecipient(), sendAt });
    const [other] = await addSenders(pool.accountId, 1);
    await pool.account.hear(news(numberId, disconnected));
    await at(sendAt, async () => {
      await runDurableObjectAlarm(pool.account);
      await until(async () => {
        await runDurableObjectAlarm(pool.account);
        return numbers.takersOf(messageId).length === 1;
      });
    });
    expect(numbers.takersOf(messageId)).toEqual([other]);
  });
});
