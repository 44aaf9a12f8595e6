import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { makeAssistant } from '../assistants/assistant-fixture.ts';
import { ask, openAccount } from '../front-door.ts';

const account = await openAccount();
const { owner } = account;
const { assistantId } = await makeAssistant(account, 'echo', { enabled: false });
const rule = { name: 'Rule', on: 'message.received', actions: [{ type: 'note', text: 'x' }] };
const made = await ask('POST', '/v1/automations', { headers: owner, json: rule });
const automation = `/v1/automations/${made.body.automationId}`;
const assistant = `/v1/assistants/${assistantId}`;
const provider = { kind: 'openai_compatible', baseUrl: 'https://models.example/v1', model: 'm' };
const desk = { name: 'Desk', provider, instructions: 'Be kind.' };
const tool = { name: 'order_state', description: 'State of an order', url: 'https://example.com/{id}' };
const id = { name: 'id' };

const everything = async () => [
  (await env.DB.prepare('select * from automations order by id').all()).results,
  (await env.DB.prepare('select * from assistants order by id').all()).results,
  (await ask('GET', `${assistant}/documents`, { headers: owner })).body,
];
const before = await everything();

const create = (fields: object): [string, string, unknown] => [
  'POST',
  '/v1/automations',
  { ...rule, ...fields },
];
const when = (condition: object) => create({ conditions: [condition] });
const does = (action: object) => create({ actions: [action] });
const make = (fields: object): [string, string, unknown] => [
  'POST',
  '/v1/assistants',
  { ...desk, ...fields },
];
const withTool = (fields: object) => make({ tools: { http: [{ ...tool, parameters: [id], ...fields }] } });

test.each<[string, [string, string, unknown], string]>([
  ['a rule without a name', ['POST', '/v1/automations', { ...rule, name: undefined }], 'name'],
  ['a rule without actions', create({ actions: [] }), 'actions'],
  ['a rule of an unknown event', create({ on: 'message.sent' }), 'on'],
  ['a rule that waits for nothing', create({ on: 'conversation.waiting' }), 'waitingMinutes'],
  ['a rule with minutes that are not waited', create({ waitingMinutes: 5 }), 'waitingMinutes'],
  ['a rule with an unknown field', create({ colour: 'red' }), 'colour'],
  ['a condition on nothing', when({ field: 'mood', operator: 'equals', value: 'x' }), 'conditions.0.field'],
  [
    'an operator that does not fit',
    when({ field: 'country', operator: 'matches', value: 'ID' }),
    'conditions.0.operator',
  ],
  ['a pattern that is none', when({ field: 'text', operator: 'matches', value: '(' }), 'conditions.0.value'],
  [
    'a country in three letters',
    when({ field: 'country', operator: 'equals', value: 'IDN' }),
    'conditions.0.value',
  ],
  [
    'a number of somebody else',
    when({ field: 'numberId', operator: 'equals', value: crypto.randomUUID() }),
    'conditions.0.value',
  ],
  ['a reply of nothing', does({ type: 'reply' }), 'actions.0.text'],
  [
    'a reply in a year',
    does({ type: 'reply', text: 'x', delaySeconds: 31_536_000 }),
    'actions.0.delaySeconds',
  ],
  ['a webhook inside', does({ type: 'call_webhook', url: 'http://169.254.169.254/' }), 'actions.0.url'],
  ['an assignment to nobody', does({ type: 'assign' }), 'actions.0.assigneeId'],
  ['a stop in the middle', create({ actions: [{ type: 'stop' }, rule.actions[0]] }), 'actions.0.type'],
  ['a rule that rests below nothing', create({ cooldownSeconds: -1 }), 'cooldownSeconds'],
  ['a place before the first', ['PATCH', automation, { position: -1 }], 'position'],
  ['a dry run of the future', ['POST', `${automation}/dry-run`, { since: 'tomorrow' }], 'since'],
  ['runs by a wrong word', ['GET', `${automation}/runs?ran=perhaps`, undefined], 'ran'],
  ['an assistant without instructions', make({ instructions: ' ' }), 'instructions'],
  [
    'a provider inside',
    make({ provider: { ...provider, baseUrl: 'http://10.0.0.1/v1' } }),
    'provider.baseUrl',
  ],
  ['a provider without an address', make({ provider: { ...provider, baseUrl: null } }), 'provider.baseUrl'],
  ['a budget of nothing', make({ dailyTokenBudget: 0 }), 'dailyTokenBudget'],
  ['a wait of an hour', make({ debounceSeconds: 3_600 }), 'debounceSeconds'],
  ['a number that is not there', make({ numberIds: [crypto.randomUUID()] }), 'numberIds.0'],
  ['a team that is not there', make({ handOff: { teamId: crypto.randomUUID() } }), 'handOff.teamId'],
  ['a tool named as one of ours', withTool({ name: 'hand_off' }), 'tools.http.0.name'],
  ['a tool that chooses its host', withTool({ url: 'https://{id}.example.com/' }), 'tools.http.0.url'],
  ['a tool inside', withTool({ url: 'http://10.0.0.1:22/{id}' }), 'tools.http.0.url'],
  ['a placeholder of nothing', withTool({ url: 'https://example.com/{other}' }), 'tools.http.0.url'],
  ['a header without a value', withTool({ headers: [{ name: 'X-Key' }] }), 'tools.http.0.headers.0.value'],
  ['a document of nothing', ['POST', `${assistant}/documents`, { name: 'x' }], 'text'],
  ['a page inside', ['POST', `${assistant}/documents`, { url: 'http://10.0.0.1/' }], 'url'],
  ['a trial of nothing', ['POST', `${assistant}/try`, { messages: [] }], 'messages'],
  [
    'a trial by somebody else',
    ['POST', `${assistant}/try`, { messages: [{ from: 'system', text: 'x' }] }],
    'messages.0.from',
  ],
  ['a report of a century', ['GET', `${assistant}/report?days=36500`, undefined], 'days'],
  ['runs of a wrong outcome', ['GET', `${assistant}/runs?outcome=lost`, undefined], 'outcome'],
])('%s is refused by its field, and changes nothing', async (_what, [method, path, json], field) => {
  const answer = await ask(method, path, { headers: owner, ...(json !== undefined && { json }) });
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
  });
  expect(answer.body.error.details[0]).toEqual({ path: field, message: expect.stringMatching(/\S/) });
  expect(await everything()).toEqual(before);
});
