import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ReadText } from '../../src/durable/knowledge/document.ts';
import { Vectors, type VectorsDone, vectorId, vectorOf } from '../../src/durable/knowledge/vectors.ts';
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
    const document = { assistantId, documentId: newUuid(), kind: 'text', name: 'Prices' } as const;
    await knowledge.add(accountId, { ...document, url: null, rereadHours: null }, read(...texts));
    return document.documentId;
  };
  const learns = async (assistantId: string, ...texts: string[]) => {
    await knowledge.setEmbedder(assistantId, 'model');
    return teach(assistantId, ...texts);
  };
  /** The object's own: there is no index here that it would call anybody for. */
  const inVectors = <Result>(work: (vectors: Vectors) => Result) =>
    runInDurableObject(knowledge, (_, { storage }) => work(new Vectors(storage.sql)));
  const lease = () => inVectors((vectors) => vectors.lease(Date.now()));
  const take = async () => {
    const work = await lease();
    if (work === null) throw new Error('there is nothing to do');
    const { remove, add } = work;
    const added = add?.pieces.map(({ vector }) => vector) ?? [];
    const done = (more: Partial<VectorsDone> = {}) =>
      inVectors((vectors) =>
        vectors.done(work, { ...{ removed: remove, added, problem: null }, ...more }, Date.now()),
      );
    return { ...work, added, done };
  };
  return { knowledge, teach, learns, lease, take };
}

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

test('where there is no index of meanings nobody is called to fill it', async () => {
  const { knowledge, learns } = newKnowledge();
  await learns(newUuid(), 'The lamp costs 20.');
  await runDurableObjectAlarm(knowledge);
  expect(await runInDurableObject(knowledge, (_, { storage }) => storage.getAlarm())).toBeNull();
});

test('what no model reads leaves nothing to take from the index when it goes', async () => {
  const { knowledge, teach, lease } = newKnowledge();
  await knowledge.remove(await teach(newUuid(), 'The lamp costs 20.'));
  expect(await lease()).toBeNull();
});

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

test('vectors of an assistant are made by one at a time, and whoever comes too late ends nobody else’s work', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  await learns(newUuid(), 'The lamp costs 20.');
  const late = await take();
  const assistantId = late.add?.assistantId ?? '';
  expect(await knowledge.meaning([assistantId])).toMatchObject({ [assistantId]: { vectors: 0 } });
  expect(await lease()).toBeNull();
  pass(121);
  const { added } = await take();
  expect(added).toEqual(late.added);
  await late.done({ added: [] });
  expect(await lease()).toBeNull();
});

test('a provider that is slow holds up its own assistant alone, and nothing that is to be taken away', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  const [slow, quick] = [newUuid(), newUuid()];
  const documentId = await learns(quick, 'The desk costs 90.');
  await (await take()).done();
  await learns(slow, 'The lamp costs 20.');
  const held = await take();
  expect(held.add).toMatchObject({ assistantId: slow });
  await learns(quick, 'The chair costs 40.');
  await knowledge.remove(documentId);
  const [removal, other] = [await take(), await take()];
  expect([removal.remove, other.add]).toMatchObject([[1], { assistantId: quick }]);
  expect(await lease()).toBeNull();
  await removal.done();
  await other.done();
  // Whoever has that work still has it.
  expect(await lease()).toBeNull();
  await held.done();
  expect(await knowledge.meaning([slow, quick])).toMatchObject({
    [slow]: { vectors: 1 },
    [quick]: { vectors: 1 },
  });
});

test('vectors that are stored late of what has gone meanwhile go from the index again', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  const documentId = await learns(newUuid(), 'The lamp costs 20.');
  const late = await take();
  await knowledge.remove(documentId);
  pass(121);
  const next = await take();
  expect(next.remove).toEqual(late.added);
  await next.done();
  expect(await lease()).toBeNull();
  await late.done();
  expect(await take()).toMatchObject({ remove: late.added, add: null });
});

test('a page that is the same as before gets no new vectors, and one that has changed does', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  const documentId = await learns(newUuid(), 'The lamp costs 20.');
  await (await take()).done();
  await knowledge.settle(documentId, { ok: true, read: read('The lamp costs 20.') });
  expect(await lease()).toBeNull();
  await knowledge.settle(documentId, { ok: true, read: read('The lamp costs 25.') });
  expect(await take()).toMatchObject({ remove: [1], add: null });
  expect(await take()).toMatchObject({ remove: [], add: { pieces: [{ text: 'The lamp costs 25.' }] } });
});

test('a model that fails is asked again later and later, and of an assistant that is gone nothing is left', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'The lamp costs 20.');
  for (const seconds of [60, 300, 1_800, 7_200, 21_600, 21_600]) {
    await (await take()).done({ added: [], problem: 'The model took too long.' });
    pass(seconds - 1);
    expect(await lease()).toBeNull();
    pass(1);
  }
  await (await take()).done();
  expect(await knowledge.meaning([assistantId])).toEqual({
    [assistantId]: { isOn: true, vectors: 1, problem: null },
  });
  // What fails after that is asked again as soon as at first.
  await learns(assistantId, 'The desk costs 90.');
  await (await take()).done({ added: [], problem: 'The model took too long.' });
  pass(60);
  await (await take()).done();
  await knowledge.removeOf(assistantId);
  expect(await knowledge.meaning([assistantId])).toEqual({ [assistantId]: null });
  expect(await take()).toMatchObject({ remove: [1, 2], add: null });
});

test('a provider that refuses its key is asked again at once when it is set anew, and not when it is only named', async () => {
  const { knowledge, learns, lease, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'The lamp costs 20.');
  await (await take()).done({ added: [], problem: 'The key is wrong.', isFinal: true });
  await knowledge.setEmbedder(assistantId, 'model');
  expect(await lease()).toBeNull();
  await knowledge.setEmbedder(assistantId, 'model', true);
  expect(await take()).toMatchObject({ add: { assistantId } });
});

test('as many vectors are made and taken away at a time as the model and the index take', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, ...Array.from({ length: 110 }, (_, index) => `Piece ${index}`));
  const made: number[] = [];
  for (let call = 0; call < 2; call += 1) {
    const work = await take();
    made.push(work.added.length);
    await work.done();
  }
  expect(made).toEqual([64, 46]);
  await knowledge.removeOf(assistantId);
  const gone: number[] = [];
  for (let call = 0; call < 2; call += 1) {
    const work = await take();
    gone.push(work.remove.length);
    await work.done();
  }
  expect(gone).toEqual([100, 10]);
});

test('what is second by its words and first by its meaning is found where one piece is asked for', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'Lamp, lamp, lamp.', 'The lamp that you see costs 20 and comes in blue.');
  const work = await take();
  await work.done();
  const first = async (...nearest: number[]) =>
    (await knowledge.search(assistantId, 'lamp', 1, nearest)).map(({ text }) => text);
  expect(await first()).toEqual(['Lamp, lamp, lamp.']);
  expect(await first(work.added[1] ?? 0)).toEqual(['The lamp that you see costs 20 and comes in blue.']);
});

test('what has gone takes no place of what is found', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  const gone = await learns(assistantId, 'The lamp costs 20.');
  await learns(assistantId, 'The desk costs 90.');
  const { added, done } = await take();
  await done();
  await knowledge.remove(gone);
  const found = await knowledge.search(assistantId, '', 1, added);
  expect(found.map(({ text }) => text)).toEqual(['The desk costs 90.']);
});

test('where another model makes the vectors, those of the one before go and all are made anew', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'The lamp costs 20.');
  await (await take()).done();
  await knowledge.setEmbedder(assistantId, 'another model');
  expect(await knowledge.meaning([assistantId])).toMatchObject({ [assistantId]: { vectors: 0 } });
  expect(await take()).toMatchObject({ remove: [1], add: null });
  const work = await take();
  expect(work).toMatchObject({ remove: [], add: { pieces: [{ text: 'The lamp costs 20.' }] } });
  await work.done();
  expect(await knowledge.meaning([assistantId])).toMatchObject({ [assistantId]: { vectors: 1 } });
});

test('what another model has made by the time that it is told is made anew', async () => {
  const { knowledge, learns, take } = newKnowledge();
  const assistantId = newUuid();
  await learns(assistantId, 'The lamp costs 20.');
  const work = await take();
  await work.done({ added: [], embedder: 'another model' });
  expect(await take()).toMatchObject({ remove: work.added, add: null });
  expect(await take()).toMatchObject({ add: { pieces: [{ text: 'The lamp costs 20.' }] } });
  expect(await knowledge.meaning([assistantId])).toMatchObject({ [assistantId]: { vectors: 0 } });
});
