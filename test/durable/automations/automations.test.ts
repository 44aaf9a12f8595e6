import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ActionReport } from '../../../src/durable/event-log/automations/actions/planned.ts';
import { PeopleRows, repliesAnHour } from '../../../src/durable/event-log/automations/runs/people-rows.ts';
import { RunRows } from '../../../src/durable/event-log/automations/runs/run-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { WakeUps } from '../../../src/durable/event-log/wake-ups.ts';
import { NamedTimers } from '../../../src/durable/named-timers.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { eventsOf, queued, received, record } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import { accountWithRules, addRule, allRead, changed, rowsIn, runsOf, wrote } from './automation-fixture.ts';

// Here the test is who carries the actions out.
beforeEach(() => {
  const wakeUps = vi.spyOn(WakeUps.prototype, 'automations').mockResolvedValue();
  onTestFinished(() => void wakeUps.mockRestore());
});

const text = (operator: 'contains' | 'equals', value: string) => ({
  field: 'text' as const,
  operator,
  value,
});
const done: ActionReport = { kind: 'done' };

/** A rule that is tried on what has happened. */
const dryRule = {
  automationId: '',
  name: 'Rule',
  enabled: true,
  on: 'message.received' as const,
  waitingMinutes: null,
  inGroups: false,
  conditions: [],
  actions: [{ type: 'reply' as const, text: 'Hi {{name}}' }],
  cooldownSeconds: 0,
};

/** Takes what is due, and says that all of it is done; the replies. */
async function carryOut(accountId: string, report: ActionReport = done) {
  const log = logOf(env, accountId);
  const orders = await log.takeAutomationActions(100);
  await log.settleAutomationActions(orders.map((order) => ({ order, report })));
  return orders;
}

const evict = (accountId: string) => evictDurableObject(logOf(env, accountId));

/** From now on the test says what time it is. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000) };
}

/** From now on no alarm does anything. */
function keepAlarmsStill() {
  const ring = vi.spyOn(NamedTimers.prototype, 'ring').mockResolvedValue();
  onTestFinished(() => void ring.mockRestore());
}

describe('a rule', () => {
  test('answers a message that fits, once, and says so in its log', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      conditions: [text('contains', 'price')],
      actions: [{ type: 'reply', text: 'Hi {{name}}, see our list.' }],
    });
    const question = wrote(numberId, 'What is the PRICE?');
    await log.take([question]);
    await log.take([question]);
    await allRead(accountId);
    const orders = await carryOut(accountId, { kind: 'done', messageId: 'msg_1' });
    expect(orders).toMatchObject([
      { action: { kind: 'reply', numberId, to: '628123456789', text: 'Hi Budi, see our list.' }, attempt: 1 },
    ]);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([
      { ran: true, person: '628123456789', actions: [{ type: 'reply', state: 'done', messageId: 'msg_1' }] },
    ]);
  });

  test('says why it did not run, at most once a minute', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      conditions: [text('contains', 'a'), text('contains', 'price')],
    });
    await log.take([wrote(numberId, 'what a day'), wrote(numberId, 'what a night')]);
    await allRead(accountId);
    const [automationId = ''] = automationIds;
    expect(await runsOf(accountId, automationId)).toMatchObject([
      { ran: false, reason: 'condition', conditionIndex: 1 },
    ]);
    clock.pass(61);
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    expect(await runsOf(accountId, automationId)).toMatchObject([
      { ran: false, reason: 'condition', conditionIndex: 0 },
      { ran: false, reason: 'condition', conditionIndex: 1 },
    ]);
  });

  test('answers nothing that happened before it was saved, and what it was changed for only then', async () => {
    const { accountId, log, numberId } = await accountWithRules({ enabled: false });
    await log.take([wrote(numberId, 'before')]);
    await env.DB.prepare('update automations set enabled = 1 where account_id = ?').bind(accountId).run();
    await changed(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    await log.take([wrote(numberId, 'after')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
  });

  test('reads on where it was when its log is evicted, and answers nothing twice', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    await log.take([wrote(numberId, 'one')]);
    await allRead(accountId);
    await evict(accountId);
    await logOf(env, accountId).take([wrote(numberId, 'two')]);
    await evict(accountId);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(2);
    await evict(accountId);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toHaveLength(2);
  });

  test('is read for by the alarm when whoever was to read behind a message died', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({});
    // The object dies in the moment in which the message is stored.
    await runInDurableObject<EventLog, void>(log, async (object, state) => {
      object.take([wrote(numberId, 'hello')]);
      await state.storage.sync();
      state.abort('killed by the test');
    }).catch(() => undefined);
    clock.pass(31);
    await until(async () => {
      await runDurableObjectAlarm(logOf(env, accountId));
      return (await runsOf(accountId, automationIds[0] ?? '')).length === 1;
    });
    expect(await carryOut(accountId)).toHaveLength(1);
  });

  test('rests for the person that it has run for', async () => {
    const clock = stopClock();
    const { accountId, automationIds, log, numberId } = await accountWithRules({ cooldownSeconds: 3_600 });
    await log.take([wrote(numberId, 'one'), wrote(numberId, 'two')]);
    await log.take([wrote(newUuid(), 'to another number'), wrote(numberId, 'hi', { from: '5511987654321' })]);
    await allRead(accountId);
    await evict(accountId);
    const to = (await carryOut(accountId)).map(({ action }) => action.kind === 'reply' && action.to);
    expect(to.toSorted()).toEqual(['5511987654321', '628123456789']);
    clock.pass(3_601);
    await logOf(env, accountId).take([wrote(numberId, 'three')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
    const [latest, ...others] = await runsOf(accountId, automationIds[0] ?? '');
    expect(latest).toMatchObject({ ran: true });
    expect(others.filter(({ ran }) => !ran)).toMatchObject([
      { reason: 'cooldown', until: expect.any(Number) },
    ]);
  });

  test('stops those behind it, and rules are asked in their order', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules(
      { actions: [{ type: 'reply', text: 'first' }] },
      {
        conditions: [text('contains', 'stop here')],
        actions: [{ type: 'reply', text: 'second' }, { type: 'stop' }],
      },
      { actions: [{ type: 'reply', text: 'third' }] },
    );
    await log.take([wrote(numberId, 'please stop here')]);
    await allRead(accountId);
    const orders = await carryOut(accountId);
    expect(orders.map(({ automationId }) => automationId).sort()).toEqual(automationIds.slice(0, 2).sort());
    expect(await runsOf(accountId, automationIds[2] ?? '')).toMatchObject([
      { ran: false, reason: 'stopped', stoppedBy: automationIds[1] },
    ]);
  });

  test('greets who writes for the first time, and nobody else', async () => {
    const { accountId, log, numberId } = await accountWithRules({
      conditions: [{ field: 'isFirstMessage', operator: 'equals', value: true }],
    });
    await log.take([wrote(numberId, 'hello')]);
    await log.take([wrote(numberId, 'anybody there?')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
    // What they were sent before is nothing that they wrote, and in a group they wrote to everybody.
    const from = '5511987654321';
    await log.take([queued(record({ to: from, numberId, queuedAt: Date.now() }))]);
    await log.take([wrote(numberId, 'hello all', { from, groupId: '120363041234567890@g.us' })]);
    await log.take([wrote(numberId, 'thank you', { from })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toMatchObject([{ action: { to: from } }]);
    // To another number it is the first one again.
    const another = newUuid();
    await log.take([wrote(another, 'hello', { from })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toMatchObject([{ action: { to: from, numberId: another } }]);
  });

  test('does not take for the first message what comes in a group, nor for outside of hours what nobody has set', async () => {
    const { accountId, log, numberId } = await accountWithRules(
      { inGroups: true, conditions: [{ field: 'isFirstMessage', operator: 'equals', value: true }] },
      { inGroups: true, conditions: [{ field: 'hours', operator: 'equals', value: 'outside' }] },
    );
    await log.take([wrote(numberId, 'hello all', { groupId: '120363041234567890@g.us' })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toEqual([]);
  });

  test('speaks in groups only where it says so, and to the group', async () => {
    const groupId = '120363041234567890@g.us';
    const { accountId, automationIds, log, numberId } = await accountWithRules({}, { inGroups: true });
    await log.take([wrote(numberId, 'hello all', { groupId })]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toMatchObject([
      { automationId: automationIds[1], action: { to: groupId, chatType: 'group' } },
    ]);
  });

  test('costs an account that has none no row, and others one a message that it does not answer', async () => {
    const rowsOfTaking = async (accountId: string, fact: ReturnType<typeof wrote>) => {
      const log = logOf(env, accountId);
      return runInDurableObject<EventLog, number>(log, async (object, { storage }) => {
        const changes = () => storage.sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n;
        const before = changes();
        object.take([fact]);
        await object.refresh();
        return changes() - before;
      });
    };
    const none = await accountWithRules();
    const some = await accountWithRules({ conditions: [text('equals', 'nothing says this')] });
    for (const { log, numberId } of [none, some]) await log.take([wrote(numberId, 'one')]);
    await allRead(some.accountId);
    const [without, withRule] = [
      await rowsOfTaking(none.accountId, wrote(none.numberId, 'two')),
      await rowsOfTaking(some.accountId, wrote(some.numberId, 'two')),
    ];
    expect(withRule - without).toBe(1);
    const sending = queued(record({ numberId: some.numberId, queuedAt: Date.now() }));
    const idle = queued(record({ numberId: none.numberId, queuedAt: Date.now() }));
    expect(await rowsOfTaking(some.accountId, sending)).toBe(await rowsOfTaking(none.accountId, idle));
  });
});

describe('a conversation that begins', () => {
  test('is answered where somebody has written, and not where a person begins it', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      on: 'conversation.created',
      actions: [{ type: 'reply', text: 'Welcome' }],
    });
    const [byHand, writtenTo, writes] = ['5511987654321', '447700900123', '628123456789'];
    const by = { kind: 'person' as const, userId: newUuid() };
    await log.beginConversation({ numberId, phoneNumber: byHand }, by);
    await log.take([
      queued(record({ numberId, to: writtenTo, queuedAt: Date.now(), origin: by })),
      wrote(numberId, 'hello', { from: writes }),
      // Who answers a person has not begun it.
      wrote(numberId, 'thank you', { from: byHand }),
    ]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toMatchObject([{ action: { to: writes, text: 'Welcome' } }]);
    expect(await runsOf(accountId, automationIds[0] ?? '')).toHaveLength(1);
    const rule = { ...dryRule, on: 'conversation.created' as const };
    const { counts } = await log.dryRunAutomation(rule, Date.now() - 60_000);
    expect(counts).toEqual({ events: 1, runs: 1, no: {} });
  });
});

describe('what a person changes of a conversation', () => {
  test('is answered at once, and does not wait for the alarm', async () => {
    keepAlarmsStill();
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      on: 'conversation.updated',
      conditions: [{ field: 'label', operator: 'equals', value: 'lead' }],
      actions: [{ type: 'set_priority', priority: 'high' }],
    });
    const by = { kind: 'person' as const, userId: newUuid() };
    const { conversation } = await log.beginConversation({ numberId, phoneNumber: '628123456789' }, by);
    const { conversationId } = conversation;
    const [automationId = ''] = automationIds;
    await log.changeConversation(conversationId, { addLabels: ['lead'] }, by);
    await until(async () => (await runsOf(accountId, automationId)).some(({ ran }) => ran));
    expect(await log.conversation(conversationId)).toMatchObject({ priority: 'high' });
  });
});

describe('what a rule changes of a conversation', () => {
  test('is changed with the run, told by an event, and noted as its doing', async () => {
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      actions: [
        { type: 'label', add: ['lead'] },
        { type: 'label', add: ['lead'] },
        { type: 'set_priority', priority: 'high' },
        { type: 'note', text: 'Asked by {{name}}, {{phone}}' },
        { type: 'set_status', status: 'pending' },
      ],
    });
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    const conversation = await log.conversationOf({ numberId, phoneNumber: '628123456789' });
    expect(conversation).toMatchObject({ labels: ['lead'], priority: 'high', status: 'pending' });
    const updates = (await eventsOf(log)).flatMap(({ envelope }) =>
      envelope.event === 'conversation.updated' ? [envelope.data.changes] : [],
    );
    expect(updates).toEqual([{ labels: ['lead'] }, { priority: 'high' }, { status: 'pending' }]);
    const page = { limit: 9, before: null, after: null };
    const chat = await log.chatPage(conversation?.conversationId ?? '', page);
    const notes = chat?.items.flatMap((item) => (item.kind === 'note' ? [item.note.text] : []));
    expect(notes).toEqual(['Asked by Budi, 628123456789']);
    const [run] = await runsOf(accountId, automationIds[0] ?? '');
    const unchanged = { type: 'label', state: 'skipped', reason: 'no_change' };
    expect(run?.actions?.filter(({ state }) => state !== 'done')).toEqual([unchanged]);
  });

  test('is seen by the rules behind it', async () => {
    const { accountId, log, numberId } = await accountWithRules(
      { actions: [{ type: 'label', add: ['vip'] }] },
      { conditions: [{ field: 'label', operator: 'equals', value: 'VIP' }] },
    );
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    expect(await carryOut(accountId)).toHaveLength(1);
  });

  test('comes to an end: what began with one event starts each rule once at most', async () => {
    const flip = (from: string, to: string) => ({
      on: 'conversation.updated' as const,
      conditions: [{ field: 'label' as const, operator: 'equals' as const, value: from }],
      actions: [{ type: 'label' as const, add: [to], remove: [from] }],
    });
    const { accountId, automationIds, log, numberId } = await accountWithRules(
      { actions: [{ type: 'label', add: ['ping'] }] },
      flip('ping', 'pong'),
      flip('pong', 'ping'),
      flip('ping', 'pong'),
      flip('pong', 'ping'),
    );
    await log.take([wrote(numberId, 'go')]);
    await until(async () => {
      await allRead(accountId);
      return (await rowsIn(accountId, 'automation_causes')) === 0;
    });
    const ran = await Promise.all(
      automationIds.map(async (id) => (await runsOf(accountId, id)).filter((run) => run.ran).length),
    );
    expect(ran.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(5);
    expect(Math.max(...ran)).toBe(1);
  });
});

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

test('rules are asked in the order that they were moved to', async () => {
  const { accountId, automationIds, log, numberId } = await accountWithRules(
    { actions: [{ type: 'stop' }] },
    {},
  );
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  expect(await carryOut(accountId)).toEqual([]);
  await env.DB.prepare('update automations set position = 1 - position where account_id = ?')
    .bind(accountId)
    .run();
  await changed(accountId);
  await log.take([wrote(numberId, 'hello again')]);
  await allRead(accountId);
  expect(await carryOut(accountId)).toMatchObject([{ automationId: automationIds[1] }]);
});

test('rules follow from one another three deep, and no further', async () => {
  const labelling = (label: string, ...conditions: object[]) =>
    ({ conditions, actions: [{ type: 'label', add: [label] }] }) as Parameters<typeof addRule>[1];
  const after = (label: string) => ({ field: 'label', operator: 'equals', value: label });
  // Each before the one that it follows from: it runs for what that has changed, and not beside it.
  const { accountId, log, numberId } = await accountWithRules(
    { on: 'conversation.updated', ...labelling('fourth', after('third')) },
    { on: 'conversation.updated', ...labelling('third', after('second')) },
    { on: 'conversation.updated', ...labelling('second', after('first')) },
    labelling('first'),
  );
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  const conversation = await log.conversationOf({ numberId, phoneNumber: '628123456789' });
  expect(conversation?.labels).toEqual(['first', 'second', 'third']);
});

test('a rule rests for somebody from when it answered them last, under whichever of their names that was', async () => {
  const clock = stopClock();
  const { accountId, log, numberId } = await accountWithRules({ cooldownSeconds: 600 });
  const lid = '100000000000017';
  const repliesTo = async (fields: { from: string; senderLid?: string }) => {
    await log.take([received({ ...fields, at: new Date().toISOString() }, numberId)]);
    await allRead(accountId);
    return (await carryOut(accountId)).length;
  };
  expect(await repliesTo({ from: lid, senderLid: lid })).toBe(1);
  clock.pass(300);
  expect(await repliesTo({ from: '628123456789' })).toBe(1);
  clock.pass(301);
  expect(await repliesTo({ from: '628123456789', senderLid: lid })).toBe(0);
  clock.pass(300);
  expect(await repliesTo({ from: '628123456789', senderLid: lid })).toBe(1);
});

test('however many people rules name, those who are there are assigned to', async () => {
  const userId = newUuid();
  const assign = (assigneeId: string) => ({ type: 'assign' as const, assigneeId });
  const gone = Array.from({ length: 100 }, () => assign(newUuid()));
  const { accountId, automationIds, log, numberId } = await accountWithRules({
    actions: [...gone, assign(userId)],
  });
  await env.DB.batch([
    env.DB.prepare(`insert into users values (?1, ?1, 'Bob', 'x', 0)`).bind(userId),
    env.DB.prepare(`insert into memberships values (?, ?, 'agent')`).bind(userId, accountId),
  ]);
  await changed(accountId);
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  const conversation = await log.conversationOf({ numberId, phoneNumber: '628123456789' });
  expect(conversation?.assigneeId).toBe(userId);
  // Who has it already is not given it once more.
  await log.take([wrote(numberId, 'and another thing')]);
  await allRead(accountId);
  const runs = await runsOf(accountId, automationIds[0] ?? '');
  const states = runs.map(({ actions = [] }) => [actions.length, actions.at(-1)]);
  expect(states).toMatchObject([
    [101, { state: 'skipped', reason: 'no_change' }],
    [101, { state: 'done' }],
  ]);
});

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

test('a dry run says what would have happened, with the reason for each no, and does nothing', async () => {
  const clock = stopClock();
  const { accountId, automationIds, log, numberId } = await accountWithRules({ enabled: false });
  for (const said of ['price?', 'hello', 'price please']) {
    await log.take([wrote(numberId, said)]);
    clock.pass(1);
  }
  const rule = {
    ...dryRule,
    automationId: automationIds[0] ?? '',
    conditions: [text('contains', 'price')],
    cooldownSeconds: 60,
  };
  const result = await log.dryRunAutomation(rule, Date.now() - 60_000);
  expect(result.counts).toEqual({ events: 3, runs: 1, no: { condition: 1, cooldown: 1 } });
  expect(result.data.map((entry) => entry.text)).toEqual(['price please', 'hello', 'price?']);
  expect(result.data.find(({ runs }) => runs)).toMatchObject({ text: 'price?', replies: ['Hi Budi'] });
  expect(await carryOut(accountId)).toEqual([]);
  expect(await rowsIn(accountId, 'automation_runs')).toBe(0);
});

test('a dry run tells of two hundred events, of those where the rule runs before those where it does not', async () => {
  const { log, numberId } = await accountWithRules();
  const rule = { ...dryRule, conditions: [text('contains', 'price')] };
  const told = async () => {
    const { data, isCut } = await log.dryRunAutomation(rule, 0);
    return { runs: data.filter(({ runs }) => runs).length, of: data.length, isCut };
  };
  await log.take([wrote(numberId, 'hello'), wrote(numberId, 'hello again')]);
  for (const prices of [100, 99])
    await log.take(Array.from({ length: prices }, () => wrote(numberId, 'price?')));
  expect(await told()).toEqual({ runs: 199, of: 200, isCut: true });
  await log.take([wrote(numberId, 'price?')]);
  expect(await told()).toEqual({ runs: 200, of: 200, isCut: true });
});

test('who is answered under an alias is the same to a rule once their phone number shows', async () => {
  const [lid, phoneNumber] = ['100000000000017', '628123456789'];
  const { accountId, log, numberId } = await accountWithRules(
    { conditions: [{ field: 'isFirstMessage', operator: 'equals', value: true }] },
    { actions: [{ type: 'reply', text: 'Soon' }], cooldownSeconds: 3600 },
  );
  const writes = async (from: string) => {
    await log.take([received({ from, senderLid: lid, at: new Date().toISOString() }, numberId)]);
    await allRead(accountId);
    return (await carryOut(accountId)).map(({ action }) => action);
  };
  const reply = { kind: 'reply', to: `${lid}@lid`, contactId: expect.any(String) };
  const replies = await writes(lid);
  expect(replies).toMatchObject([reply, reply]);
  expect(replies.map((one) => 'text' in one && one.text).toSorted()).toEqual(['Hello', 'Soon']);
  expect(await writes(phoneNumber)).toEqual([]);
  // And so is who writes under the alias alone again.
  expect(await writes(lid)).toEqual([]);
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

test('a dry run promises no reply that would not be sent, and says why', async () => {
  const { log, numberId } = await accountWithRules();
  const alias = { from: '100000000000017', senderLid: '100000000000017', at: new Date().toISOString() };
  await log.take([
    wrote(numberId, 'Stop!'),
    received({ ...alias, content: { type: 'text', text: 'who am I' } }, numberId),
    wrote(numberId, 'hello'),
  ]);
  const { counts, data } = await log.dryRunAutomation(dryRule, 0);
  expect(counts).toEqual({ events: 3, runs: 3, no: {} });
  const told = (asked: string) => data.find((entry) => entry.text === asked);
  expect(told('Stop!')).toMatchObject({ replies: [], notReplied: { reason: 'opt_out_word' } });
  // Whoever is known by an alias alone is answered like everybody else.
  expect(told('who am I')).toMatchObject({ replies: ['Hi Budi'] });
  expect(told('hello')).toMatchObject({ replies: ['Hi Budi'] });
  expect(told('hello')).not.toHaveProperty('notReplied');
  const silent = await log.dryRunAutomation({ ...dryRule, actions: [{ type: 'stop' }] }, 0);
  expect(silent.data.filter((entry) => entry.notReplied !== undefined)).toEqual([]);
});

test('the log of runs keeps a run for thirty days, and the last thousand of a rule', () =>
  runInDurableObject(logOf(env, newUuid()), (_, { storage }) => {
    const [runs, now] = [new RunRows(storage.sql), Date.UTC(2037, 0, 31)];
    const insert = (automationId: string, runId: string, at: number) => {
      const detail = {
        eventId: 'evt_1',
        on: 'message.received',
        numberId: '',
        conversationId: null,
      } as const;
      runs.insert({ ...detail, automationId, runId, at, ran: true, messageId: null, person: '' });
    };
    const kept = (automationId: string) => runs.page(automationId, 2_000, null, null);
    insert('old', '1', now - 30 * 86_400_000 - 1);
    insert('old', '2', now - 30 * 86_400_000);
    storage.transactionSync(() => {
      for (let index = 0; index < 1_002; index += 1) insert('busy', String(10_000 + index), now);
    });
    expect(runs.sweep(new Set(['old', 'busy']), now, 5_000)).toBe(true);
    expect(kept('old').map(({ runId }) => runId)).toEqual(['2']);
    expect(kept('busy').map(({ runId }) => runId)).toHaveLength(1_000);
    expect(kept('busy').at(-1)?.runId).toBe('10002');
  }));

test('the log of runs forgets what is too much, and all of a rule that is gone', async () => {
  const clock = stopClock();
  const { accountId, automationIds, log, numberId } = await accountWithRules({}, {});
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  await env.DB.prepare('delete from automations where id = ?').bind(automationIds[0]).run();
  await changed(accountId);
  clock.pass(86_401);
  await runDurableObjectAlarm(logOf(env, accountId));
  expect(await runsOf(accountId, automationIds[0] ?? '')).toEqual([]);
  expect(await runsOf(accountId, automationIds[1] ?? '')).toHaveLength(1);
  clock.pass(31 * 86_400);
  await runDurableObjectAlarm(logOf(env, accountId));
  expect(await runsOf(accountId, automationIds[1] ?? '')).toEqual([]);
  expect(await addRule(accountId, {})).toBeTruthy();
});
