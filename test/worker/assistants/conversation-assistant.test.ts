import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';
import { askedOf, assistantPath, makeAssistant } from './assistant-fixture.ts';
import { conversationWith, eventuallySentTo, runsOver, secondOf, sentTo, write } from './talking.ts';

const customer = '628123456789';

async function shop(behaviour = 'echo', fields: Record<string, unknown> = {}) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, behaviour, fields);
  await write(account, numberId, customer, 'hello');
  const { conversationId } = await conversationWith(account, numberId, customer);
  return { account, numberId, assistant, conversationId };
}

async function agentOf(account: TestAccount) {
  const agent = await addAgent(account);
  const json = { email: agent.email, password: agent.password };
  const { body } = await ask('POST', '/v1/auth/login', { json });
  return { ...agent, headers: { Authorization: `Bearer ${body.token}` } };
}

const order = (headers: Record<string, string>, conversationId: string, json: object) =>
  ask('POST', `/v1/conversations/${conversationId}/assistant`, { headers, json });

test('an agent sees who answers, and how it came to a message', async () => {
  const { account, assistant, conversationId } = await shop();
  const [run] = await runsOver(account, assistant, 1);
  const agent = await agentOf(account);
  const { headers } = agent;
  const standing = await ask('GET', `/v1/conversations/${conversationId}/assistant`, { headers });
  const desk = { assistantId: assistant.assistantId, name: 'Front desk' };
  expect(standing.body).toEqual({
    conversationId,
    botState: 'active',
    assistant: desk,
    isAnswering: false,
    available: [desk],
  });
  const shown = await ask('GET', `/v1/conversations/${conversationId}/assistant/runs/${run?.turnId}`, {
    headers,
  });
  expect(shown.body).toEqual(run);
  expect((await ask('GET', `/v1/assistants/${assistant.assistantId}`, { headers })).status).toBe(403);
});

test('a run is shown with its own conversation alone', async () => {
  const { account, numberId, assistant, conversationId } = await shop();
  await write(account, numberId, '628555000111', 'hello');
  const runs = await runsOver(account, assistant, 2);
  const { owner: headers } = account;
  const path = (conversation: string, turnId: string) =>
    `/v1/conversations/${conversation}/assistant/runs/${turnId}`;
  const other = runs.find((run) => run.conversationId !== conversationId);
  for (const missing of [
    path(conversationId, other?.turnId),
    path(conversationId, newUuid()),
    path(newUuid(), other?.turnId),
  ]) {
    expect((await ask('GET', missing, { headers })).status, missing).toBe(404);
  }
  const stranger = await openAccount();
  const own = path(conversationId, runs.find((run) => run !== other)?.turnId);
  expect((await ask('GET', own, { headers })).status).toBe(200);
  expect((await ask('GET', own, { headers: stranger.owner })).status).toBe(404);
});

test('who takes over has the conversation, and what the assistant was about to say is not said', async () => {
  const { account, assistant, conversationId, numberId } = await shop('echo', { debounceSeconds: 60 });
  const agent = await agentOf(account);
  const taken = await order(agent.headers, conversationId, { action: 'take_over' });
  expect(taken.body).toEqual({ conversationId, botState: 'paused' });
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({ outcome: 'dropped', reason: 'paused' });
  expect((await conversationWith(account, numberId, customer)).assigneeId).toBe(agent.userId);
  expect(await sentTo(account, customer)).toEqual([]);
  const { body } = await ask('GET', `/v1/conversations/${conversationId}/activity`, {
    headers: account.owner,
  });
  const paused = { action: 'bot', from: 'active', to: 'paused' };
  expect(body.data).toContainEqual(expect.objectContaining(paused));
  const done = JSON.stringify(body.data);
  expect(done).toContain(agent.userId);
  expect(done).toContain('assignee');
});

test('an agent sees and orders no assistant in a conversation that is not for them', async () => {
  const { account, numberId, conversationId } = await shop();
  const agent = await agentOf(account);
  const { headers } = agent;
  const team = await ask('POST', '/v1/teams', { headers: account.owner, json: { name: 'Sales' } });
  const limited = await ask('PATCH', `/v1/numbers/${numberId}`, {
    headers: account.owner,
    json: { teamIds: [team.body.teamId] },
  });
  expect(limited.status).toBe(200);
  const path = `/v1/conversations/${conversationId}/assistant`;
  expect((await ask('GET', path, { headers })).status).toBe(404);
  expect((await order(headers, conversationId, { action: 'pause' })).status).toBe(404);
  expect((await ask('GET', path, { headers: account.owner })).body.botState).toBe('active');
});

test('a hand-off that a person asks for is said once, and the next message is theirs', async () => {
  const message = 'A person takes over.';
  const { account, assistant, conversationId } = await shop('late=1500', {
    debounceSeconds: 60,
    handOff: { message },
  });
  await order(account.owner, conversationId, { action: 'hand_off' });
  await order(account.owner, conversationId, { action: 'hand_off' });
  expect((await runsOver(account, assistant, 1))[0]).toMatchObject({ reason: 'person_asked' });
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([message]);
});

test('between two answers a person has the assistant hand over: the customer is told once, under a run of its own', async () => {
  const message = 'A person takes over.';
  const { account, assistant, conversationId, numberId } = await shop('echo', {
    handOff: { labels: ['needs a person'], message },
  });
  const [answered] = await runsOver(account, assistant, 1);
  const handedOff = await order(account.owner, conversationId, { action: 'hand_off' });
  expect(handedOff.body).toEqual({ conversationId, botState: 'paused' });
  await order(account.owner, conversationId, { action: 'hand_off' });
  const sent = await eventuallySentTo(account, customer, 2);
  expect(sent.map(({ text }) => text)).toEqual([answered?.reply, message]);
  const [run, ...others] = await runsOver(account, assistant, 2);
  expect(others).toEqual([answered]);
  expect(run).toMatchObject({
    outcome: 'handed_off',
    reason: 'person_asked',
    question: 'hello',
    reply: message,
    messageId: sent[1]?.messageId,
  });
  expect(sent[1]?.origin).toMatchObject({ kind: 'assistant', turnId: run?.turnId });
  expect((await conversationWith(account, numberId, customer)).labels).toEqual(['needs a person']);
});

test.for([
  { where: 'its team', isGone: false },
  { where: 'no team where that is gone', isGone: true },
])('a conversation that an assistant hands over goes to $where', async ({ isGone }) => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const headers = account.owner;
  const { teamId } = (await ask('POST', '/v1/teams', { headers, json: { name: 'Sales' } })).body;
  const handOff = { labels: ['needs a person'], teamId };
  await makeAssistant(account, 'echo', { debounceSeconds: 60, handOff });
  await write(account, numberId, customer, 'hello');
  const { conversationId } = await conversationWith(account, numberId, customer);
  if (isGone) await ask('DELETE', `/v1/teams/${teamId}`, { headers });
  const handedOff = await order(headers, conversationId, { action: 'hand_off' });
  expect(handedOff.body).toEqual({ conversationId, botState: 'paused' });
  expect(await conversationWith(account, numberId, customer)).toMatchObject({
    labels: handOff.labels,
    teamId: isGone ? null : teamId,
  });
});

test('an assistant that is paused hands over without a word', async () => {
  const { account, assistant, conversationId, numberId } = await shop('echo', {
    handOff: { labels: ['needs a person'], message: 'A person takes over.' },
  });
  const [answered] = await runsOver(account, assistant, 1);
  await order(account.owner, conversationId, { action: 'pause' });
  await order(account.owner, conversationId, { action: 'hand_off' });
  expect((await conversationWith(account, numberId, customer)).labels).toEqual(['needs a person']);
  expect((await eventuallySentTo(account, customer)).map(({ text }) => text)).toEqual([answered?.reply]);
  expect(await runsOver(account, assistant, 1)).toEqual([answered]);
});

test('what comes in within the second in which it was resumed is answered, and remembered', async () => {
  const { account, assistant, conversationId, numberId } = await shop();
  await runsOver(account, assistant, 1);
  await order(account.owner, conversationId, { action: 'pause' });
  const second = secondOf(Date.now());
  await order(account.owner, conversationId, { action: 'resume' });
  await write(account, numberId, customer, 'and now?', { at: second });
  const [run] = await runsOver(account, assistant, 2);
  expect(run).toMatchObject({ outcome: 'answered', reply: 'You said: and now?' });
  await write(account, numberId, customer, 'and then?');
  await runsOver(account, assistant, 3);
  const said = (await askedOf(assistant)).at(-1)?.messages.slice(-3);
  expect(said?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(said?.[0]?.content).toContain('and now?');
});

test.each([
  ['no action', {}, 'action'],
  ['an action that there is not', { action: 'silence' }, 'action'],
  ['an assistant that is no id', { action: 'resume', assistantId: 'desk' }, 'assistantId'],
  ['an unknown field', { action: 'pause', until: 'noon' }, 'until'],
])('%s is refused, and changes nothing', async (_what, json, field) => {
  const { account, assistant, conversationId } = await shop();
  await runsOver(account, assistant, 1);
  const answer = await order(account.owner, conversationId, json);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  expect(answer.body.error.details[0].path).toBe(field);
  const standing = await ask('GET', `/v1/conversations/${conversationId}/assistant`, {
    headers: account.owner,
  });
  expect(standing.body.botState).toBe('active');
});

test('an assistant that the account does not have, or that is off, is not let in', async () => {
  const { account, assistant, conversationId } = await shop();
  await runsOver(account, assistant, 1);
  const stranger = await makeAssistant(await openAccount(), 'echo');
  for (const assistantId of [newUuid(), stranger.assistantId]) {
    expect((await order(account.owner, conversationId, { action: 'resume', assistantId })).status).toBe(409);
  }
  // Nor is one that is deleted, from then on.
  const { assistantId } = assistant;
  await ask('DELETE', assistantPath(assistant), { headers: account.owner });
  expect((await order(account.owner, conversationId, { action: 'resume', assistantId })).status).toBe(409);
});

test('in a group no assistant is to be had', async () => {
  const { account, numberId } = await shop();
  const groupId = '120363000000000000@g.us';
  await write(account, numberId, customer, 'hello', { chatType: 'group', groupId });
  const inGroup = await logOf(env, account.accountId).conversationOf({ numberId, groupId });
  const path = `/v1/conversations/${inGroup?.conversationId}/assistant`;
  const { status, body } = await ask('GET', path, { headers: account.owner });
  expect({ status, body }).toMatchObject({ status: 200, body: { assistant: null, available: [] } });
});
