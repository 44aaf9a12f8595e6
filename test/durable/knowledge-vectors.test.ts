import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadText } from '../../src/durable/knowledge/document.ts';
import { type VectorsDone, vectorId, vectorOf } from '../../src/durable/knowledge/vectors.ts';
import { newUuid } from '../../src/durable/new-ids.ts';

const read = (...texts: string[]): ReadText => ({
  chunks: texts.map((text) => ({ url: null, heading: '', text })),
  characters: texts.join('').length,
  pages: 1,
  sha256: texts.join(),
});

/** What an account's assistants know, whose vectors are made by whoever takes the work. */
function newKnowledge() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 26, 12) });
  onTestFinished(() => void vi.useRealTimers());
  const accountId = newUuid();
  const knowledge = env.KNOWLEDGE.getByName(accountId);
  const teach = async (assistantId: string, ...texts: string[]) => {
    const document = { assistantId, name: 'https://example.com/', url: 'https://example.com/' } as const;
    const documentId = newUuid();
    const more = { kind: 'url', rereadHours: null } as const;
    await knowledge.add(accountId, { ...document, ...more, documentId }, null);
    await knowledge.settle(documentId, { ok: true, read: read(...texts) });
    return documentId;
  };
  const learns = async (assistantId: string, ...texts: string[]) => {
    await knowledge.setEmbedder(assistantId, 'model');
    return teach(assistantId, ...texts);
  };
  const take = async () => {
    const work = await knowledge.takeVectorWork();
    if (work === null) throw new Error('there is nothing to do');
    const { lease, remove, add } = work;
    const added = add?.pieces.map(({ vector }) => vector) ?? [];
    const done = (more: Partial<VectorsDone> = {}) =>
      knowledge.vectorWorkDone(lease, add?.assistantId ?? null, {
        ...{ removed: remove, added, problem: null },
        ...more,
      });
    return { ...work, added, done };
  };
  return { knowledge, learns, take };
}

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('a vector of another assistant, or of another account, leads to nothing', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const [one, other] = [newUuid(), newUuid()];
  await learns(one, 'The lamp costs 20.');
  await learns(other, 'The lamp costs 30.');
  const [first, second] = [await take(), null];
  await first.done();
  const next = second ?? (await take());
  await next.done();
  const vectors = [...first.added, ...next.added];
  const found = async (assistantId: string) =>
    (await knowledge.search(assistantId, '', 5, vectors)).map(({ text }) => text);
  expect(await found(one)).toEqual(['The lamp costs 20.']);
  expect(await found(other)).toEqual(['The lamp costs 30.']);
  expect(vectorOf('account', vectorId('account', 7))).toBe(7);
  expect(vectorOf('account', vectorId('stranger', 7))).toBeNull();
  expect(vectorOf('account', 'account.7.1')).toBe(7);
  expect(vectorOf('account', 'account')).toBeNull();
});

test('vectors are made by one at a time, and whoever comes too late ends nobody else’s work', async () => {
  const { knowledge, learns, take } = newKnowledge();
  await learns(newUuid(), 'The lamp costs 20.');
  const late = await take();
  const assistantId = late.add?.assistantId ?? '';
  expect(await knowledge.meaning([assistantId])).toMatchObject({ [assistantId]: { vectors: 0 } });
  expect(await knowledge.takeVectorWork()).toBeNull();
  pass(121);
  const { added } = await take();
  expect(added).toEqual(late.added);
  await late.done({ added: [] });
  expect(await knowledge.takeVectorWork()).toBeNull();
});

test('vectors that are stored late of what has gone meanwhile are to go from the index at once', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const documentId = await learns(newUuid(), 'The lamp costs 20.');
  const late = await take();
  await knowledge.remove(documentId);
  pass(121);
  const next = await take();
  expect(next.remove).toEqual(late.added);
  expect(await next.done()).toEqual([]);
  expect(await late.done()).toEqual(late.added);
});

test('a page that is the same as before gets no new vectors, and one that has changed does', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const documentId = await learns(newUuid(), 'The lamp costs 20.');
  await (await take()).done();
  await knowledge.settle(documentId, { ok: true, read: read('The lamp costs 20.') });
  expect(await knowledge.takeVectorWork()).toBeNull();
  await knowledge.settle(documentId, { ok: true, read: read('The lamp costs 25.') });
  expect(await take()).toMatchObject({ remove: [1], add: { pieces: [{ text: 'The lamp costs 25.' }] } });
});

test('a model that fails is asked again later and later, and of an assistant that is gone nothing is left', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'The lamp costs 20.');
  for (const seconds of [60, 300, 1_800]) {
    await (await take()).done({ added: [], problem: 'The model took too long.' });
    pass(seconds - 1);
    expect(await knowledge.takeVectorWork()).toBeNull();
    pass(1);
  }
  await (await take()).done();
  expect(await knowledge.meaning([assistantId])).toEqual({
    [assistantId]: { isOn: true, vectors: 1, problem: null },
  });
  await knowledge.removeOf(assistantId);
  expect(await knowledge.meaning([assistantId])).toEqual({ [assistantId]: null });
  expect(await take()).toMatchObject({ remove: [1], add: null });
});
