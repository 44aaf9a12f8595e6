import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/worker/db/database.ts';
import { findAssistant, updateAssistant } from '../../../src/worker/features/assistants/rows.ts';
import { ask, openAccount } from '../front-door.ts';
import {
  askedOf,
  assistantPath,
  makeAssistant,
  modelServer,
  modelThat,
  provider,
  serverOrigin,
  tryIt,
} from './assistant-fixture.ts';

const plain = { name: 'Front desk', instructions: 'Be kind.' };

test('an assistant is made, shown without its key, changed and deleted, and each change is in the audit log', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const json = { ...plain, provider: provider(modelThat('echo')) };
  const made = await ask('POST', '/v1/assistants', { headers, json });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    name: 'Front desk',
    enabled: false,
    numberIds: 'all',
    provider: { kind: 'openai_compatible', hasApiKey: true, prices: null },
    knowledge: { documents: 0, chunks: 0 },
    tools: { lookUpContact: true, labels: [], http: [] },
    hours: 'always',
    debounceSeconds: 4,
  });
  expect(made.text).not.toContain('model-key-1234');
  const path = `/v1/assistants/${made.body.assistantId}`;
  const changed = await ask('PATCH', path, {
    headers,
    json: { enabled: true, introduction: 'I am automatic.' },
  });
  expect(changed.body).toMatchObject({
    enabled: true,
    introduction: 'I am automatic.',
    instructions: 'Be kind.',
  });
  expect((await ask('GET', '/v1/assistants', { headers })).body.data).toEqual([changed.body]);
  expect((await ask('DELETE', path, { headers })).status).toBe(204);
  expect((await ask('GET', path, { headers })).status).toBe(404);
  const audited = await ask('GET', '/v1/audit-log', { headers });
  const actions = audited.body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(['assistant.created', 'assistant.updated', 'assistant.deleted']),
  );
});

test('the key of a provider goes with the requests to its own server, and is asked for again for another one', async () => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'echo');
  expect(await tryIt(account, assistant, 'hello')).toMatchObject({
    outcome: 'answer',
    text: 'You said: hello',
  });
  expect((await askedOf(assistant))[0]?.authorization).toBe('Bearer model-key-1234');
  const { owner: headers } = account;
  const moved = { kind: 'openai_compatible', baseUrl: 'https://models.example/v1', model: 'x' };
  const refused = await ask('PATCH', assistantPath(assistant), { headers, json: { provider: moved } });
  expect(refused.body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: [{ path: 'provider.apiKey', message: expect.stringMatching(/another server/) }],
  });
  const kept = { kind: 'openai_compatible', baseUrl: modelServer, model: 'x' };
  const same = await ask('PATCH', assistantPath(assistant), { headers, json: { provider: kept } });
  expect(same.body.provider).toMatchObject({ model: 'x', hasApiKey: true });
  const without = { ...kept, apiKey: null };
  const gone = await ask('PATCH', assistantPath(assistant), { headers, json: { provider: without } });
  expect(gone.body.provider.hasApiKey).toBe(false);
});

const bad: Record<string, [Record<string, unknown>, string]> = {
  'an address in a private network': [
    { provider: { ...provider('m'), baseUrl: 'https://10.0.0.1/v1' } },
    'provider.baseUrl',
  ],
  'an address of Workers AI': [
    { provider: { kind: 'workers_ai', baseUrl: modelServer, model: 'm' } },
    'provider.baseUrl',
  ],
  'a number of another account': [{ numberIds: [crypto.randomUUID()] }, 'numberIds.0'],
  'blank instructions': [{ instructions: ' ' }, 'instructions'],
  'an unknown field': [{ temperature: 1 }, 'temperature'],
  'a tool at the metadata of a cloud': [
    { tools: { http: [{ name: 'get_it', description: 'x', url: 'http://169.254.169.254/' }] } },
    'tools.http.0.url',
  ],
  'a tool whose host the model would choose': [
    {
      tools: {
        http: [{ name: 'get_it', description: 'x', url: 'https://{host}/', parameters: [{ name: 'host' }] }],
      },
    },
    'tools.http.0.url',
  ],
  'a tool with a name that is taken': [
    { tools: { http: [{ name: 'hand_off', description: 'x', url: 'https://example.com/' }] } },
    'tools.http.0.name',
  ],
  'a header without a value': [
    {
      tools: {
        http: [
          { name: 'get_it', description: 'x', url: 'https://example.com/', headers: [{ name: 'X-Key' }] },
        ],
      },
    },
    'tools.http.0.headers.0.value',
  ],
};

test.each(Object.entries(bad))('%s is refused, and the field is named', async (_what, [fields, path]) => {
  const { owner: headers } = await openAccount();
  const json = { ...plain, provider: provider('m'), ...fields };
  const { status, body } = await ask('POST', '/v1/assistants', { headers, json });
  expect({ status, path: body.error?.details?.[0]?.path }).toEqual({ status: 400, path });
});

test('a trial says what it would answer, from which documents, by which tools, for how many tokens, and sends nothing', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const prices = { inputPerMillion: 1, outputPerMillion: 10 };
  const assistant = await makeAssistant(account, 'search');
  const model = { ...provider(assistant.model), prices };
  await ask('PATCH', assistantPath(assistant), { headers, json: { provider: model } });
  const document = { name: 'Returns', text: 'A lamp can be sent back within 30 days.' };
  await ask('POST', assistantPath(assistant, '/documents'), { headers, json: document });
  const trial = await tryIt(account, assistant, 'Can I send the lamp back?');
  expect(trial).toMatchObject({
    outcome: 'answer',
    text: expect.stringContaining('within 30 days'),
    sources: [{ name: 'Returns', excerpt: document.text }],
    toolCalls: [{ name: 'search_knowledge', ok: true }],
    tokens: { input: 200, output: 40 },
    cost: 0.0006,
    error: null,
  });
  expect((await ask('GET', '/v1/messages', { headers })).body.data).toEqual([]);
});

test('instructions that are not saved can be tried, and the introduction comes once', async () => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'echo', { introduction: 'This is automatic.' });
  const first = await tryIt(account, assistant, 'hello', { instructions: 'You are a pirate.' });
  expect(first.text).toBe('This is automatic.\n\nYou said: hello');
  const system = (await askedOf(assistant))[0]?.messages[0]?.content;
  expect(system).toContain('You are a pirate.');
  const later = [
    { from: 'contact', text: 'hello' },
    { from: 'assistant', text: 'Hi.' },
    { from: 'contact', text: 'still there?' },
  ];
  expect((await tryIt(account, assistant, later)).text).toBe('You said: still there?');
});

const failing: Record<string, RegExp> = {
  'status=500': /failed \(500\)/,
  'status=401': /refuses the API key/,
  'status=404': /no such model/,
  'status=429': /too often/,
  'bad-json': /no answer of a model/,
  'other-json': /no answer/,
  stream: /no answer/,
  refuse: /refused/,
  empty: /returned no answer/,
  huge: /too large/,
  redirect: /redirects/,
};

test.each(Object.entries(failing))(
  'a provider that answers with %s is told of in words',
  async (behaviour, words) => {
    const account = await openAccount();
    const trial = await tryIt(account, await makeAssistant(account, behaviour), 'hello');
    expect(trial).toMatchObject({ outcome: 'failed', text: null, error: expect.stringMatching(words) });
  },
);

test('a model that takes other parameters is asked in its words, which are known the next time', async () => {
  const account = await openAccount();
  const assistant = await makeAssistant(account, 'newer');
  const asked = async () =>
    (await askedOf(assistant)).map(({ max_tokens, max_completion_tokens, temperature }) => [
      ...[max_tokens, max_completion_tokens, temperature],
    ]);
  expect((await tryIt(account, assistant, 'hello')).text).toBe('You said: hello');
  const taken = [undefined, 1_000, undefined];
  expect(await asked()).toEqual([[1_000, undefined, 0.2], [undefined, 1_000, 0.2], taken]);
  expect((await tryIt(account, assistant, 'hello again')).text).toBe('You said: hello again');
  expect((await asked()).slice(3)).toEqual([taken]);
});

test('the test of a provider says whether it answers, and why not, and never shows the key that the provider repeats', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const good = await makeAssistant(account, 'say=OK');
  const path = assistantPath(good, '/test-provider');
  expect((await ask('POST', path, { headers })).body).toMatchObject({ ok: true, answer: 'OK', error: null });
  const bad = await makeAssistant(account, 'status=401');
  const { body } = await ask('POST', assistantPath(bad, '/test-provider'), { headers });
  expect(body).toMatchObject({
    ok: false,
    error: expect.stringMatching(/API key \(401\)\. It says: no Bearer …$/),
  });
});

test('an answer that is longer than a message is shown whole', async () => {
  const account = await openAccount();
  const { text } = await tryIt(account, await makeAssistant(account, 'long'), 'hello');
  expect(text).toBe('A whole sentence. '.repeat(400).trim());
});

test('a model that asks for tools without end is told to answer after three, and one that is none does no harm', async () => {
  const account = await openAccount();
  const loop = await makeAssistant(account, 'loop');
  expect(await tryIt(account, loop, 'hello')).toMatchObject({ outcome: 'failed' });
  expect(await askedOf(loop)).toHaveLength(4);
  expect(await tryIt(account, await makeAssistant(account, 'unknown-tool'), 'hi')).toMatchObject({
    text: 'Sorry.',
  });
  const odd = await makeAssistant(account, 'bad-input');
  expect(await tryIt(account, odd, 'hi')).toMatchObject({ outcome: 'hand_off', note: null });
});

const tool = (fields: Record<string, unknown> = {}) => ({
  name: 'order_state',
  description: 'How far an order is.',
  url: `${serverOrigin}/tool`,
  parameters: [{ name: 'order' }, { name: 'phone', from: 'contact_phone_number', required: false }],
  headers: [{ name: 'X-Key', value: 'secret-of-the-shop' }],
  ...fields,
});

test('a tool of the owner is called with what the model says and its own key, which the model never sees', async () => {
  const account = await openAccount();
  const input = encodeURIComponent('{"order":"A 1/2"}');
  const assistant = await makeAssistant(account, `call=order_state:${input}`, { tools: { http: [tool()] } });
  const trial = await tryIt(account, assistant, 'where is it?');
  expect(trial.toolCalls).toMatchObject([{ name: 'order_state', ok: true }]);
  expect(trial.text).toContain('"order":"A 1/2"');
  expect(trial.text).not.toContain('secret-of-the-shop');
  expect(trial.text).toContain('[secret]');
  const shown = await ask('GET', assistantPath(assistant), { headers: account.owner });
  expect(shown.text).not.toContain('secret-of-the-shop');
  expect(shown.body.tools.http[0].headers).toEqual([{ name: 'X-Key' }]);
});

test('a trial has a made-up contact for tools that are told whom they are about, or the phone number that it is given', async () => {
  const account = await openAccount();
  const from = ['contact_phone_number', 'contact_id', 'conversation_id'];
  const about = tool({ parameters: from.map((source) => ({ name: source, from: source })) });
  const assistant = await makeAssistant(account, 'call=order_state:%7B%7D', { tools: { http: [about] } });
  const query = async (contact?: object) => {
    const { toolCalls } = await tryIt(account, assistant, 'where is it?', { contact });
    expect(toolCalls).toMatchObject([{ ok: true }]);
    return JSON.parse(toolCalls[0].output).query;
  };
  const madeUp = {
    contact_phone_number: '12025550123',
    contact_id: '00000000-0000-7000-8000-000000000001',
    conversation_id: '00000000-0000-7000-8000-000000000002',
  };
  expect(await query()).toEqual(madeUp);
  const named = { ...madeUp, contact_phone_number: '628123456789' };
  expect(await query({ phoneNumber: '628123456789' })).toEqual(named);
  const { status, body } = await ask('POST', assistantPath(assistant, '/try'), {
    headers: account.owner,
    json: { messages: [{ text: 'where is it?' }], contact: { phoneNumber: '+62 812' } },
  });
  expect({ status, path: body.error?.details?.[0]?.path }).toEqual({
    status: 400,
    path: 'contact.phoneNumber',
  });
});

test('what does not fit a tool, or names what only the conversation may say, is not sent', async () => {
  const account = await openAccount();
  const input = encodeURIComponent('{"order":"1","phone":"15550000009"}');
  const assistant = await makeAssistant(account, `call=order_state:${input}`, { tools: { http: [tool()] } });
  const trial = await tryIt(account, assistant, 'where is it?');
  expect(trial.text).toMatch(/Invalid input/);
  expect(trial.text).not.toContain('"query"');
});

test('a tool that changes something is offered once it is approved, and a trial does not call it', async () => {
  const account = await openAccount();
  const input = encodeURIComponent('{"order":"1"}');
  const posting = tool({ method: 'POST' });
  const unapproved = await makeAssistant(account, `call=order_state:${input}`, {
    tools: { http: [posting] },
  });
  await tryIt(account, unapproved, 'cancel it');
  const names = (await askedOf(unapproved))[0]?.tools?.map((it) => it.function.name);
  expect(names).not.toContain('order_state');
  const approved = { tools: { http: [{ ...posting, approved: true }] } };
  const assistant = await makeAssistant(account, `call=order_state:${input}`, approved);
  const trial = await tryIt(account, assistant, 'cancel it');
  expect(trial.toolCalls).toMatchObject([{ ok: true, output: expect.stringMatching(/trial/) }]);
});

test('a hand-off is an action: its words are never sent, and what is set for it is', async () => {
  const account = await openAccount();
  const handOff = { labels: ['needs a person'], message: 'One moment.' };
  const assistant = await makeAssistant(account, 'hand-off', { handOff });
  expect(await tryIt(account, assistant, 'a person please')).toMatchObject({
    outcome: 'hand_off',
    text: 'One moment.',
    note: 'The customer wants a person.',
    labels: ['needs a person'],
  });
});

test('a promise that no tool stands behind is not said: it may say it otherwise, and else a person sees to it', async () => {
  const account = await openAccount();
  const once = await makeAssistant(account, 'promise-once');
  expect(await tryIt(account, once, 'cancel it')).toMatchObject({
    outcome: 'answer',
    text: 'I cannot cancel it myself.',
  });
  const always = await makeAssistant(account, 'promise');
  expect(await tryIt(account, always, 'cancel it')).toMatchObject({ outcome: 'hand_off', text: null });
});

test('nobody sees, tries or teaches the assistant of another account', async () => {
  const [account, stranger] = await Promise.all([openAccount(), openAccount()]);
  const assistant = await makeAssistant(account, 'echo');
  const { owner: headers } = stranger;
  const json = { messages: [{ text: 'hello' }] };
  const answers = await Promise.all([
    ask('GET', assistantPath(assistant), { headers }),
    ask('PATCH', assistantPath(assistant), { headers, json: { enabled: false } }),
    ask('DELETE', assistantPath(assistant), { headers }),
    ask('POST', assistantPath(assistant, '/try'), { headers, json }),
    ask('GET', assistantPath(assistant, '/documents'), { headers }),
    ask('GET', assistantPath(assistant, '/knowledge?q=lamp'), { headers }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});

test('of two changes of the secrets of an assistant in the same moment the second is refused', async () => {
  const account = await openAccount();
  const { accountId } = account;
  const assistant = await makeAssistant(account, 'echo');
  const db = openDatabase(env.DB);
  const row = await findAssistant(db, accountId, assistant.assistantId);
  if (row === null) throw new Error('it is gone');
  const caller = { kind: 'operator' as const, accountId };
  const audit = { db, requestId: 'req_1', address: null, accountsToTell: new Set<string>(), caller };
  expect(await updateAssistant(row, { sealedSecrets: 'first' }, audit)).toMatchObject({
    sealedSecrets: 'first',
  });
  expect(await updateAssistant(row, { sealedSecrets: 'second' }, audit)).toBeNull();
  expect(await updateAssistant(row, { name: 'Desk' }, audit)).toMatchObject({ name: 'Desk' });
});
