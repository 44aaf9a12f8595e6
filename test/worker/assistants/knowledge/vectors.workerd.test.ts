import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { ask, eventually, openAccount, type TestAccount } from '../../front-door.ts';
import {
  assistantPath,
  type MadeAssistant,
  makeAssistant,
  modelServer,
  modelThat,
} from '../assistant-fixture.ts';

/** What the tests ask of the stand-in for the index, beside what Vectorize has. */
interface StandIn {
  deleteByIds: (ids: string[]) => Promise<unknown>;
  settle: (namespace: string) => Promise<string[]>;
  fail: (method: 'upsert' | 'deleteByIds' | 'query', times: number) => Promise<void>;
}
const index = (env as unknown as { VECTORIZE: StandIn }).VECTORIZE;

const providerWith = (embeddingModel: string | null) => ({
  kind: 'openai_compatible',
  baseUrl: modelServer,
  model: modelThat('echo'),
  embeddingModel,
});

async function shop(embeds: string | null = 'meaning') {
  const account = await openAccount();
  const provider = providerWith(embeds === null ? null : modelThat(embeds));
  const assistant = await makeAssistant(account, 'echo', { provider });
  return { account, assistant };
}

async function teach(account: TestAccount, assistant: MadeAssistant, text: string): Promise<string> {
  const json = { name: text.slice(0, 20), text, format: 'markdown' };
  const path = assistantPath(assistant, '/documents');
  const { body } = await ask('POST', path, { headers: account.owner, json });
  return body.documentId;
}

async function found(account: TestAccount, assistant: MadeAssistant, words: string): Promise<string[]> {
  const path = assistantPath(assistant, `/knowledge?q=${encodeURIComponent(words)}`);
  const { body } = await ask('GET', path, { headers: account.owner });
  return body.data.map(({ text }: { text: string }) => text);
}

const meaningOf = async (account: TestAccount, assistant: MadeAssistant) =>
  (await ask('GET', assistantPath(assistant), { headers: account.owner })).body.knowledge.meaning;

/** Once the index was told of so many pieces. */
const stored = (account: TestAccount, assistant: MadeAssistant, vectors: number) =>
  eventually(async () => {
    const meaning = await meaningOf(account, assistant);
    return meaning.vectors === vectors ? meaning : undefined;
  });

/** Once the index holds so many vectors of the account, a few seconds later each time. */
const held = (account: TestAccount, vectors: number) =>
  eventually(async () => {
    const ids = await index.settle(account.accountId);
    return ids.length === vectors ? ids : undefined;
  });

/** After all waits, with nothing in memory. */
async function later({ accountId }: TestAccount): Promise<void> {
  const knowledge = env.KNOWLEDGE.getByName(accountId);
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec("DELETE FROM knowledge_state WHERE name = 'vectors'");
    storage.sql.exec('UPDATE embedders SET again_at = 0');
  });
  await evictDurableObject(knowledge);
  await runInDurableObject(knowledge, (object) => object.alarm());
}

const back = 'A lamp can be reimbursed within 30 days.';
const parcels = 'Parcels come within three working days.';

test('what is meant is found though no word of it was said, behind what has the words too', async () => {
  const { account, assistant } = await shop();
  await teach(account, assistant, back);
  await teach(account, assistant, parcels);
  await stored(account, assistant, 2);
  // It is written, and not seen yet: words alone are looked for until then.
  expect(await found(account, assistant, 'Do I get my money?')).toEqual([]);
  expect(await found(account, assistant, 'parcels')).toEqual([parcels]);
  await held(account, 2);
  expect((await found(account, assistant, 'Do I get my money?'))[0]).toBe(back);
  expect((await found(account, assistant, 'When is it shipped?'))[0]).toBe(parcels);
  expect((await found(account, assistant, 'money for parcels that never came'))[0]).toBe(parcels);
});

test('nobody finds what another assistant or account knows, and what is deleted goes from the index', async () => {
  const { account, assistant } = await shop();
  const stranger = await shop();
  const { provider } = { provider: providerWith(modelThat('meaning')) };
  const colleague = await makeAssistant(account, 'echo', { provider });
  const documentId = await teach(account, assistant, back);
  await teach(account, colleague, parcels);
  await teach(stranger.account, stranger.assistant, 'Refunds take a year.');
  await held(account, 2);
  await held(stranger.account, 1);
  expect(await found(account, colleague, 'money')).toEqual([parcels]);
  const path = assistantPath(assistant, `/documents/${documentId}`);
  expect((await ask('DELETE', path, { headers: account.owner })).status).toBe(204);
  // The index has it for a while yet; nobody finds it any more.
  expect(await found(account, assistant, 'money')).toEqual([]);
  expect(await held(account, 1)).toHaveLength(1);
  const gone = await ask('DELETE', assistantPath(colleague), { headers: account.owner });
  expect(gone.status).toBe(204);
  expect(await held(account, 0)).toEqual([]);
  expect(await held(stranger.account, 1)).toHaveLength(1);
});

test('what was read anew, and what another model makes, takes the place of what there was', async () => {
  const { account, assistant } = await shop();
  await teach(account, assistant, back);
  const [before] = (await held(account, 1)) ?? [];
  const json = { provider: providerWith(modelThat('meaning')) };
  await ask('PATCH', assistantPath(assistant), { headers: account.owner, json });
  const [after] = await eventually(async () => {
    const ids = await index.settle(account.accountId);
    return ids.length === 1 && ids[0] !== before ? ids : undefined;
  });
  expect(after).not.toBe(before);
  expect((await found(account, assistant, 'money'))[0]).toBe(back);
  const none = { provider: providerWith(null) };
  await ask('PATCH', assistantPath(assistant), { headers: account.owner, json: none });
  expect(await held(account, 0)).toEqual([]);
  expect(await meaningOf(account, assistant)).toEqual({ isOn: false, vectors: 0, problem: null });
  expect(await found(account, assistant, 'reimbursed')).toEqual([back]);
});

test.each([
  ['status=500', /failed \(500\)/],
  ['dimensions=3', /takes vectors of 5 numbers, and the model makes 3/],
])(
  'where the model of the vectors is %s, words are still found, and the owner is told why',
  async (behaviour, problem) => {
    const { account, assistant } = await shop(behaviour);
    await teach(account, assistant, back);
    const meaning = await eventually(async () => {
      const found = await meaningOf(account, assistant);
      return found.problem === null ? undefined : found;
    });
    expect(meaning).toMatchObject({ isOn: true, vectors: 0, problem: expect.stringMatching(problem) });
    expect(await found(account, assistant, 'lamp within days')).toEqual([back]);
    expect(await index.settle(account.accountId)).toEqual([]);
  },
);

test('a model or an index that failed once is asked again, and nothing is lost or stored twice', async () => {
  const { account, assistant } = await shop('fail-once');
  await teach(account, assistant, back);
  await eventually(async () => (await meaningOf(account, assistant)).problem ?? undefined);
  await later(account);
  expect(await held(account, 1)).toHaveLength(1);
  expect(await meaningOf(account, assistant)).toEqual({ isOn: true, vectors: 1, problem: null });
  await index.fail('query', 1);
  expect(await found(account, assistant, 'lamp within days')).toEqual([back]);
});

test('of a large document all pieces get a vector, batch by batch, and all go with it', async () => {
  const { account, assistant } = await shop();
  const text = Array.from({ length: 150 }, (_, n) => `# Part ${n}\n\nLamp ${n} is repaired here.`).join(
    '\n\n',
  );
  const documentId = await teach(account, assistant, text);
  await stored(account, assistant, 150);
  expect(await held(account, 150)).toHaveLength(150);
  const path = assistantPath(assistant, `/documents/${documentId}`);
  await ask('DELETE', path, { headers: account.owner });
  await later(account);
  expect(await held(account, 0)).toEqual([]);
});

test('what was taught before there was an index gets its vectors once somebody searches', async () => {
  const { account, assistant } = await shop();
  await teach(account, assistant, back);
  // As if it had been taught without one.
  await index.deleteByIds((await held(account, 1)) ?? []);
  await held(account, 0);
  await runInDurableObject(env.KNOWLEDGE.getByName(account.accountId), (_, { storage }) => {
    for (const table of ['embedders', 'chunk_vectors']) storage.sql.exec(`DELETE FROM ${table}`);
  });
  expect((await meaningOf(account, assistant)).isOn).toBe(false);
  expect(await found(account, assistant, 'money')).toEqual([]);
  await held(account, 1);
  expect(await found(account, assistant, 'money')).toEqual([back]);
});
