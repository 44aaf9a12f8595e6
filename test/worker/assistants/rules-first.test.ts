import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { wrote } from '../../durable/automations/automation-fixture.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { askedOf, makeAssistant } from './assistant-fixture.ts';
import { eventuallySentTo, runsOf, runsOver, write } from './talking.ts';

const customer = '628123456789';

async function rule(account: TestAccount, word: string, ...actions: object[]): Promise<string> {
  const json = {
    name: word,
    on: 'message.received',
    conditions: [{ field: 'text', operator: 'contains', value: word }],
    actions,
  };
  const { status, body, text } = await ask('POST', '/v1/automations', { headers: account.owner, json });
  if (status !== 201) throw new Error(`no rule was made: ${text}`);
  return body.automationId;
}

async function shop(fields: Record<string, unknown> = {}) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'echo', fields);
  const says = (text: string, from = customer) => write(account, numberId, from, text);
  return { account, numberId, assistant, says };
}

const texts = (sent: { text?: string }[]) => sent.map(({ text }) => text);
const list = { type: 'reply', text: 'Here is our price list.' };

test('what a rule has answered is not answered by an assistant too; the next message is', async () => {
  const { account, assistant, says } = await shop();
  await rule(account, 'price', list);
  await says('Your prices, please.');
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'dropped',
    reason: 'rule_answered',
    reply: null,
  });
  expect(texts(await eventuallySentTo(account, customer))).toEqual([list.text]);
  expect(await askedOf(assistant)).toEqual([]);
  await says('And when are you open?');
  expect((await runsOver(account, assistant, 2))[0]).toMatchObject({ outcome: 'answered' });
  expect(texts(await eventuallySentTo(account, customer, 2))).toEqual([
    list.text,
    'You said: And when are you open?',
  ]);
});

test('of a burst the assistant answers what no rule has answered', async () => {
  const { account, numberId, assistant } = await shop({ debounceSeconds: 2 });
  await rule(account, 'price', list);
  const asked = ['When are you open?', 'And your prices?', 'It is urgent.'];
  // All of them are there before a rule reads the first one.
  await logOf(env, account.accountId).take(asked.map((text) => wrote(numberId, text, { from: customer })));
  const [run, ...others] = await runsOver(account, assistant, 1);
  expect(others).toEqual([]);
  expect(run).toMatchObject({ outcome: 'answered', question: asked.join('\n') });
  const [first, second, ...more] = texts(await eventuallySentTo(account, customer, 2));
  expect(more).toEqual([]);
  expect(first).toBe(list.text);
  expect(second).toMatch(/^You said: /);
});

test('rules that label, note or say no leave the answer to the assistant', async () => {
  const { account, assistant, says } = await shop();
  await rule(account, 'lamp', { type: 'label', add: ['lamps'] }, { type: 'note', text: 'About a lamp.' });
  await rule(account, 'chair', list);
  await says('Is the lamp there?');
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({ outcome: 'answered' });
  expect(texts(await eventuallySentTo(account, customer))).toEqual(['You said: Is the lamp there?']);
});

test('a rule that replies and lets the assistant in wants both answers', async () => {
  const { account, assistant, says } = await shop();
  await rule(account, 'help', { type: 'reply', text: 'One moment.' }, { type: 'start_assistant' });
  await says('help');
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({ outcome: 'answered' });
  const sent = await eventuallySentTo(account, customer, 2);
  expect(texts(sent).sort()).toEqual(['One moment.', 'You said: help']);
});

test('two people write the same at the same time: each gets one answer, of the rule', async () => {
  const { account, assistant, says } = await shop();
  await rule(account, 'price', list);
  const people = ['628555000111', '628555000222', '628555000333'];
  await Promise.all(people.map((person) => says('price', person)));
  await runsOver(account, assistant, people.length);
  for (const person of people) {
    expect(texts(await eventuallySentTo(account, person)), person).toEqual([list.text]);
  }
  const reasons = (await runsOf(account, assistant)).map(({ reason }) => reason);
  expect(reasons).toEqual(people.map(() => 'rule_answered'));
});
