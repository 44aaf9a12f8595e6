import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { wrote } from '../../durable/automations/automation-fixture.ts';
import { assistantPath, makeAssistant } from '../assistants/assistant-fixture.ts';
import { conversationWith, runsOver, write } from '../assistants/talking.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { addAgent } from '../openapi/openapi-arrangements.ts';

const customer = '628123456789';

const create = ({ owner }: TestAccount, ...actions: object[]) =>
  ask('POST', '/v1/automations', {
    headers: owner,
    json: { name: 'Rule', on: 'message.received', actions },
  });

const newTeam = async ({ owner }: TestAccount): Promise<string> =>
  (await ask('POST', '/v1/teams', { headers: owner, json: { name: 'Sales' } })).body.teamId;

async function agentOf(account: TestAccount): Promise<string> {
  const agent = await addAgent(account);
  const { body } = await ask('GET', '/v1/auth/members', { headers: account.owner });
  return body.data.find(({ email }: { email: string }) => email === agent.email).userId;
}

/** What became of the actions of the only run of a rule, once there is one. */
const outcomes = (account: TestAccount, automationId: string) =>
  eventually(async () => {
    const path = `/v1/automations/${automationId}/runs?ran=true`;
    const { body } = await ask('GET', path, { headers: account.owner });
    return body.data[0]?.actions;
  });

test.each([
  ['a person', { type: 'assign', assigneeId: crypto.randomUUID() }, 'actions.1.assigneeId'],
  ['a team', { type: 'assign', teamId: crypto.randomUUID() }, 'actions.1.teamId'],
  ['an assistant', { type: 'start_assistant', assistantId: crypto.randomUUID() }, 'actions.1.assistantId'],
])('a rule that names %s that the account does not have is not saved', async (_what, action, path) => {
  const account = await openAccount();
  const note = { type: 'note', text: 'x' };
  const made = await create(account, note, action);
  expect(made.status).toBe(400);
  expect(made.body.error.details).toEqual([{ path, message: expect.stringMatching(/has no such/) }]);
  const plain = await create(account, note);
  const changed = await ask('PATCH', `/v1/automations/${plain.body.automationId}`, {
    headers: account.owner,
    json: { actions: [note, action] },
  });
  expect(changed.status).toBe(400);
});

test('a rule for a team that is gone is renamed and switched off, and on again only for one that is there', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const [teamId, another] = [await newTeam(account), await newTeam(account)];
  const { body: rule } = await create(account, { type: 'assign', teamId });
  const change = (json: object) => ask('PATCH', `/v1/automations/${rule.automationId}`, { headers, json });
  expect((await ask('DELETE', `/v1/teams/${teamId}`, { headers })).status).toBe(204);
  expect(await change({ name: 'Old', cooldownSeconds: 60 })).toMatchObject({
    status: 200,
    body: { name: 'Old' },
  });
  expect(await change({ enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
  expect(await change({ enabled: true })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'actions.0.teamId' }] } },
  });
  const actions = [{ type: 'assign', teamId: another }];
  expect(await change({ enabled: true, actions })).toMatchObject({ status: 200, body: { enabled: true } });
});

test('somebody else’s people, teams and assistants are nobody', async () => {
  const [account, stranger] = [await openAccount(), await openAccount()];
  const { assistantId } = await makeAssistant(stranger, 'echo');
  for (const action of [
    { type: 'assign', assigneeId: await agentOf(stranger) },
    { type: 'assign', teamId: await newTeam(stranger) },
    { type: 'start_assistant', assistantId },
  ]) {
    expect((await create(account, action)).status, action.type).toBe(400);
  }
  const [own, theirs] = [await addConnectedNumber(account), await addConnectedNumber(stranger)];
  const rule = { name: 'Rule', on: 'message.received', actions: [{ type: 'note', text: 'x' }] };
  const conditions = [{ field: 'numberId', operator: 'in', value: [own, theirs] }];
  const refused = await ask('POST', '/v1/automations', {
    headers: account.owner,
    json: { ...rule, conditions },
  });
  expect(refused.body.error.details).toMatchObject([{ path: 'conditions.0.value' }]);
});

test('whom a rule assigns to may be gone when it runs: the run says so, and its other actions are done', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const [userId, teamId] = [await agentOf(account), await newTeam(account)];
  const { body } = await create(
    account,
    { type: 'assign', assigneeId: userId },
    { type: 'assign', teamId },
    { type: 'label', add: ['seen'] },
  );
  expect((await ask('DELETE', `/v1/teams/${teamId}`, { headers: account.owner })).status).toBe(204);
  const member = await ask('DELETE', `/v1/auth/members/${userId}`, { headers: account.owner });
  expect(member.status).toBe(204);
  await logOf(env, account.accountId).take([wrote(numberId, 'hello', { from: customer })]);
  expect(await outcomes(account, body.automationId)).toMatchObject([
    { type: 'assign', state: 'skipped', reason: 'unknown' },
    { type: 'assign', state: 'skipped', reason: 'unknown' },
    { type: 'label', state: 'done' },
  ]);
  const { assigneeId, teamId: team, labels } = await conversationWith(account, numberId, customer);
  expect({ assigneeId, team, labels }).toEqual({ assigneeId: null, team: null, labels: ['seen'] });
});

test('a rule assigns to a person and a team that are there', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const [assigneeId, teamId] = [await agentOf(account), await newTeam(account)];
  const { body } = await create(account, { type: 'assign', assigneeId, teamId });
  await logOf(env, account.accountId).take([wrote(numberId, 'hello', { from: customer })]);
  expect(await outcomes(account, body.automationId)).toMatchObject([{ type: 'assign', state: 'done' }]);
  expect(await conversationWith(account, numberId, customer)).toMatchObject({ assigneeId, teamId });
});

test('an assistant hands over to a team that is there, and to everybody once the team is gone', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const none = await ask('POST', '/v1/assistants', {
    headers: account.owner,
    json: {
      name: 'x',
      provider: { kind: 'workers_ai', model: 'm' },
      instructions: 'x',
      handOff: { teamId: crypto.randomUUID() },
    },
  });
  expect(none.body.error?.details).toEqual([
    { path: 'handOff.teamId', message: 'The account has no such team.' },
  ]);
  const teamId = await newTeam(account);
  const assistant = await makeAssistant(account, 'hand-off', { handOff: { teamId } });
  const elsewhere = { handOff: { teamId: crypto.randomUUID() } };
  const changed = await ask('PATCH', assistantPath(assistant), { headers: account.owner, json: elsewhere });
  expect(changed.status).toBe(400);
  await write(account, numberId, customer, 'A person, please.');
  await runsOver(account, assistant, 1);
  expect(await conversationWith(account, numberId, customer)).toMatchObject({ teamId, botState: 'paused' });
  await ask('DELETE', `/v1/teams/${teamId}`, { headers: account.owner });
  await write(account, numberId, '628555000111', 'A person, please.');
  await runsOver(account, assistant, 2);
  expect(await conversationWith(account, numberId, '628555000111')).toMatchObject({
    teamId: null,
    botState: 'paused',
    status: 'open',
  });
});
