import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { failed, queued, record } from '../event-log/event-log-fixture.ts';
import { accountWithRules, rowsIn, runsOf, wrote } from './automation-fixture.ts';

const minuteMs = 60_000;
const [budi, dewi] = ['628123456789', '628123456790'];

/** An account with rules that answer a wait of ten minutes, and one of an hour; the test says what time it is. */
async function stage(...minutes: number[]) {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const rules = minutes.map((waitingMinutes) => ({ on: 'conversation.waiting' as const, waitingMinutes }));
  const { accountId, automationIds, log, numberId } = await accountWithRules(...rules);
  const begin = Date.now();
  return {
    accountId,
    numberId,
    log,
    begin,
    at: (minute: number) => vi.setSystemTime(begin + minute * minuteMs),
    wrote: (minute: number, from: string) =>
      log.take([wrote(numberId, 'hello?', { from, at: begin + minute * minuteMs })]),
    ring: () => runDurableObjectAlarm(logOf(env, accountId)),
    /** Whom each rule has answered, whoever has waited longest first. */
    answered: () =>
      Promise.all(
        automationIds.map(async (id) => {
          const runs = await runsOf(accountId, id);
          return runs.flatMap(({ ran, person }) => (ran ? [person] : [])).reverse();
        }),
      ),
  };
}

test('who has waited for long when their message arrives is answered, though others who began later were already', async () => {
  const account = await stage(10, 60);
  account.at(2);
  await account.wrote(2, budi);
  account.at(13);
  await account.ring();
  expect(await account.answered()).toEqual([[budi], []]);
  // The other's number was offline.
  account.at(20);
  await account.wrote(1, dewi);
  await evictDurableObject(account.log);
  await account.ring();
  expect(await account.answered()).toEqual([[dewi, budi], []]);
  expect(await rowsIn(account.accountId, 'late_waits')).toBe(0);
  account.at(63);
  await account.ring();
  expect(await account.answered()).toEqual([
    [dewi, budi],
    [dewi, budi],
  ]);
});

test('who waits again since the answer to them has failed is answered, though others who began later were already', async () => {
  const account = await stage(10);
  const { log, numberId, begin } = account;
  account.at(1);
  await account.wrote(1, budi);
  account.at(2);
  await account.wrote(2, dewi);
  const origin = { kind: 'person' as const, userId: newUuid() };
  const answer = record({ numberId, to: budi, queuedAt: begin + 2 * minuteMs, origin });
  await log.take([queued(answer)]);
  account.at(13);
  await account.ring();
  expect(await account.answered()).toEqual([[dewi]]);
  account.at(14);
  await log.take([failed(answer, begin + 14 * minuteMs)]);
  await account.ring();
  expect(await account.answered()).toEqual([[budi, dewi]]);
});

test('who had waited for long already when a rule was saved is not answered by it, also when that is known later', async () => {
  const account = await stage(10);
  account.at(1);
  await account.wrote(-11, budi);
  await account.wrote(-9, dewi);
  await account.ring();
  expect(await account.answered()).toEqual([[dewi]]);
  account.at(20);
  await account.ring();
  expect(await account.answered()).toEqual([[dewi]]);
});

test('who is answered before rules come to a wait that was known late waits no more', async () => {
  const account = await stage(10);
  const { log, numberId, begin } = account;
  account.at(20);
  const origin = { kind: 'person' as const, userId: newUuid() };
  const answer = queued(record({ numberId, to: budi, queuedAt: begin + 20 * minuteMs, origin }));
  await log.take([wrote(numberId, 'hello?', { from: budi, at: begin + minuteMs }), answer]);
  await account.ring();
  expect(await account.answered()).toEqual([[]]);
  expect(await rowsIn(account.accountId, 'late_waits')).toBe(0);
});
