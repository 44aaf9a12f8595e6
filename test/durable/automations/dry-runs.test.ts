import { expect, test } from 'vitest';
import { received } from '../event-log/event-log-fixture.ts';
import {
  accountWithRules,
  carriedOutByTests,
  carryOut,
  dryRule,
  rowsIn,
  stopClock,
  text,
  wrote,
} from './automation-fixture.ts';

carriedOutByTests();

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

test('a dry run has a rule that is off in its place among those that are on', async () => {
  const rules = [{ enabled: false }, { actions: [{ type: 'stop' as const }] }];
  const { automationIds, log, numberId } = await accountWithRules(...rules);
  await log.take([wrote(numberId, 'hello')]);
  const [automationId = ''] = automationIds;
  expect((await log.dryRunAutomation({ ...dryRule, automationId }, 0)).counts.runs).toBe(1);
  // One that is not saved yet comes behind them.
  expect((await log.dryRunAutomation(dryRule, 0)).counts.no).toEqual({ stopped: 1 });
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
