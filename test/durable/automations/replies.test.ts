import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { ActionReport } from '../../../src/durable/event-log/automations/actions/planned.ts';
import { PeopleRows, repliesAnHour } from '../../../src/durable/event-log/automations/runs/people-rows.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { WakeUps } from '../../../src/durable/event-log/wake-ups.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { queued, record } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import {
  accountWithRules,
  allRead,
  carriedOutByTests,
  carryOut,
  changed,
  evict,
  rowsIn,
  runsOf,
  stopClock,
  text,
  wrote,
} from './automation-fixture.ts';

carriedOutByTests();

describe('a reply', () => {
  test('that whoever took it never settled is handed out again under the same names', async () => {
    const clock = stopClock();
    const { accountId, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    const [first] = await log.takeAutomationActions(10);
    expect(await log.takeAutomationActions(10)).toEqual([]);
    await evict(accountId);
    const [second] = await logOf(env, accountId).takeAutomationActions(10);
    expect(second).toEqual(first);
    clock.pass(61);
    expect(await logOf(env, accountId).takeAutomationActions(10)).toEqual([first]);
  });

  test('does not wait for callbacks that are under way, and the queue is told of it', async () => {
    const { accountId, log, numberId } = await accountWithRules(
      {
        conditions: [text('contains', 'order')],
        actions: [{ type: 'call_webhook', url: 'https://hangs.example/' }],
      },
      { conditions: [text('contains', 'hello')] },
    );
    const kinds = async () => (await log.takeAutomationActions(6)).map(({ action }) => action.kind);
    for (let order = 0; order < 20; order += 1) await log.take([wrote(numberId, `order ${order}`)]);
    await allRead(accountId);
    expect(await kinds()).toEqual(Array(6).fill('call_webhook'));
    expect(await kinds()).toEqual([]);
    const wakeUp = vi.mocked(WakeUps.prototype.automations);
    wakeUp.mockClear();
    await log.take([wrote(numberId, 'hello', { from: '628123456780' })]);
    await allRead(accountId);
    expect(wakeUp).toHaveBeenCalledTimes(1);
    expect(await kinds()).toEqual(['reply']);
  });

  test('that may work later is put off, with those behind it in the same run', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      actions: [
        { type: 'reply', text: 'one' },
        { type: 'reply', text: 'two' },
      ],
    });
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    const later = { kind: 'again', afterSeconds: 20, reason: 'refused', words: 'No number.' } as const;
    expect(await carryOut(accountId, later)).toMatchObject([{ action: { text: 'one' }, attempt: 1 }]);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([
      { actions: [{ state: 'pending', reason: 'refused', words: 'No number.' }, { state: 'pending' }] },
    ]);
    clock.pass(21);
    expect(await carryOut(accountId)).toMatchObject([{ action: { text: 'one' }, attempt: 2 }]);
    expect(await carryOut(accountId)).toMatchObject([{ action: { text: 'two' }, attempt: 1 }]);
    expect(await rowsIn(accountId, 'automation_actions')).toBe(0);
  });

  test('that was tried once is tried again, however late', async () => {
    const clock = stopClock();
    const { accountId, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    await carryOut(accountId, { kind: 'again', afterSeconds: 60, reason: 'refused', words: 'No number.' });
    clock.pass(60 + 3_601);
    expect(await carryOut(accountId)).toMatchObject([{ attempt: 2 }]);
  });

  test.each([
    ['in this life', async () => {}],
    ['in the next life', evict],
  ])('waits no longer than it was meant to where the clock was set back: %s', async (_life, meanwhile) => {
    const clock = stopClock();
    const { accountId, log, numberId } = await accountWithRules({
      actions: [
        { type: 'reply', text: 'one' },
        { type: 'reply', text: 'two', delaySeconds: 90 },
      ],
    });
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    await carryOut(accountId, { kind: 'again', afterSeconds: 60, reason: 'refused', words: 'No number.' });
    clock.pass(-3_600);
    await meanwhile(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    clock.pass(59);
    expect(await carryOut(accountId)).toEqual([]);
    clock.pass(1);
    expect(await carryOut(accountId)).toMatchObject([{ action: { text: 'one' }, attempt: 2 }]);
    clock.pass(30);
    expect(await carryOut(accountId)).toMatchObject([{ action: { text: 'two' }, attempt: 1 }]);
  });

  test('that waits has its wake-up sent again where the clock was set back, in time', async () => {
    const clock = stopClock();
    const actions = [{ type: 'reply' as const, text: 'We are on it', delaySeconds: 60 }];
    const { accountId, log, numberId } = await accountWithRules({ actions });
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    clock.pass(-3_600);
    await runDurableObjectAlarm(log);
    const wakeUp = vi.mocked(WakeUps.prototype.automations);
    wakeUp.mockClear();
    clock.pass(60);
    await runDurableObjectAlarm(log);
    expect(wakeUp).toHaveBeenCalledTimes(1);
  });

  test('with a delay waits for it, and is dropped when a person has answered', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      actions: [{ type: 'reply', text: 'We are on it', delaySeconds: 60 }],
    });
    await log.take([wrote(numberId, 'hello')]);
    await log.take([wrote(numberId, 'hello', { from: '5511987654321' })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    clock.pass(30);
    const origin = { kind: 'person' as const, userId: newUuid() };
    await log.take([queued(record({ numberId, queuedAt: Date.now(), origin }))]);
    clock.pass(31);
    expect(await carryOut(accountId)).toMatchObject([{ action: { to: '5511987654321' } }]);
    const runs = await runsOf(accountId, automationIds[0] ?? '');
    expect(runs.find(({ person }) => person === '628123456789')).toMatchObject({
      actions: [{ state: 'skipped', reason: 'answered' }],
    });
  });

  test('that waits for somebody who is erased meanwhile is dropped, and not what waits for others', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      actions: [{ type: 'reply', text: 'We are on it', delaySeconds: 60 }],
    });
    const [erased, other] = ['628123456789', '5511987654321'];
    for (const from of [erased, other]) await log.take([wrote(numberId, 'hello', { from })]);
    await allRead(accountId);
    const [contact] = await log.contactsAt([erased]);
    await log.eraseContact(contact?.contactId ?? '', 0);
    await until(async () => (await rowsIn(accountId, 'automation_actions')) === 1);
    clock.pass(61);
    expect(await carryOut(accountId)).toMatchObject([{ action: { to: other } }]);
    const runs = await runsOf(accountId, automationIds[0] ?? '');
    expect(runs.find(({ person }) => person === '')).toMatchObject({
      actions: [{ state: 'skipped', reason: 'unknown' }],
    });
  });

  test('of a rule that was switched off meanwhile, or that nobody could begin in time, is dropped', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({}, {});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    await env.DB.prepare('update automations set enabled = 0 where id = ?').bind(automationIds[0]).run();
    await changed(accountId);
    clock.pass(3_601);
    expect(await carryOut(accountId)).toEqual([]);
    expect((await runsOf(accountId, automationIds[0] ?? ''))[0]?.actions).toMatchObject([
      { state: 'skipped', reason: 'switched_off' },
    ]);
    expect((await runsOf(accountId, automationIds[1] ?? ''))[0]?.actions).toMatchObject([
      { state: 'skipped', reason: 'expired' },
    ]);
  });

  test('without a delay goes out, also where a person answers in the same moment', async () => {
    const { accountId, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    const origin = { kind: 'person' as const, userId: newUuid() };
    await log.take([queued(record({ numberId, queuedAt: Date.now(), origin }))]);
    expect(await carryOut(accountId)).toHaveLength(1);
  });

  test('that was begun in time is made again, however late that is', async () => {
    const clock = stopClock();
    const { accountId, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    const later: ActionReport = { kind: 'again', afterSeconds: 60, reason: 'refused', words: 'Not now.' };
    expect(await carryOut(accountId, later)).toMatchObject([{ attempt: 1 }]);
    clock.pass(2 * 3_600);
    expect(await carryOut(accountId)).toMatchObject([{ attempt: 2 }]);
  });

  test('never answers a word that opts out', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'Stop!')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([
      { ran: true, actions: [{ state: 'skipped', reason: 'opt_out_word' }] },
    ]);
  });

  test('never answers a message that was written hours ago', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello', { at: Date.now() - 7 * 3_600_000 })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([{ ran: false, reason: 'late' }]);
  });

  test('goes to one person so often an hour: two machines that answer each other fall silent', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    let replies = 0;
    for (let turn = 0; turn < repliesAnHour + 5; turn += 1) {
      await log.take([wrote(numberId, `I am a machine, ${turn}`)]);
      await allRead(accountId);
      replies += (await carryOut(accountId)).length;
      clock.pass(10);
    }
    expect(replies).toBe(repliesAnHour);
    expect((await runsOf(accountId, automationIds[0] ?? ''))[0]?.actions).toMatchObject([
      { state: 'skipped', reason: 'reply_cap' },
    ]);
    await log.take([wrote(numberId, 'hello', { from: '5511987654321' })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
    clock.pass(3_600);
    await log.take([wrote(numberId, 'still there?')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
  });

  test('goes to one person so often an hour, also where a rule has several', async () => {
    stopClock();
    const several = Array.from({ length: 3 }, (_, index) => ({
      type: 'reply' as const,
      text: `Part ${index}`,
    }));
    const { accountId, log, numberId } = await accountWithRules({ actions: several });
    let replies = 0;
    for (let turn = 0; turn <= repliesAnHour / several.length; turn += 1) {
      await log.take([wrote(numberId, `Message ${turn}`)]);
      await allRead(accountId);
      for (let orders = 3; orders > 0; replies += orders) orders = (await carryOut(accountId)).length;
    }
    expect(replies).toBe(repliesAnHour);
  });

  test('never answers a number of the account itself', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    const other = '15550000002';
    await log.take([
      queued(record({ from: other, queuedAt: Date.now() })),
      wrote(numberId, 'hello', { from: other }),
    ]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([
      { ran: false, reason: 'own_number' },
    ]);
  });
});

describe('a wakeUp', () => {
  test('that the queue has lost rings again by the alarm', async () => {
    const clock = stopClock();
    const wakeUp = vi.mocked(WakeUps.prototype.automations);
    const { accountId, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    expect(wakeUp).toHaveBeenCalledTimes(1);
    await evict(accountId);
    clock.pass(31);
    await runDurableObjectAlarm(logOf(env, accountId));
    expect(wakeUp).toHaveBeenCalledTimes(2);
    expect(await carryOut(accountId)).toHaveLength(1);
    clock.pass(31);
    await runDurableObjectAlarm(logOf(env, accountId));
    expect(wakeUp).toHaveBeenCalledTimes(2);
  });
});

test('replies to somebody count once, also those from when only their alias was known', () =>
  runInDurableObject(logOf(env, newUuid()), (_, { storage }) => {
    const [people, now] = [new PeopleRows(storage.sql), Date.now()];
    people.note(['alias'], 'rule', 5, 0, now);
    // That one rule has run changes nothing of how long another one rests.
    for (const rule of ['one', 'other']) people.note(['alias'], rule, 0, 60_000, now);
    expect(people.lastRanAt('one', ['alias'])).toBe(now);
    for (const replies of [3, 2]) people.note(['628123456789', 'alias'], 'rule', replies, 0, now);
    expect(people.repliesLeft(['628123456789', 'alias'], now)).toBe(repliesAnHour - 10);
  }));
