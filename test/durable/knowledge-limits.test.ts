import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { accountChunksMax } from '../../src/contract/assistants/document.ts';
import type { NewDocument, ReadOutcome, ReadText } from '../../src/durable/knowledge/document.ts';
import { newUuid } from '../../src/durable/new-ids.ts';
import { until } from './until.ts';

function newKnowledge() {
  const accountId = newUuid();
  const url = `https://example.com/${accountId}`;
  const page = { kind: 'url', url, name: url } as const;
  const knowledge = env.KNOWLEDGE.getByName(accountId);
  const read = (...texts: string[]): ReadText => ({
    chunks: texts.map((text) => ({ url: null, heading: '', text })),
    characters: texts.join('').length,
    pages: 1,
    sha256: texts.join(),
  });
  const add = async (assistantId: string, more: Partial<NewDocument>, ...texts: string[]) => {
    const documentId = more.documentId ?? newUuid();
    const document = {
      documentId,
      assistantId,
      kind: 'text',
      name: 'Handbook',
      url: null,
      rereadHours: null,
    };
    const added = await knowledge.add(
      accountId,
      { ...document, ...more } as NewDocument,
      texts.length === 0 ? null : read(...texts),
    );
    return 'code' in added ? added.code : documentId;
  };
  const found = async (assistantId: string, words: string) =>
    (await knowledge.search(assistantId, words, 5)).map(({ text }) => text);
  return { accountId, knowledge, page, add, found, read };
}

/** Whoever reads documents, and answers when the test says so. It reads only this page: objects of tests before may still ask. */
function newReader(page: { url: string }) {
  const before = exports.KnowledgeRunner;
  onTestFinished(() => void Object.assign(exports, { KnowledgeRunner: before }));
  const asked: string[] = [];
  const unanswered: ((outcome: ReadOutcome) => void)[] = [];
  const read = (kind: string, url: string) => {
    const { promise, resolve } = Promise.withResolvers<ReadOutcome>();
    if (!url.startsWith(page.url)) return promise;
    asked.push(`${kind} ${url}`);
    unanswered.push(resolve);
    return promise;
  };
  Object.assign(exports, { KnowledgeRunner: { read } });
  return { asked, unanswered };
}

test('an assistant knows its own documents alone, and when it goes they go, and no others', async () => {
  const { knowledge, add, found } = newKnowledge();
  const [one, other] = [newUuid(), newUuid()];
  const first = await add(one, {}, 'The lamp costs 20.', 'The lamp is blue.');
  await add(one, {}, 'The lamp is loud.');
  await add(other, {}, 'The lamp costs 30.');
  expect(await found(other, 'lamp')).toEqual(['The lamp costs 30.']);
  expect(await found(one, 'lamp')).toHaveLength(3);
  expect((await knowledge.documents(other, 10, null)).map(({ assistantId }) => assistantId)).toEqual([other]);
  expect(await knowledge.remove(first)).toBe(true);
  expect(await knowledge.remove(first)).toBe(false);
  expect(await found(one, 'lamp')).toEqual(['The lamp is loud.']);
  await knowledge.removeOf(one);
  expect([await found(one, 'lamp'), await found(other, 'lamp')]).toEqual([[], ['The lamp costs 30.']]);
  expect(await knowledge.summary([one, other])).toEqual({
    [one]: { documents: 0, chunks: 0 },
    [other]: { documents: 1, chunks: 1 },
  });
});

test('an assistant has a thousand documents at most, and another one as many', async () => {
  const { knowledge, add } = newKnowledge();
  const [one, other] = [newUuid(), newUuid()];
  await add(one, {}, 'The lamp costs 20.');
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
       INSERT INTO documents (document_id, assistant_id, kind, name, state, characters, chunks, pages, attempts, created_at)
         SELECT 'document ' || i, assistant_id, kind, name, state, 0, 0, 1, 0, created_at FROM documents, n`,
    );
  });
  const last = await add(one, {}, 'The lamp is blue.');
  expect(await add(one, {}, 'The lamp is loud.')).toBe('CONFLICT');
  // It is there already.
  expect(await add(one, { documentId: last }, 'The lamp is blue.')).toBe(last);
  expect(await add(other, {}, 'The lamp is loud.')).not.toBe('CONFLICT');
});

test('the documents of all assistants make so many pieces at most: what is read anew counts in place of what it was', async () => {
  const { knowledge, page, add, found, read } = newKnowledge();
  const [one, other] = [newUuid(), newUuid()];
  const at = await add(one, page);
  const planned = await add(one, { ...page, rereadHours: 24 });
  await knowledge.settle(at, { ok: true, read: read('The desk is old.', 'The desk is brown.') });
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO chunks (document, owner, url, heading, text, form) SELECT 999, 'nobody', NULL, '', '', 1 FROM n`,
      accountChunksMax - 3,
    );
  });
  expect(await add(other, {}, 'One', 'Two')).toBe('CONFLICT');
  await knowledge.settle(at, { ok: true, read: read('The desk', 'is', 'new', 'now.') });
  expect(await knowledge.find(at)).toMatchObject({ state: 'failed', chunks: 2, nextReadAt: null });
  // What is read by a plan is read again: by then there may be room.
  await knowledge.settle(planned, { ok: true, read: read('One', 'Two') });
  expect(await knowledge.find(planned)).toMatchObject({ state: 'failed', nextReadAt: expect.any(Number) });
  expect(await found(one, 'desk')).toHaveLength(2);
  await knowledge.settle(at, { ok: true, read: read('The desk is', 'quite', 'new.') });
  expect(await knowledge.find(at)).toMatchObject({
    ...{ state: 'ready', error: null, chunks: 3, characters: 'The desk isquitenew.'.length },
  });
  expect(await found(one, 'desk')).toEqual(['The desk is']);
  await knowledge.remove(at);
  const taken = await add(other, {}, 'One', 'Two');
  expect(taken).not.toBe('CONFLICT');
  // So many and not one more.
  expect(await add(other, {}, 'Three')).not.toBe('CONFLICT');
  expect(await add(other, {}, 'Four')).toBe('CONFLICT');
  // What was taken already is taken, also where there is no more room for it.
  expect(await add(other, { documentId: taken }, 'One', 'Two')).toBe(taken);
});

test('a page is read when it is added and as often as is set, and what cannot be had leaves what was known', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { knowledge, page, add, found, read } = newKnowledge();
  const { asked, unanswered } = newReader(page);
  const assistantId = newUuid();
  const [at, file] = [
    await add(assistantId, { ...page, rereadHours: 24 }),
    await add(assistantId, {}, 'A file.'),
  ];
  expect(asked).toEqual([`url ${page.url}`]);
  unanswered.pop()?.({ ok: true, read: { ...read('The shop opens at nine.'), title: 'Our shop' } });
  await until(async () => (await knowledge.find(at))?.state === 'ready');
  expect(await knowledge.find(at)).toMatchObject({
    name: 'Our shop',
    nextReadAt: Date.now() + 24 * 3_600_000,
  });
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  await runDurableObjectAlarm(knowledge);
  expect(asked).toHaveLength(2);
  unanswered.pop()?.({ ok: false, error: 'It is not there.', isPassing: false });
  await until(async () => (await knowledge.find(at))?.state === 'failed');
  expect(await knowledge.find(at)).toMatchObject({
    ...{ state: 'failed', error: 'It is not there.', chunks: 1, nextReadAt: Date.now() + 6 * 3_600_000 },
  });
  expect(await found(assistantId, 'shop opens')).toEqual(['The shop opens at nine.']);
  expect(await knowledge.search(assistantId, 'shop opens', 5)).toMatchObject([
    { documentId: at, name: 'Our shop', url: page.url },
  ]);
  expect(await knowledge.readAgain(at)).toMatchObject({ state: 'pending', error: null, nextReadAt: null });
  expect(await knowledge.readAgain(file)).toMatchObject({ code: 'CONFLICT' });
  expect(await knowledge.readAgain(newUuid())).toBeNull();
  await knowledge.remove(at);
  await knowledge.settle(at, { ok: true, read: read('Too late.') });
  expect(await found(assistantId, 'late')).toEqual([]);
});

test('a word is found in its other forms, whichever of them is asked for', async () => {
  const { add, found } = newKnowledge();
  const [one, other] = [newUuid(), newUuid()];
  await add(one, {}, 'Our refunds take a week.');
  await add(other, {}, 'A refund takes a week.');
  expect(await found(one, 'refund')).toHaveLength(1);
  expect(await found(other, 'refunds')).toHaveLength(1);
});

test('a short word is found as it is, and not in the beginning of another one', async () => {
  const { add, found } = newKnowledge();
  const assistantId = newUuid();
  await add(assistantId, {}, 'The team is here.', 'The tea costs 3.');
  expect(await found(assistantId, 'tea')).toEqual(['The tea costs 3.']);
});

test('the number of an order finds that order, and none that begins like it', async () => {
  const { add, found } = newKnowledge();
  const assistantId = newUuid();
  await add(assistantId, {}, 'AB12345 was sent.', 'AB12399 waits.');
  expect(await found(assistantId, 'Where is AB12345?')).toEqual(['AB12345 was sent.']);
});

test('a number of one digit says what is looked for', async () => {
  const { add, found } = newKnowledge();
  const assistantId = newUuid();
  // Of two that are alike the shorter one would be the first.
  const [other, wanted] = ['Size 4 is here.', 'Size 5 is here again in all colours.'];
  await add(assistantId, {}, other, wanted);
  expect(await found(assistantId, 'Is there size 5?')).toEqual([wanted, other]);
});

test('a question of words alone that say nothing finds what has them', async () => {
  const { add, found } = newKnowledge();
  const assistantId = newUuid();
  await add(assistantId, {}, 'Who we are: a shop for lamps.');
  expect(await found(assistantId, 'Who are you?')).toHaveLength(1);
});

test('a document is taken once under its name, is listed once, and a page that is away for the moment is tried twice more', async () => {
  const { knowledge, page, add, found, read } = newKnowledge();
  const assistantId = newUuid();
  const file = await add(assistantId, {}, 'The first text.');
  await add(assistantId, { documentId: file }, 'Another text.');
  expect(await found(assistantId, 'text')).toEqual(['The first text.']);
  const at = await add(assistantId, { ...page, name: 'Hours' });
  await knowledge.settle(at, { ok: true, read: { ...read('We open at nine.'), title: 'Our shop' } });
  expect(await knowledge.find(at)).toMatchObject({ name: 'Hours' });
  const [newest, ...more] = await knowledge.documents(assistantId, 1, null);
  // One more than was asked for says that there is another page.
  expect(more).toHaveLength(1);
  const rest = await knowledge.documents(assistantId, 1, newest?.documentId ?? '');
  expect(new Set([newest?.documentId, ...rest.map(({ documentId }) => documentId)])).toEqual(
    new Set([at, file]),
  );
  expect(rest).toHaveLength(1);
  const away = async () => {
    await knowledge.settle(at, { ok: false, error: 'It is away.', isPassing: true });
    return (await knowledge.find(at))?.state;
  };
  for (let round = 0; round < 2; round += 1) {
    await knowledge.readAgain(at);
    expect(await away()).toBe('pending');
    expect([await away(), await away()]).toEqual(['pending', 'failed']);
  }
  // What was had again meanwhile has all its tries again.
  await knowledge.readAgain(at);
  expect([await away(), await away()]).toEqual(['pending', 'pending']);
  await knowledge.settle(at, { ok: true, read: read('We open at ten.') });
  expect(await knowledge.find(at)).toMatchObject({ state: 'ready', error: null });
  expect([await away(), await away(), await away()]).toEqual(['pending', 'pending', 'failed']);
  // It is to be read once: nobody asks for it again by themselves.
  expect(await knowledge.find(at)).toMatchObject({ nextReadAt: null });
});

test('a page without a name of its own is called by the beginning of its title', async () => {
  const { knowledge, page, add, read } = newKnowledge();
  const at = await add(newUuid(), page);
  await knowledge.settle(at, { ok: true, read: { ...read('We open at nine.'), title: 'Shop '.repeat(60) } });
  expect(await knowledge.find(at)).toMatchObject({ name: 'Shop '.repeat(40) });
});

test('in a large index words that very many pieces have are found too, also beside one that nothing has', async () => {
  const { knowledge, page, add, found, read } = newKnowledge();
  const assistantId = newUuid();
  const at = await add(assistantId, page);
  await knowledge.settle(at, { ok: true, read: read(...Array(1_001).fill('A lamp of our shop.')) });
  expect(await found(assistantId, 'shop lamp')).toHaveLength(5);
  expect(await found(assistantId, 'lamp unicorn')).toHaveLength(5);
});

test('of many pages that are due at once every one is read, six at a time, and one that hangs holds up no other', async () => {
  const { knowledge, page, add } = newKnowledge();
  const { asked, unanswered } = newReader(page);
  const assistantId = newUuid();
  await add(assistantId, page);
  const now = Date.now();
  await runInDurableObject(knowledge, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
       INSERT INTO documents (document_id, assistant_id, kind, name, url, state, characters, chunks, pages, attempts, created_at, ring_at)
         SELECT 'document ' || i, assistant_id, kind, name, url, 'ready', 0, 0, 1, 0, created_at, ? FROM documents, n`,
      now - 1,
    );
    storage.sql.exec(
      "UPDATE documents SET ring_at = ?, url = url || '/longest' WHERE document_id = 'document 119'",
      now - 2,
    );
  });
  await runDurableObjectAlarm(knowledge);
  const [hangs] = unanswered.splice(0, 1);
  // The one that has waited longest is among the first.
  expect(asked).toContain(`url ${page.url}/longest`);
  while (asked.length < 120) {
    await until(() => unanswered.length === 5);
    for (const answer of unanswered.splice(0)) answer({ ok: false, error: 'Gone.', isPassing: false });
    await until(() => unanswered.length > 0);
  }
  expect(asked).toHaveLength(120);
  for (const answer of unanswered) answer({ ok: false, error: 'Gone.', isPassing: false });
  hangs?.({ ok: false, error: 'Gone.', isPassing: false });
});

test('a word in a heading says more than the same word twice in a text', async () => {
  const { knowledge, page, add, found, read } = newKnowledge();
  const assistantId = newUuid();
  const at = await add(assistantId, page);
  const chunks = [
    { url: null, heading: 'Contact', text: 'Refund forms: ask for a refund.' },
    { url: null, heading: 'Refund', text: 'It takes a week to have it.' },
  ];
  await knowledge.settle(at, { ok: true, read: { ...read(), chunks } });
  expect((await found(assistantId, 'refund'))[0]).toBe('It takes a week to have it.');
});

test('a page shows when it was read last', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { knowledge, page, add, read } = newKnowledge();
  const at = await add(newUuid(), page);
  for (const text of ['We open at nine.', 'We open at nine.', 'We open at ten.']) {
    vi.setSystemTime(Date.now() + 60_000);
    await knowledge.settle(at, { ok: true, read: read(text) });
    expect(await knowledge.find(at)).toMatchObject({ readAt: Date.now() });
  }
});

test('a page that is away for the moment is asked for again after half a minute, and after five', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { knowledge, page, add } = newKnowledge();
  const at = await add(newUuid(), page);
  for (const seconds of [30, 300]) {
    await knowledge.settle(at, { ok: false, error: 'It is away.', isPassing: true });
    const again = await runInDurableObject(knowledge, (_, { storage }) =>
      storage.sql.exec('SELECT ring_at FROM documents WHERE document_id = ?', at).one(),
    );
    expect(again).toEqual({ ring_at: Date.now() + seconds * 1000 });
  }
});

test('a page is read again in time where the clock was set back meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const { knowledge, page, add, read } = newKnowledge();
  const { asked, unanswered } = newReader(page);
  const [away, daily] = [await add(newUuid(), page), await add(newUuid(), { ...page, rereadHours: 24 })];
  unanswered[0]?.({ ok: false, error: 'It is away.', isPassing: true });
  unanswered[1]?.({ ok: true, read: read('We open at nine.') });
  await until(async () => (await knowledge.find(away))?.error && (await knowledge.find(daily))?.readAt);
  // Another life begins nothing before its time.
  await evictDurableObject(knowledge);
  await runDurableObjectAlarm(knowledge);
  expect(asked).toHaveLength(2);
  vi.setSystemTime(Date.now() - 3_600_000);
  await runDurableObjectAlarm(knowledge);
  expect(asked).toHaveLength(4);
});

test('a page that is to be read again is asked for at once, in a later life of the object too', async () => {
  const { knowledge, page, add, read } = newKnowledge();
  const { asked, unanswered } = newReader(page);
  const at = await add(newUuid(), { ...page, rereadHours: 24 });
  unanswered.pop()?.({ ok: true, read: read('We open at nine.') });
  await evictDurableObject(knowledge);
  await knowledge.readAgain(at);
  expect(asked).toHaveLength(2);
});

test('a page that is being read when the object ends is read again at once in its next life', async () => {
  const { knowledge, page, add } = newKnowledge();
  const { asked } = newReader(page);
  const at = await add(newUuid(), page);
  await abortAllDurableObjects();
  await until(async () => (await knowledge.find(at)) !== null && asked.length === 2);
});

test('a page that nobody could read because of a fault of ours is read again after half a minute', async () => {
  const faults = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => faults.mockRestore());
  const { knowledge, page, add } = newKnowledge();
  newReader(page);
  Object.assign(exports, { KnowledgeRunner: { read: () => Promise.reject(new Error('no memory')) } });
  const at = await add(newUuid(), page);
  await until(async () => (await knowledge.find(at))?.error === 'The document could not be read.');
  const row = await runInDurableObject(knowledge, (_, { storage }) =>
    storage.sql.exec('SELECT state, attempts, ring_at FROM documents').one(),
  );
  expect(row).toMatchObject({ state: 'pending', attempts: 1 });
  expect(Number(row.ring_at)).toBeGreaterThan(Date.now());
});

test('what was found on a page of a sitemap leads to that page', async () => {
  const { knowledge, page, add, read } = newKnowledge();
  const [assistantId, url] = [newUuid(), 'https://example.com/hours'];
  const at = await add(assistantId, { ...page, kind: 'sitemap' });
  const chunks = [{ url, heading: '', text: 'The shop opens at nine.' }];
  await knowledge.settle(at, { ok: true, read: { ...read(), chunks, pages: 2 } });
  expect(await knowledge.search(assistantId, 'shop opens', 5)).toMatchObject([{ documentId: at, url }]);
  expect(await knowledge.find(at)).toMatchObject({ pages: 2, chunks: 1 });
  expect(await knowledge.summary([assistantId])).toEqual({ [assistantId]: { documents: 1, chunks: 1 } });
});
