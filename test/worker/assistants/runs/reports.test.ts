import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../../src/durable/event-log/log-of.ts';
import { addConnectedNumber, ask, openAccount } from '../../front-door.ts';
import { assistantPath, makeAssistant } from '../assistant-fixture.ts';
import { runsOver, write } from '../talking.ts';

const dayMs = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

test('a report is of so many days, today among them', async () => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'echo');
  const before = Date.now();
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) => {
    for (let age = 0; age < 5; age += 1) {
      const values = [assistant.assistantId, dayOf(before - age * dayMs)];
      storage.sql.exec('INSERT INTO assistant_days VALUES (?, ?, 3, 1, 10, 5, 0)', ...values);
    }
  });
  const { body } = await ask('GET', assistantPath(assistant, '/report?days=3'), { headers: account.owner });
  expect([before, Date.now()].map((at) => dayOf(at - 2 * dayMs))).toContain(body.since);
  const counted = body.days.length;
  expect(body.days[0].day).toBe(body.since);
  expect(body).toMatchObject({
    ...{ answered: 3 * counted, handedOff: counted, handOffRate: 0.25 },
    ...{ tokens: { input: 10 * counted, output: 5 * counted }, cost: null },
  });
});

test('a run is shown with its own assistant alone', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'echo');
  const other = await makeAssistant(account, 'echo', { enabled: false });
  await write(account, numberId, '628123456789', 'Hello');
  const [run] = await runsOver(account, assistant, 1);
  const shown = (of: typeof assistant) =>
    ask('GET', assistantPath(of, `/runs/${run?.turnId}`), { headers: account.owner });
  expect(await shown(assistant)).toMatchObject({ status: 200, body: { turnId: run?.turnId } });
  expect(await shown(other)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
});
