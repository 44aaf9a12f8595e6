import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PeopleRows } from '../../../src/durable/event-log/automations/runs/people-rows.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { WakeUps } from '../../../src/durable/event-log/wake-ups.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { queued, received, record, takeAll } from '../event-log/event-log-fixture.ts';
import { office } from '../support/support-fixture.ts';
import { accountWithRules, allRead, changed, rowsIn, wrote } from './automation-fixture.ts';

/** A Monday in Jakarta, three hours before the office opens. */
const early = Date.parse('2027-01-04T06:00:00+07:00');

// Here the test is who carries the actions out, and says what time it is.
beforeEach(() => {
  const wakeUps = vi.spyOn(WakeUps.prototype, 'automations').mockResolvedValue();
  vi.useFakeTimers({ toFake: ['Date'], now: early });
  onTestFinished(() => {
    wakeUps.mockRestore();
    vi.useRealTimers();
  });
});
const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000);

/** To whom replies go that are due. */
async function repliesOf(accountId: string): Promise<string[]> {
  const orders = await logOf(env, accountId).takeAutomationActions(100);
  return orders.flatMap(({ action }) => (action.kind === 'reply' ? action.to : []));
}

test('whether somebody has written within business hours is told by when they wrote, whenever that is asked', async () => {
  const { accountId, log, numberId } = await accountWithRules();
  await env.DB.prepare('insert into business_hours values (?, ?, ?, 0)')
    .bind(newUuid(), accountId, JSON.stringify(office))
    .run();
  await changed(accountId);
  await log.take([wrote(numberId, 'before nine')]);
  pass(6 * 3_600);
  await log.take([wrote(numberId, 'at noon')]);
  const rule = {
    ...{ automationId: '', name: 'Away', enabled: true, on: 'outside_hours' as const, waitingMinutes: null },
    ...{ inGroups: false, conditions: [], actions: [{ type: 'stop' as const }], cooldownSeconds: 0 },
  };
  const { data } = await log.dryRunAutomation(rule, 0);
  expect(data).toMatchObject([
    { text: 'at noon', runs: false, reason: 'inside_hours' },
    { text: 'before nine', runs: true },
  ]);
});

test('a reply with a delay is dropped when somebody has answered from the phone itself', async () => {
  const { accountId, log, numberId } = await accountWithRules({
    actions: [{ type: 'reply', text: 'We are on it', delaySeconds: 60 }],
  });
  const [answered, left] = ['628123456789', '5511987654321'];
  // What a person has written to them before is no answer.
  const origin = { kind: 'person' as const, userId: newUuid() };
  await log.take([queued(record({ numberId, to: left, origin, queuedAt: Date.now() - 3_600_000 }))]);
  for (const from of [answered, left]) await log.take([wrote(numberId, 'hello', { from })]);
  await allRead(accountId);
  pass(30);
  const fromPhone = { from: '15550000001', sentTo: answered, at: new Date().toISOString() };
  await log.take([received(fromPhone, numberId)]);
  pass(31);
  expect(await repliesOf(accountId)).toEqual([left]);
});

test('rules as they were before a change do not come back where they are read late', async () => {
  const { accountId, log, numberId } = await accountWithRules({});
  const set = async (enabled: 0 | 1, by: 1 | -1) => {
    await env.DB.batch([
      env.DB.prepare('update automations set enabled = ? where account_id = ?').bind(enabled, accountId),
      env.DB.prepare('update accounts set revision = revision + ? where id = ?').bind(by, accountId),
    ]);
    await log.refresh();
  };
  await set(0, 1);
  // A copy of the database that is behind.
  await set(1, -1);
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  expect(await repliesOf(accountId)).toEqual([]);
});

test('actions that somebody works on do not hold up those behind them', async () => {
  const { accountId, log, numberId } = await accountWithRules({});
  const people = ['5511987654321', '447700900123', '628123456789'];
  for (const from of people) await log.take([wrote(numberId, 'hello', { from })]);
  await allRead(accountId);
  const taken = async () => (await log.takeAutomationActions(2)).length;
  expect([await taken(), await taken(), await taken()]).toEqual([2, 1, 0]);
});

test('a page of runs has one more than was asked for where there is another page', async () => {
  const { accountId, automationIds, log, numberId } = await accountWithRules({});
  for (const said of ['one', 'two']) await log.take([wrote(numberId, said)]);
  await allRead(accountId);
  const page = (limit: number) => log.automationRuns(automationIds[0] ?? '', limit, null, null);
  expect([await page(1), await page(2)].map(({ length }) => length)).toEqual([2, 2]);
});

test('each page of the runs of a rule that ran has none that did not', async () => {
  const conditions = [{ field: 'text' as const, operator: 'contains' as const, value: 'price' }];
  const { accountId, automationIds, log, numberId } = await accountWithRules({ conditions });
  for (const said of ['price?', 'hello', 'price please']) {
    await log.take([wrote(numberId, said)]);
    await allRead(accountId);
    pass(1);
  }
  const page = (before: string | null) => log.automationRuns(automationIds[0] ?? '', 1, before, true);
  const [latest, first] = await page(null);
  expect(await log.automationRuns(automationIds[0] ?? '', 10, null, false)).toHaveLength(1);
  expect(await page(latest?.runId ?? '')).toEqual([first]);
});

test('a rule runs once for a message, however much of what follows from it the rule answers', async () => {
  const { accountId, log, numberId } = await accountWithRules(
    {
      actions: [
        { type: 'label', add: ['lead'] },
        { type: 'set_priority', priority: 'high' },
      ],
    },
    {
      on: 'conversation.updated',
      conditions: [{ field: 'label', operator: 'equals', value: 'lead' }],
      actions: [{ type: 'note', text: 'Look at this' }],
    },
  );
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  expect(await rowsIn(accountId, 'conversation_notes')).toBe(1);
});

test('a dry run of a wait tells of those alone who have waited for so long', async () => {
  const { log, numberId } = await accountWithRules();
  await log.take([wrote(numberId, 'hello?')]);
  pass(301);
  await log.take([wrote(numberId, 'hello?', { from: '5511987654321' })]);
  pass(300);
  const rule = {
    ...{ automationId: '', name: 'Late', enabled: true, on: 'conversation.waiting' as const },
    ...{ waitingMinutes: 10, inGroups: false, conditions: [], actions: [{ type: 'stop' as const }] },
    cooldownSeconds: 0,
  };
  const { data } = await log.dryRunAutomation(rule, 0);
  expect(data.map(({ person, runs }) => [person, runs])).toEqual([['628123456789', true]]);
});

test('a rule for a country answers whoever has a number of it', async () => {
  const { accountId, log, numberId } = await accountWithRules({
    conditions: [{ field: 'country', operator: 'equals', value: 'ID' }],
  });
  for (const from of ['628123456789', '5511987654321']) await log.take([wrote(numberId, 'hello', { from })]);
  await allRead(accountId);
  expect(await repliesOf(accountId)).toEqual(['628123456789']);
});

test('a reply calls people what the account calls them', async () => {
  const { accountId, log, numberId } = await accountWithRules({
    actions: [{ type: 'reply', text: 'Hi {{name}}' }],
  });
  const phoneNumber = '628123456789';
  await log.take([
    { kind: 'contacts.listed', numberId, at: Date.now(), contacts: [{ phoneNumber, name: 'Mr Santoso' }] },
    wrote(numberId, 'hello'),
  ]);
  await allRead(accountId);
  expect(await log.takeAutomationActions(5)).toMatchObject([{ action: { text: 'Hi Mr Santoso' } }]);
});

test('a callback of a rule names the group that somebody has written in', async () => {
  const groupId = '120363041234567890@g.us';
  const { accountId, log, numberId } = await accountWithRules({
    inGroups: true,
    actions: [{ type: 'call_webhook', url: 'https://receiver.example.com/hook' }],
  });
  await log.take([wrote(numberId, 'hello all', { groupId })]);
  await allRead(accountId);
  const bodies = (await log.takeAutomationActions(5)).flatMap(({ action }) =>
    action.kind === 'call_webhook' ? JSON.parse(action.body) : [],
  );
  expect(bodies).toMatchObject([{ data: { groupId, from: '628123456789', numberId } }]);
});

test('a dry run of which there is too much to tell tells of the newest', async () => {
  const { log, numberId } = await accountWithRules();
  await takeAll(
    log,
    Array.from({ length: 201 }, (_, index) => wrote(numberId, `message ${index}`)),
  );
  const rule = {
    ...{
      automationId: '',
      name: 'All',
      enabled: true,
      on: 'message.received' as const,
      waitingMinutes: null,
    },
    ...{ inGroups: false, conditions: [], actions: [{ type: 'stop' as const }], cooldownSeconds: 0 },
  };
  const { data, isCut } = await log.dryRunAutomation(rule, 0);
  const told = data.map(({ text }) => text);
  expect([isCut, told.length, told.includes('message 0')]).toEqual([true, 200, false]);
});

test('each rule says by itself why it did not run', async () => {
  const conditions = [{ field: 'text' as const, operator: 'contains' as const, value: 'price' }];
  const { accountId, automationIds, log, numberId } = await accountWithRules({ conditions }, { conditions });
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  pass(30);
  await changed(accountId);
  for (const automationId of automationIds) {
    expect(await log.automationRuns(automationId, 5, null, null)).toMatchObject([{ reason: 'condition' }]);
  }
});

test('whom a rule has answered is known for longer than any rule rests, and then forgotten', () =>
  runInDurableObject(logOf(env, newUuid()), (_, { storage }) => {
    const [people, now, dayMs] = [new PeopleRows(storage.sql), Date.now(), 86_400_000];
    people.note(['lately'], 'rule', 0, 60_000, now - 90 * dayMs);
    people.note(['long ago'], 'rule', 0, 60_000, now - 92 * dayMs);
    people.sweep(now);
    expect(['lately', 'long ago'].map((name) => people.lastRanAt('rule', [name]))).toEqual([
      now - 90 * dayMs,
      null,
    ]);
  }));

test('a rule answers no word that the account has made one that opts out', async () => {
  const { accountId, log, numberId } = await accountWithRules({});
  const settings = JSON.stringify({ optOut: { stopWords: ['basta'], startWords: [] } });
  await env.DB.prepare('update accounts set settings = ? where id = ?').bind(settings, accountId).run();
  await changed(accountId);
  await log.take([wrote(numberId, 'Basta!'), wrote(numberId, 'hello', { from: '5511987654321' })]);
  await allRead(accountId);
  expect(await repliesOf(accountId)).toEqual(['5511987654321']);
});
