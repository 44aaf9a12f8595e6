import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { failed, queued, record } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import {
  accountWithRules,
  carriedOutByTests,
  changed,
  dryRule,
  evict,
  keepAlarmsStill,
  rowsIn,
  runsOf,
  stopClock,
  wrote,
} from './automation-fixture.ts';

carriedOutByTests();

describe('a wait', () => {
  const waiting = { on: 'conversation.waiting' as const, waitingMinutes: 10 };

  test('is answered once, when it has lasted so long, also when the log was evicted', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      ...waiting,
      actions: [{ type: 'set_priority', priority: 'urgent' }],
    });
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(599);
    await runDurableObjectAlarm(log);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toEqual([]);
    await evict(accountId);
    clock.pass(2);
    const ring = () => runDurableObjectAlarm(logOf(env, accountId));
    await ring();
    const conversation = await logOf(env, accountId).conversationOf({
      numberId,
      phoneNumber: '628123456789',
    });
    expect(conversation).toMatchObject({ priority: 'urgent' });
    clock.pass(600);
    await ring();
    expect(await runsOf(accountId, automationIds[0] ?? '')).toHaveLength(1);
  });

  test('is answered also where the rule gets another name in that moment: it is the same rule', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(waiting);
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(601);
    await env.DB.prepare("update automations set name = 'Late' where id = ?").bind(automationIds[0]).run();
    await changed(accountId);
    await runDurableObjectAlarm(log);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toHaveLength(1);
  });

  test('that has lasted so long already when a rule is saved is not answered by it', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      ...waiting,
      enabled: false,
    });
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(601);
    await env.DB.prepare('update automations set enabled = 1 where id = ?').bind(automationIds[0]).run();
    await changed(accountId);
    const from = '5511987654321';
    await log.take([wrote(numberId, 'and me?', { from })]);
    clock.pass(601);
    await runDurableObjectAlarm(log);
    const runs = await runsOf(accountId, automationIds[0] ?? '');
    expect(runs.map(({ person }) => person)).toEqual([from]);
  });

  test('is answered in time where the clock was set back, once, whether it began before that or after', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(waiting);
    const answered = async () => {
      await runDurableObjectAlarm(log);
      const runs = await runsOf(accountId, automationIds[0] ?? '');
      return runs
        .filter(({ ran }) => ran)
        .map(({ person }) => person)
        .sort();
    };
    const [first, second, third] = ['628111111111', '628122222222', '628133333333'];
    await log.take([wrote(numberId, 'one', { from: first })]);
    clock.pass(601);
    expect(await answered()).toEqual([first]);
    await log.take([wrote(numberId, 'two', { from: second })]);
    clock.pass(-3_600);
    expect(await answered()).toEqual([first, second]);
    await log.take([wrote(numberId, 'three', { from: third })]);
    clock.pass(599);
    expect(await answered()).toEqual([first, second]);
    clock.pass(2);
    expect(await answered()).toEqual([first, second, third]);
    clock.pass(3_600);
    expect(await answered()).toEqual([first, second, third]);
  });

  test('that a person has ended is not answered', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(waiting);
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(60);
    const origin = { kind: 'person' as const, userId: newUuid() };
    await log.take([queued(record({ numberId, queuedAt: Date.now(), origin }))]);
    clock.pass(601);
    await runDurableObjectAlarm(log);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toEqual([]);
  });
});

describe('rules that wait', () => {
  const waiting = { on: 'conversation.waiting' as const, waitingMinutes: 10 };
  const stopping = {
    ...waiting,
    actions: [{ type: 'note' as const, text: 'first' }, { type: 'stop' as const }],
  };

  test('are stopped by one before them for the same wait, where they wait as long', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(
      {
        ...waiting,
        conditions: [{ field: 'label', operator: 'equals', value: 'vip' }],
        actions: stopping.actions,
      },
      stopping,
      waiting,
      { ...waiting, waitingMinutes: 20 },
    );
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(601);
    await runDurableObjectAlarm(log);
    clock.pass(600);
    await runDurableObjectAlarm(log);
    const runs = await Promise.all(automationIds.map((id) => runsOf(accountId, id)));
    expect(runs).toMatchObject([
      [{ ran: false, reason: 'condition' }],
      [{ ran: true }],
      [{ ran: false, reason: 'stopped', stoppedBy: automationIds[1] }],
      // A wait that has lasted longer is another event.
      [{ ran: true }],
    ]);
  });

  test('are asked together, also where one was saved when the wait had begun already', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(
      { ...stopping, enabled: false },
      waiting,
    );
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(300);
    await env.DB.prepare('update automations set enabled = 1 where id = ?').bind(automationIds[0]).run();
    await changed(accountId);
    clock.pass(301);
    await runDurableObjectAlarm(log);
    const runs = await Promise.all(automationIds.map((id) => runsOf(accountId, id)));
    expect(runs).toMatchObject([[{ ran: true }], [{ ran: false, reason: 'stopped' }]]);
  });

  test('are followed at once by those that answer what they have changed', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules(
      { ...waiting, actions: [{ type: 'label', add: ['late'] }] },
      { on: 'conversation.updated', actions: [{ type: 'set_priority', priority: 'urgent' }] },
    );
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(601);
    await runDurableObjectAlarm(log);
    keepAlarmsStill();
    await until(async () => (await runsOf(accountId, automationIds[1] ?? '')).some(({ ran }) => ran));
  });

  test('are tried together on what has happened', async () => {
    const clock = stopClock();
    const { automationIds, log, numberId } = await accountWithRules(stopping, waiting);
    await log.take([wrote(numberId, 'hello?')]);
    clock.pass(601);
    const tried = { ...dryRule, ...waiting, automationId: automationIds[1] ?? '' };
    const stopped = await log.dryRunAutomation(tried, 0);
    expect(stopped.data).toMatchObject([{ runs: false, reason: 'stopped', stoppedBy: automationIds[0] }]);
    const shorter = await log.dryRunAutomation({ ...tried, waitingMinutes: 5 }, 0);
    expect(shorter.data).toMatchObject([{ runs: true }]);
  });
});

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
