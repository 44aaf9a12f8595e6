import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../../src/durable/event-log/log-of.ts';
import { until } from '../../../durable/until.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../../front-door.ts';
import {
  assistantPath,
  type MadeAssistant,
  makeAssistant,
  modelThat,
  provider,
} from '../assistant-fixture.ts';
import { runsOver, write } from '../talking.ts';

async function shop(behaviour: string) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, behaviour);
  const says = (text: string, from = '628123456789') => write(account, numberId, from, text);
  const change = (json: Record<string, unknown>) =>
    ask('PATCH', assistantPath(assistant), { headers: account.owner, json });
  return { account, assistant, says, change };
}

const versionsOf = async (account: TestAccount, assistant: MadeAssistant, query = '') => {
  const path = assistantPath(assistant, `/instructions${query}`);
  return (await ask('GET', path, { headers: account.owner })).body;
};

test('each run names the wording that it was answered under, and the wordings say how they did', async () => {
  const { account, assistant, says, change } = await shop('echo');
  expect((await versionsOf(account, assistant)).data).toEqual([]);
  await says('one');
  const [first] = await runsOver(account, assistant, 1);
  const handsOver = { instructions: 'Hand everything over.', provider: provider(modelThat('hand-off')) };
  await change(handsOver);
  await says('two', '628555000222');
  const [second] = await runsOver(account, assistant, 2);
  expect(first?.instructionsVersion).toMatch(/^[0-9a-f]{12}$/);
  expect(second?.instructionsVersion).not.toBe(first?.instructionsVersion);
  const { data } = await versionsOf(account, assistant);
  expect(data).toMatchObject([
    {
      version: second?.instructionsVersion,
      instructions: 'Hand everything over.',
      isCurrent: true,
      answered: 0,
      handedOff: 1,
    },
    { version: first?.instructionsVersion, isCurrent: false, answered: 1, handedOff: 0 },
  ]);
  expect(data[1].instructions).toContain('Blue Lamp');
});

test('who takes a change of the instructions back has the old version again, and each wording is kept once', async () => {
  const { account, assistant, says, change } = await shop('echo');
  const { body } = await ask('GET', assistantPath(assistant), { headers: account.owner });
  await says('one');
  await runsOver(account, assistant, 1);
  await change({ instructions: 'Something else.' });
  await says('two');
  await runsOver(account, assistant, 2);
  await change({ instructions: body.instructions });
  await says('three');
  const runs = await runsOver(account, assistant, 3);
  expect(runs[0]?.instructionsVersion).toBe(runs[2]?.instructionsVersion);
  const page = await versionsOf(account, assistant, '?limit=1');
  expect(page.data).toMatchObject([{ instructions: 'Something else.', answered: 1, isCurrent: false }]);
  const rest = await versionsOf(account, assistant, `?limit=1&cursor=${page.nextCursor}`);
  expect(rest).toMatchObject({ data: [{ answered: 2, isCurrent: true }], nextCursor: null });
});

test('a wording that nobody was answered under for 400 days is forgotten with the old runs', async () => {
  const { account, assistant, says } = await shop('echo');
  await says('one');
  await runsOver(account, assistant, 1);
  const log = logOf(env, account.accountId);
  await runInDurableObject(log, (_, { storage }) => {
    storage.sql.exec('UPDATE assistant_instructions SET last_used_at = 1');
    storage.sql.exec('UPDATE assistant_turns SET begun_at = 1');
  });
  await evictDurableObject(log);
  await runInDurableObject(log, (object) => object.alarm());
  await until(async () => (await versionsOf(account, assistant)).data.length === 0);
});
