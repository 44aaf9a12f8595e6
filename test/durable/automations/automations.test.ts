import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RunRows } from '../../../src/durable/event-log/automations/runs/run-rows.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { eventsOf, queued, received, record } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';
import {
  accountWithRules,
  addRule,
  allRead,
  carriedOutByTests,
  carryOut,
  changed,
  dryRule,
  evict,
  keepAlarmsStill,
  rowsIn,
  runsOf,
  stopClock,
  text,
  wrote,
} from './automation-fixture.ts';

carriedOutByTests();

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

test('a conversation is given to no team that is gone', async () => {
  const { accountId, automationIds, log, numberId } = await accountWithRules({
    actions: [{ type: 'assign', teamId: newUuid() }],
  });
  await log.take([wrote(numberId, 'hello')]);
  await allRead(accountId);
  const [run] = await runsOf(accountId, automationIds[0] ?? '');
  expect(run?.actions).toMatchObject([{ state: 'skipped', reason: 'unknown' }]);
  const conversation = await log.conversationOf({ numberId, phoneNumber: '628123456789' });
  expect(conversation?.teamId).toBeNull();
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
