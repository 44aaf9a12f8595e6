import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { settleLog } from '../../../src/durable/backup/settling.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { LogState } from '../../../src/durable/event-log/log-state.ts';
import {
  accountWithRules,
  allRead,
  carriedOutByTests,
  carryOut,
  evict,
  runsOf,
  stopClock,
  wrote,
} from '../automations/automation-fixture.ts';

carriedOutByTests();

const [budi, ana] = ['628123456789', '5511987654321'];

/** As if the log were a copy that is restored now. */
async function restore(accountId: string, goesOn = false): Promise<void> {
  await runInDurableObject(logOf(env, accountId), (_: EventLog, { storage }) => {
    settleLog(storage, [], { now: Date.now(), goesOn });
  });
  await evict(accountId);
}

test.for([false, true])(
  'a delayed reply whose time came since the backup is not sent again, one that is to come is, and a callback is repeated (goes on: %s)',
  async (goesOn) => {
    const clock = stopClock();
    const url = 'https://example.com/hook';
    const { accountId, automationIds, log, numberId } = await accountWithRules({
      actions: [
        { type: 'reply', text: 'At once' },
        { type: 'call_webhook', url },
        { type: 'reply', text: 'Soon', delaySeconds: 60 },
        { type: 'reply', text: 'Later', delaySeconds: 600 },
      ],
    });
    await log.take([wrote(numberId, 'hello')]);
    await allRead(accountId);
    // Whoever took the first reply has not settled it by the time of the backup.
    const [first] = await log.takeAutomationActions(1);
    await log.settleAutomationActions(
      first
        ? [{ order: first, report: { kind: 'again', afterSeconds: 1, reason: 'refused', words: '' } }]
        : [],
    );
    clock.pass(300);
    await restore(accountId, goesOn);
    const made = [...(await carryOut(accountId)), ...(await carryOut(accountId))];
    const told = made.map(({ action }) => (action.kind === 'reply' ? action.text : action.url));
    if (goesOn) {
      expect(told).toHaveLength(3);
      return;
    }
    expect(told).toEqual([url]);
    clock.pass(301);
    expect(await carryOut(accountId)).toHaveLength(1);
    const [run] = await runsOf(accountId, automationIds[0] ?? '');
    expect(run?.actions).toMatchObject([
      { state: 'skipped', reason: 'expired' },
      { state: 'done' },
      { state: 'skipped', reason: 'expired' },
      { state: 'done' },
    ]);
  },
);

test('what rules had not read when the backup was made is not answered after the restore, and what comes then is', async () => {
  const { accountId, automationIds, log, numberId } = await accountWithRules({});
  await log.take([wrote(numberId, 'hello', { from: budi })]);
  await allRead(accountId);
  // As it was before the rules read it.
  await runInDurableObject(log, (_, { storage }) => {
    new LogState(storage.sql).put('automations.position', 0);
    for (const table of ['runs', 'actions', 'people']) storage.sql.exec(`DELETE FROM automation_${table}`);
  });
  await restore(accountId);
  await logOf(env, accountId).take([wrote(numberId, 'hello', { from: ana })]);
  await allRead(accountId);
  expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([{ person: ana }]);
});

test('who had waited long enough by the restore is not answered by a rule for that, and who has not yet is in time', async () => {
  const clock = stopClock();
  const { accountId, automationIds, log, numberId } = await accountWithRules({
    on: 'conversation.waiting',
    waitingMinutes: 10,
  });
  await log.take([wrote(numberId, 'hello?', { from: budi })]);
  clock.pass(300);
  await log.take([wrote(numberId, 'hello?', { from: ana })]);
  clock.pass(400);
  await restore(accountId);
  clock.pass(199);
  await runDurableObjectAlarm(logOf(env, accountId));
  expect(await runsOf(accountId, automationIds[0] ?? '')).toEqual([]);
  clock.pass(2);
  await runDurableObjectAlarm(logOf(env, accountId));
  expect(await runsOf(accountId, automationIds[0] ?? '')).toMatchObject([{ person: ana }]);
});
