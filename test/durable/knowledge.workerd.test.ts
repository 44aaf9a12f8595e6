import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import type { Chunk, NewDocument, ReadText } from '../../src/durable/knowledge/document.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { cutIntoChunks } from '../../src/worker/features/assistants/knowledge/document-text.ts';
import { until } from './until.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const fresh = () => {
  const accountId = newUuid();
  return { accountId, knowledge: env.KNOWLEDGE.getByName(accountId) };
};

const document = (assistantId: string, fields: Partial<NewDocument> = {}): NewDocument => ({
  documentId: newUuid(),
  assistantId,
  kind: 'text',
  name: 'Handbook',
  url: null,
  rereadHours: null,
  ...fields,
});

const readOf = (chunks: Chunk[]): ReadText => ({
  chunks,
  characters: chunks.reduce((sum, { text }) => sum + text.length, 0),
  pages: 1,
  sha256: newUuid(),
});

const chunk = (text: string, heading = ''): Chunk => ({ url: null, heading, text });

const subjects = [
  'lamp',
  'desk',
  'chair',
  'shelf',
  'carpet',
  'mirror',
  'window',
  'table',
  'garden',
  'kitchen',
];
const verbs = [
  'repair',
  'deliver',
  'return',
  'assemble',
  'clean',
  'order',
  'cancel',
  'measure',
  'paint',
  'store',
];

/** Pieces as a handbook has them: many of the same words, and in each one number of its own. */
const handbook = (from: number, count: number): Chunk[] =>
  Array.from({ length: count }, (_, index) => {
    const n = from + index;
    const subject = subjects[n % subjects.length];
    const verb = verbs[Math.floor(n / subjects.length) % verbs.length];
    const sentence = `To ${verb} the ${subject} number ${n} please follow the steps of the handbook for customers of the shop. `;
    return chunk(sentence.repeat(7), `${verb} a ${subject}`);
  });

test('of ten thousand pieces the right one is found, and for every question something', async () => {
  const { accountId, knowledge } = fresh();
  const assistantId = newUuid();
  for (const from of [0, 5_000]) {
    await knowledge.add(accountId, document(assistantId), readOf(handbook(from, 5_000)));
  }
  const [first] = await knowledge.search(assistantId, 'how do I return the lamp number 7720?', 6);
  expect(first?.text).toContain('number 7720');
  for (const question of [
    'please help me with my order of the shelf',
    'I want to cancel the delivery of my garden table, what are the steps of the handbook for customers?',
    'clean mirror 4245',
    'handbook steps customers shop number',
  ]) {
    expect(await knowledge.search(assistantId, question, 6)).not.toEqual([]);
  }
});

test('what was taken is there after an eviction, and to take it twice changes nothing', async () => {
  const { accountId, knowledge } = fresh();
  const assistantId = newUuid();
  const one = document(assistantId);
  const read = readOf([chunk('The warranty lasts two years.')]);
  await knowledge.add(accountId, one, read);
  await evictDurableObject(knowledge);
  await knowledge.add(accountId, one, read);
  expect(await knowledge.search(assistantId, 'warranty', 5)).toHaveLength(1);
  expect(await knowledge.documents(assistantId, 10, null)).toHaveLength(1);
});

test('a page that is due is asked for by a later life of its object, and what was read before stands while it cannot be had', async () => {
  const { accountId, knowledge } = fresh();
  const assistantId = newUuid();
  const page = document(assistantId, { kind: 'url', url: 'https://example.com/', rereadHours: 1 });
  const fetching = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response('', { status: 500 }));
  await knowledge.add(accountId, page, null);
  await knowledge.settle(page.documentId, { ok: true, read: readOf([chunk('Old words.')]) });
  const calls = fetching.mock.calls.length;
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec('UPDATE documents SET ring_at = 1');
  });
  await evictDurableObject(knowledge);
  await runInDurableObject(knowledge, (object) => object.alarm());
  await until(() => fetching.mock.calls.length > calls);
  const failure = { ok: false, error: 'The server answered 500.', isPassing: true } as const;
  await until(async () => (await knowledge.find(page.documentId))?.error === failure.error);
  for (let attempt = 0; attempt < 3; attempt += 1) await knowledge.settle(page.documentId, failure);
  expect(await knowledge.find(page.documentId)).toMatchObject({ state: 'failed', chunks: 1 });
  expect(await knowledge.search(assistantId, 'words', 5)).toHaveLength(1);
});

test('a page that cannot be had for the moment is asked for twice more, and has failed then', async () => {
  const { knowledge } = fresh();
  // Nobody is told to read it: what comes of that is said here alone.
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec(
      `INSERT INTO documents (document_id, assistant_id, kind, name, url, state, characters, chunks, pages, attempts, created_at)
         VALUES ('page', 'assistant', 'url', 'Page', 'https://example.com/', 'pending', 0, 0, 1, 0, 0)`,
    );
  });
  const states: (string | undefined)[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await knowledge.settle('page', { ok: false, error: 'HTTP 503', isPassing: true });
    states.push((await knowledge.find('page'))?.state);
  }
  expect(states).toEqual(['pending', 'pending', 'failed']);
});

test('an assistant has a thousand documents, and one that it has may be given again', async () => {
  const { accountId, knowledge } = fresh();
  const assistantId = newUuid();
  const [last, more] = [document(assistantId), document(assistantId)];
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
       INSERT INTO documents (document_id, assistant_id, kind, name, state, characters, chunks, pages, attempts, created_at)
         SELECT 'document ' || i, ?, 'text', 'Page', 'ready', 0, 0, 1, 0, 0 FROM n`,
      assistantId,
    );
  });
  expect(await knowledge.add(accountId, last, readOf([chunk('The lamp.')]))).toMatchObject({
    name: 'Handbook',
  });
  expect(await knowledge.add(accountId, more, readOf([chunk('The desk.')]))).toMatchObject({
    code: 'CONFLICT',
  });
  expect(await knowledge.add(accountId, last, readOf([chunk('The lamp.')]))).toMatchObject({
    name: 'Handbook',
  });
});

test('a text is cut into pieces that are neither tiny nor endless, and nothing of it is lost', () => {
  const long = `${'One sentence follows another. '.repeat(300)}End.`;
  const text = `# A\n\n${long}\n\n## B\n\nShort.\n\n# C\n\n${'x'.repeat(5_000)}`;
  const chunks = cutIntoChunks(text, null);
  expect(Math.max(...chunks.map((it) => it.text.length))).toBeLessThanOrEqual(1_400);
  const letters = (all: string) => all.replaceAll(/[#\s]|(?<=\n)[ABC](?=\n)/g, '');
  expect(letters(chunks.map((it) => it.text).join('\n'))).toBe(
    letters(text).replace(/^A/, '').replace('B', '').replace('C', ''),
  );
  expect(chunks.find((it) => it.text === 'Short.')?.heading).toBe('A › B');
  expect(chunks.at(-1)?.heading).toBe('C');
});

test('what is known is found in texts without spaces, and nothing of it stays in the index when it goes', async () => {
  const { accountId, knowledge } = fresh();
  const assistantId = newUuid();
  const one = document(assistantId);
  const chunks = [
    chunk('增值税发票可以在订单完成后三天内开具。', '发票'),
    chunk('退货请在七天内联系客服。', '退货'),
    chunk('The warranty lasts two years.'),
  ];
  await knowledge.add(accountId, one, readOf(chunks));
  const best = async (question: string) =>
    (await knowledge.search(assistantId, question, 5)).map(({ text }) => text)[0];
  expect(await best('请问你们能开发票吗？')).toBe(chunks[0]?.text);
  expect(await best('怎么退货')).toBe(chunks[1]?.text);
  expect(await best('税')).toBe(chunks[0]?.text);
  expect(await best('WARRANTY')).toBe(chunks[2]?.text);
  await knowledge.remove(one.documentId);
  const left = await runInDurableObject(knowledge, (_, { storage: { sql } }) => {
    sql.exec("INSERT INTO chunk_words (chunk_words, rank) VALUES ('integrity-check', 1)");
    return sql.exec('SELECT count(*) AS n FROM chunk_words_docsize').one().n;
  });
  expect(left).toBe(0);
});
