import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Thought } from '../../../src/durable/event-log/assistants/turns/turn-orders.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../../durable/until.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';
import { askedOf, assistantPath, makeAssistant, release } from './assistant-fixture.ts';
import { conversationWith, eventuallySentTo, runsOf, runsOver, secondOf, sentTo, write } from './talking.ts';

const customer = '628123456789';

async function shop(behaviour: string, fields: Record<string, unknown> = {}) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, behaviour, fields);
  const says = (text: string, from = customer) => write(account, numberId, from, text);
  const conversation = (of = customer) => conversationWith(account, numberId, of);
  return { account, numberId, assistant, says, conversation };
}

/** The log as after a while: all waits are over, nothing is in memory, and its alarm rings. */
async function later({ accountId }: Pick<TestAccount, 'accountId'>): Promise<void> {
  const log = logOf(env, accountId);
  await runInDurableObject(log, (_, { storage }) => {
    storage.sql.exec('UPDATE assistant_turns SET ring_at = 1, due_at = 1 WHERE ring_at IS NOT NULL');
  });
  await evictDurableObject(log);
  await runInDurableObject(log, (object) => object.alarm());
}

/** Whether so many tries of the only turn have come to their end. */
const hasTried = ({ accountId }: Pick<TestAccount, 'accountId'>, tries: number) =>
  runInDurableObject(logOf(env, accountId), (_, { storage }) => {
    const query = 'SELECT state, attempts FROM assistant_turns';
    const [turn] = storage.sql.exec<{ state: string; attempts: number }>(query).toArray();
    return (
      turn !== undefined && turn.state !== 'running' && (turn.attempts >= tries || turn.state !== 'waiting')
    );
  });

/** A person of the account writes to the customer, as the inbox does. */
const personSays = (account: TestAccount, numberId: string, text: string, to = customer) =>
  env.ACCOUNT.getByName(account.accountId).sendAs({
    origin: { kind: 'person', userId: newUuid() },
    numberId,
    to,
    chatType: 'personal',
    content: { type: 'text', text },
    idempotencyKey: null,
  });

const order = (account: TestAccount, conversationId: string, action: string, headers = account.owner) =>
  ask('POST', `/v1/conversations/${conversationId}/assistant`, { headers, json: { action } });

test('an answer is sent without NUL, which no database of a receiver takes', async () => {
  const { account, assistant, says } = await shop('echo');
  await says('a\0b');
  const [run] = await runsOver(account, assistant, 1);
  expect(run?.reply).toBe('You said: ab');
});

test('what somebody writes is answered once, under the name of the assistant, and the run says how and for how much', async () => {
  const { account, assistant, says, conversation } = await shop('echo');
  await says('Are you open?');
  const [run] = await runsOver(account, assistant, 1);
  expect(run).toMatchObject({
    outcome: 'answered',
    question: 'Are you open?',
    reply: 'You said: Are you open?',
    tokens: { input: 100, output: 20 },
  });
  const sent = await eventuallySentTo(account, customer);
  expect(sent).toMatchObject([{ text: 'You said: Are you open?', messageId: run?.messageId }]);
  expect(sent[0]?.origin).toEqual({
    kind: 'assistant',
    assistantId: assistant.assistantId,
    turnId: run?.turnId,
  });
  const { conversationId, botState, waitingSince } = await conversation();
  expect(botState).toBe('active');
  expect(waitingSince).not.toBeNull();
  expect(run?.conversationId).toBe(conversationId);
  const report = await ask('GET', assistantPath(assistant, '/report'), { headers: account.owner });
  expect(report.body).toMatchObject({
    answered: 1,
    handedOff: 0,
    handOffRate: 0,
    tokens: { input: 100, output: 20 },
  });
});

test('a long answer is several messages in their order, in the signs of the network', async () => {
  const { account, assistant, says } = await shop('paragraphs=4');
  await says('Tell me everything.');
  await runsOver(account, assistant, 1);
  const texts = (await eventuallySentTo(account, customer, 2)).map(({ text }) => text);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/^\*Part 1\.\* [\s\S]+\n\n\*Part 2\.\* [\s\S]+word\.$/);
  expect(texts[1]).toMatch(/^\*Part 3\.\* [\s\S]+\n\n\*Part 4\.\* [\s\S]+word\.$/);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(4_000);
});

test('a rule lets an assistant in that does not come by itself, and it answers that message first', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const other = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Another' } });
  const assistant = await makeAssistant(account, 'echo', { numberIds: [other.body.numberId] });
  const says = (text: string) => write(account, numberId, customer, text);
  await says('hello');
  const rule = await ask('POST', '/v1/automations', {
    headers: account.owner,
    json: {
      name: 'Ask the assistant',
      enabled: true,
      on: 'message.received',
      conditions: [{ field: 'text', operator: 'contains', value: 'help' }],
      actions: [{ type: 'start_assistant', assistantId: assistant.assistantId }],
    },
  });
  expect(rule.status).toBe(201);
  await says('please help');
  const [run] = await runsOver(account, assistant, 1);
  expect(run).toMatchObject({ outcome: 'answered', question: 'please help' });
  expect(await eventuallySentTo(account, customer)).toMatchObject([{ text: 'You said: please help' }]);
  expect((await conversationWith(account, numberId, customer)).botState).toBe('active');
});

test('a burst is waited out: three messages get one answer', async () => {
  const { account, assistant, says } = await shop('echo', { debounceSeconds: 2 });
  await says('hello');
  await says('I have a question');
  await says('when do you close?');
  const [run] = await runsOver(account, assistant, 1);
  expect(run?.reply).toBe('You said: hello / I have a question / when do you close?');
  expect(await eventuallySentTo(account, customer)).toHaveLength(1);
});

test('what is written while the model thinks is part of what is answered, and nothing is answered twice', async () => {
  const { account, assistant, says } = await shop('late=1500');
  await says('hello');
  await until(async () => (await askedOf(assistant)).length === 1);
  await says('are you there?');
  const [run, ...others] = await runsOver(account, assistant, 1);
  expect(others).toEqual([]);
  expect(run?.reply).toBe('You said: hello / are you there?');
  expect(await eventuallySentTo(account, customer)).toHaveLength(1);
  // What was thought in vain was paid all the same.
  expect(run?.tokens).toEqual({ input: 200, output: 40 });
});

test('the assistant knows the conversation so far, and who said what in it', async () => {
  const { account, assistant, says } = await shop('echo');
  await says('hello');
  await runsOver(account, assistant, 1);
  await says('and now?');
  await runsOver(account, assistant, 2);
  const last = (await askedOf(assistant)).at(-1)?.messages.slice(1);
  expect(last?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(last?.[1]?.content).toBe('You said: hello');
});

test('a person who answers from the inbox is not talked over, and the assistant stays silent from then on', async () => {
  const { account, numberId, assistant, says, conversation } = await shop('late=1500');
  await says('hello');
  await until(async () => (await askedOf(assistant)).length === 1);
  await personSays(account, numberId, 'Ada here, how can I help?');
  const [run] = await runsOver(account, assistant, 1);
  expect(run).toMatchObject({ outcome: 'dropped', reason: 'person_replied', reply: null });
  expect((await conversation()).botState).toBe('paused');
  await says('thanks');
  await later(account);
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([
    'Ada here, how can I help?',
  ]);
  expect(await runsOf(account, assistant)).toHaveLength(1);
});

test('the owner who answers on the phone silences it too', async () => {
  const { account, numberId, assistant, says, conversation } = await shop('late=1500');
  await says('hello');
  await until(async () => (await askedOf(assistant)).length === 1);
  await write(account, numberId, '15550000001', 'On my way.', { sentTo: customer });
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'dropped',
    reason: 'person_replied',
  });
  expect((await conversation()).botState).toBe('paused');
});

test('a person and the assistant in the same second: where the log has not heard of the person yet, the account lets them win', async () => {
  const { account, numberId } = await shop('echo');
  const since = Date.now();
  expect(await personSays(account, numberId, 'Ada here.')).toMatchObject({ ok: true });
  const machine = await env.ACCOUNT.getByName(account.accountId).sendAs({
    origin: { kind: 'assistant', assistantId: newUuid(), turnId: newUuid() },
    numberId,
    to: customer,
    chatType: 'personal',
    content: { type: 'text', text: 'I am a machine.' },
    idempotencyKey: 'assistant:1',
    unlessPersonSince: since,
  });
  expect(machine).toMatchObject({ ok: false, code: 'CONFLICT' });
  const sent = await eventuallySentTo(account, customer);
  expect(sent.map(({ text }) => text)).toEqual(['Ada here.']);
});

test('what comes in within the second of an answer is asked about behind that answer', async () => {
  const { account, numberId, assistant, says } = await shop('echo');
  await says('Are you open?');
  await runsOver(account, assistant, 1);
  const [answer] = await eventuallySentTo(account, customer);
  const at = secondOf(Date.parse(answer?.queuedAt));
  await write(account, numberId, customer, 'Until when?', { at });
  await runsOver(account, assistant, 2);
  const said = (await askedOf(assistant)).at(-1)?.messages.slice(-2);
  expect(said?.map(({ role }) => role)).toEqual(['assistant', 'user']);
  expect(said?.[1]?.content).toContain('Until when?');
});

test('a message that is deleted before it was answered is asked of no model, and goes to nobody', async () => {
  const { account, numberId, assistant, says, conversation } = await shop('echo', {
    handOff: { labels: ['needs a person'], message: 'One moment.' },
  });
  await says('hello');
  await runsOver(account, assistant, 1);
  await ask('PATCH', assistantPath(assistant), { headers: account.owner, json: { debounceSeconds: 60 } });
  const target = { providerMessageId: 'GONE', isOwn: false, author: customer };
  await write(account, numberId, customer, 'My password is secret.', {
    providerMessageId: target.providerMessageId,
  });
  const at = new Date().toISOString();
  const deleted = { chatType: 'personal' as const, chat: customer, from: customer, at, target };
  await logOf(env, account.accountId).take([
    {
      kind: 'message.changed',
      numberId,
      own: '15550000001',
      change: { ...deleted, change: 'deleted' },
    },
  ]);
  await later(account);
  expect((await runsOver(account, assistant, 2))[0]).toMatchObject({
    outcome: 'dropped',
    reason: 'nothing_to_answer',
  });
  expect(await askedOf(assistant)).toHaveLength(1);
  expect(await conversation()).toMatchObject({ botState: 'active', labels: [] });
});

test('a hand-off is done once: the labels, the message, a note with the reason, and silence afterwards', async () => {
  const handOff = { labels: ['needs a person'], message: 'One moment, a person takes over.' };
  const { account, assistant, says, conversation } = await shop('hand-off', { handOff });
  await says('I want to talk to somebody!');
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'handed_off',
    reason: 'asked',
    reply: handOff.message,
  });
  const { conversationId, botState, status, labels } = await conversation();
  expect({ botState, status, labels }).toEqual({
    botState: 'paused',
    status: 'open',
    labels: ['needs a person'],
  });
  await says('hello?');
  await later(account);
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([handOff.message]);
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) => {
    const notes = storage.sql.exec<{ text: string }>('SELECT text FROM conversation_notes').toArray();
    expect(notes).toEqual([
      { text: 'The assistant handed the conversation over. The customer wants a person.' },
    ]);
  });
  // People are through with it: what is written then is a new conversation to it.
  await logOf(env, account.accountId).changeConversation(
    conversationId,
    { status: 'resolved' },
    { kind: 'system' },
  );
  await says('one more thing');
  await until(async () => (await askedOf(assistant)).length === 2);
  const asked = (await askedOf(assistant)).at(-1)?.messages.at(-1)?.content;
  expect(asked).toContain('one more thing');
  expect(asked).not.toContain('I want to talk to somebody');
});

test.each(['status=500', 'bad-json', 'other-json', 'stream', 'refuse', 'empty', 'huge'])(
  'a model that goes on failing (%s) is asked three times, and then a person is: nobody is left without an answer',
  async (behaviour) => {
    const handOff = { labels: ['bot failed'], message: 'A person will look at it.' };
    const { account, assistant, says, conversation } = await shop(behaviour, { handOff });
    await says('hello');
    for (let tries = 1; tries <= 3; tries += 1) {
      await until(() => hasTried(account, tries));
      await later(account);
    }
    const [run] = await runsOver(account, assistant, 1);
    expect(run).toMatchObject({ outcome: 'handed_off', reason: 'model_failed' });
    expect(run?.error).toEqual(expect.any(String));
    expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([handOff.message]);
    expect((await conversation()).labels).toEqual(['bot failed']);
    expect(await askedOf(assistant)).toHaveLength(3);
  },
);

test('a provider that refuses the key is asked once, and a person at once', async () => {
  const handOff = { message: 'A person will look at it.' };
  const { account, assistant, says } = await shop('status=401', { handOff });
  await says('hello');
  const [run] = await runsOver(account, assistant, 1);
  expect(run).toMatchObject({
    ...{ outcome: 'handed_off', reason: 'model_failed', error: 'The provider refuses the API key (401).' },
  });
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([handOff.message]);
  expect(await askedOf(assistant)).toHaveLength(1);
});

test('a provider that asks to be left alone for a while is, and no person is called for that', async () => {
  const { account, assistant, says } = await shop('busy=40');
  await says('hello');
  await until(() => hasTried(account, 1));
  const [run] = await runsOf(account, assistant);
  expect(run).toMatchObject({ outcome: 'running', error: expect.stringContaining('429') });
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) => {
    const query = 'SELECT due_at - begun_at AS wait FROM assistant_turns';
    expect(storage.sql.exec<{ wait: number }>(query).one().wait).toBeGreaterThanOrEqual(40_000);
  });
});

test('a model that fails once is asked again, and nobody notices', async () => {
  const { account, assistant, says } = await shop('fail-once');
  await says('hello');
  await until(async () => (await runsOf(account, assistant))[0]?.error?.includes('500'));
  await later(account);
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'answered',
    reply: 'You said: hello',
  });
  expect(await eventuallySentTo(account, customer)).toHaveLength(1);
});

test.each([
  ['a conversation', 'conversation_budget', { conversationTokenBudget: 1_000 }],
  ['a day', 'daily_budget', { dailyTokenBudget: 1_000 }],
])(
  'the tokens of %s are used up: a person takes over, and the model is not asked',
  async (_what, reason, fields) => {
    const { account, assistant, says, conversation } = await shop('echo', fields);
    await says('hello');
    await runsOver(account, assistant, 1);
    await runInDurableObject(logOf(env, account.accountId), (_, { storage }) => {
      storage.sql.exec('UPDATE assistant_memories SET tokens = 1000');
      storage.sql.exec('UPDATE assistant_days SET input_tokens = 1000');
    });
    await says('and more?');
    const [run] = await runsOver(account, assistant, 2);
    expect(run).toMatchObject({ outcome: 'handed_off', reason });
    expect((await conversation()).botState).toBe('paused');
    expect(await askedOf(assistant)).toHaveLength(1);
  },
);

test('the tokens of a server that counts none are estimated, so that its budget ends too', async () => {
  const { account, assistant, says } = await shop('uncounted', { conversationTokenBudget: 1_000 });
  await says('hello');
  const [first] = await runsOver(account, assistant, 1);
  expect(first?.tokens.input).toBeGreaterThan(200);
  expect(first?.tokens.output).toBeGreaterThan(2);
  await says('word '.repeat(700));
  await runsOver(account, assistant, 2);
  await says('and more?');
  const [run] = await runsOver(account, assistant, 3);
  expect(run).toMatchObject({ outcome: 'handed_off', reason: 'conversation_budget' });
});

test('a model that hangs holds up no other account: the next answer comes while it is still waited for', async () => {
  const slow = await shop('held');
  const quick = await shop('echo');
  await slow.says('hello');
  await until(async () => (await askedOf(slow.assistant)).length > 0);
  await quick.says('hello');
  expect((await runsOver(quick.account, quick.assistant, 1))[0]).toMatchObject({ outcome: 'answered' });
  expect((await runsOf(slow.account, slow.assistant))[0]).toMatchObject({ outcome: 'running' });
  await release(slow.assistant);
  expect((await runsOver(slow.account, slow.assistant, 1))[0]).toMatchObject({ outcome: 'answered' });
});

test('opt-out words are never its business', async () => {
  const { account, assistant, says } = await shop('echo', { debounceSeconds: 5 });
  await says('hello');
  await says('Stop.');
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'dropped',
    reason: 'opted_out',
  });
  expect(await sentTo(account, customer)).toEqual([]);
});

test('an assistant that is switched off, or not for this number, says nothing', async () => {
  const { account, numberId, assistant, says } = await shop('echo', { debounceSeconds: 1 });
  await says('hello');
  await ask('PATCH', assistantPath(assistant), { headers: account.owner, json: { enabled: false } });
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'dropped',
    reason: 'switched_off',
  });
  const other = await addConnectedNumber(account, '15550000002');
  const elsewhere = { enabled: true, numberIds: [other] };
  await ask('PATCH', assistantPath(assistant), { headers: account.owner, json: elsewhere });
  await write(account, numberId, '628555000111', 'hello');
  await write(account, other, '628555000222', 'hello');
  await eventuallySentTo(account, '628555000222');
  expect(await sentTo(account, '628555000111')).toEqual([]);
});

test('an agent pauses it, lets it answer again from there on, and has it hand over', async () => {
  const { account, assistant, says, conversation } = await shop('echo', {
    handOff: { message: 'A person takes over.' },
  });
  await says('hello');
  await runsOver(account, assistant, 1);
  const { conversationId } = await conversation();
  const agent = await addAgent(account);
  const { body } = await ask('POST', '/v1/auth/login', {
    json: { email: agent.email, password: agent.password },
  });
  const headers = { Authorization: `Bearer ${body.token}` };
  expect((await order(account, conversationId, 'pause', headers)).body).toEqual({
    conversationId,
    botState: 'paused',
  });
  await says('still there?');
  await later(account);
  expect(await runsOf(account, assistant)).toHaveLength(1);
  expect((await order(account, conversationId, 'resume', headers)).body.botState).toBe('active');
  await says('and now?');
  const [run] = await runsOver(account, assistant, 2);
  expect(run?.reply).toBe('You said: and now?');
  expect((await order(account, conversationId, 'hand_off', headers)).body.botState).toBe('paused');
  expect((await order(account, newUuid(), 'pause', headers)).status).toBe(404);
});

/** Somebody has written, and it is decided what the assistant says to it; nobody has sent that. */
async function decidedAnswer({ account, assistant, says }: Awaited<ReturnType<typeof shop>>, text: string) {
  await says('hello');
  const log = logOf(env, account.accountId);
  await runInDurableObject(log, (_, { storage }) => {
    storage.sql.exec('UPDATE assistant_turns SET due_at = 1');
  });
  const [{ turnId } = { turnId: '' }] = await runsOf(account, assistant);
  const claimed = await log.claimTurn(turnId);
  if (claimed.todo !== 'answer') throw new Error('the turn is not to be answered');
  const detail = { model: 'm', durationMs: 1, sources: [], toolCalls: [], error: null };
  const thought: Thought = {
    outcome: 'answer',
    text,
    tokens: { input: 1, output: 1 },
    cost: null,
    labels: [],
    detail,
  };
  expect((await log.decideTurn(turnId, claimed.lease, thought)).order).toMatchObject({ text });
  return turnId;
}

test('a crash after it was decided sends what was decided, once', async () => {
  const the = await shop('echo', { debounceSeconds: 60 });
  const { account, assistant } = the;
  await decidedAnswer(the, 'Good day.');
  // Nobody sent it. The log rings again, perhaps twice.
  await later(account);
  await later(account);
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({
    outcome: 'answered',
    reply: 'Good day.',
  });
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual(['Good day.']);
  expect(await askedOf(assistant)).toEqual([]);
});

test.each(['a person replies', 'an agent pauses it'])(
  'an answer that the account has taken is told as answered, though %s before anybody has reported it',
  async (what) => {
    const the = await shop('echo', { debounceSeconds: 60 });
    const { account, assistant, numberId, conversation } = the;
    const turnId = await decidedAnswer(the, 'Good day.');
    if (what === 'an agent pauses it') await order(account, (await conversation()).conversationId, 'pause');
    // Whoever handed it over is gone before it could say so.
    const taken = await env.ACCOUNT.getByName(account.accountId).sendAs({
      origin: { kind: 'assistant', assistantId: assistant.assistantId, turnId },
      numberId,
      to: customer,
      chatType: 'personal',
      content: { type: 'text', text: 'Good day.' },
      idempotencyKey: null,
    });
    if (!taken.ok) throw new Error(taken.message);
    if (what === 'a person replies') await personSays(account, numberId, 'Ada here.');
    await eventuallySentTo(account, customer, what === 'a person replies' ? 2 : 1);
    const [run] = await runsOf(account, assistant);
    expect(run).toMatchObject({ outcome: 'answered', reason: null, messageId: taken.answer.messageId });
    const report = await ask('GET', assistantPath(assistant, '/report'), { headers: account.owner });
    expect(report.body.answered).toBe(1);
  },
);

test('of thirty conversations, while the log loses its memory and its bells, each is answered once', async () => {
  const { account, assistant, says } = await shop('late=100');
  const people = Array.from({ length: 30 }, (_, index) => `6285550${String(index).padStart(5, '0')}`);
  for (const [index, person] of people.entries()) {
    await says(`question ${index}`, person);
    if (index % 10 === 9) await evictDurableObject(logOf(env, account.accountId));
    // With the one at the end these are two: after a third interruption a person would be asked.
    if (index === 14) await later(account);
  }
  await later(account);
  await eventually(async () => (await runsOf(account, assistant, '?outcome=running&limit=200')).length === 0);
  for (const [index, person] of people.entries()) {
    const sent = await eventuallySentTo(account, person);
    expect(
      sent.map(({ text }) => text),
      person,
    ).toEqual([`You said: question ${index}`]);
  }
  const runs = await runsOf(account, assistant, '?limit=200');
  expect(runs.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 30 }, () => 'answered'));
});
