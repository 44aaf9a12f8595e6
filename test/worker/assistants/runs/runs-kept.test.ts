import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../../src/durable/event-log/log-of.ts';
import { addConnectedNumber, openAccount } from '../../front-door.ts';
import { makeAssistant } from '../assistant-fixture.ts';
import { runsOf, runsOver, write } from '../talking.ts';

const dayMs = 86_400_000;

test('runs are kept for 90 days and the counts of a day for 400; what is not over stays', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'echo');
  const people = ['628555000111', '628555000222', '628555000333'];
  for (const person of people) await write(account, numberId, person, `I am ${person}`);
  await runsOver(account, assistant, people.length);
  const log = logOf(env, account.accountId);
  const now = Date.now();
  await runInDurableObject(log, (_, { storage }) => {
    const age = 'UPDATE assistant_turns SET begun_at = ? WHERE question = ?';
    storage.sql.exec(age, now - 91.5 * dayMs, `I am ${people[0]}`);
    storage.sql.exec(age, now - 89 * dayMs, `I am ${people[1]}`);
    storage.sql.exec(age, now - 200 * dayMs, `I am ${people[2]}`);
    storage.sql.exec(
      `UPDATE assistant_turns SET ring_at = ?, state = 'waiting' WHERE question = ?`,
      now + dayMs,
      `I am ${people[2]}`,
    );
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    for (const at of [now - 401 * dayMs, now - 300 * dayMs]) {
      storage.sql.exec(
        'INSERT INTO assistant_days VALUES (?, ?, 1, 0, 1, 1, 0)',
        assistant.assistantId,
        day(at),
      );
    }
  });
  await evictDurableObject(log);
  await runInDurableObject(log, (object) => object.alarm());
  const questions = (await runsOf(account, assistant)).map(({ question }) => question);
  expect(questions.sort()).toEqual([`I am ${people[1]}`, `I am ${people[2]}`]);
  const days = await log.assistantDays(assistant.assistantId, '2000-01-01');
  expect(days.map(({ day }) => day)).toEqual([
    new Date(now - 300 * dayMs).toISOString().slice(0, 10),
    new Date(now).toISOString().slice(0, 10),
  ]);
});
