import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../../src/durable/event-log/log-of.ts';
import { until } from '../../../durable/until.ts';
import { addConnectedNumber, ask, openAccount } from '../../front-door.ts';
import { askedOf, makeAssistant } from '../assistant-fixture.ts';
import { conversationWith, runsOver, write } from '../talking.ts';

const customer = '628123456789';

/** An assistant that answers when the test says so, however much was written by then. */
async function shop() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'remember', { debounceSeconds: 60 });
  const log = logOf(env, account.accountId);
  let answers = 0;
  return {
    account,
    assistant,
    says: (text: string) => write(account, numberId, customer, text),
    answered: async () => {
      await runInDurableObject(log, (_, { storage }) => {
        storage.sql.exec('UPDATE assistant_turns SET ring_at = 1, due_at = 1 WHERE ring_at IS NOT NULL');
      });
      await evictDurableObject(log);
      await runInDurableObject(log, (object) => object.alarm());
      answers += 1;
      return runsOver(account, assistant, answers);
    },
    conversation: () => conversationWith(account, numberId, customer),
  };
}

type Asked = Awaited<ReturnType<typeof askedOf>>[number];

const told = ({ messages }: Asked) => messages.find(({ role }) => role === 'system')?.content ?? '';
const isSummary = (asked: Asked) => told(asked).startsWith('Summarise');
const earlierIn = (asked: Asked | undefined) =>
  asked && (/<earlier>\n([\s\S]*?)\n<\/earlier>/.exec(told(asked))?.[1] ?? null);

test('what no longer fits is known in short, and after people have given the conversation back it begins there', async () => {
  const { account, assistant, says, answered, conversation } = await shop();
  const answers = async () => (await askedOf(assistant)).filter((asked) => !isSummary(asked));
  const summaries = async () => (await askedOf(assistant)).filter(isSummary);
  for (let index = 1; index <= 32; index += 1) await says(`fact ${index}`);
  await answered();
  // Twelve messages have no room any more. Until they are in a summary they are told as they were.
  const [first] = await answers();
  expect(earlierIn(first)).toContain('Customer: fact 1\n');
  expect(earlierIn(first)).toContain('Customer: fact 12');
  expect(earlierIn(first)).not.toContain('fact 13');
  await until(async () => (await summaries()).length === 1);
  await until(() =>
    runInDurableObject(logOf(env, account.accountId), (_, { storage }) => {
      const query = 'SELECT summary FROM assistant_memories';
      return storage.sql.exec<{ summary: string | null }>(query).one().summary !== null;
    }),
  );
  await says('and now?');
  await answered();
  const second = (await answers())[1];
  expect(earlierIn(second)).toMatch(/^SUMMARY of 12: fact 1, fact 2, /);
  // What came after the summary and has no room either: nothing is lost between the two.
  expect(earlierIn(second)).toContain('Customer: fact 13');
  const { conversationId } = await conversation();
  for (const action of ['pause', 'resume']) {
    const path = `/v1/conversations/${conversationId}/assistant`;
    expect((await ask('POST', path, { headers: account.owner, json: { action } })).status).toBe(200);
  }
  await says('a new matter');
  await answered();
  const third = (await answers())[2];
  expect(earlierIn(third)).toBeNull();
  const words = JSON.stringify(third?.messages);
  expect(words).toContain('a new matter');
  expect(words).not.toMatch(/fact \d/);
});
