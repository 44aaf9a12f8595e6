import { expect, onTestFinished, test, vi } from 'vitest';
import { knowledgeMigrations } from '../../../../src/durable/knowledge/migrations.ts';
import { Passages } from '../../../../src/durable/knowledge/passages.ts';
import { indexIsGone, Vectors } from '../../../../src/durable/knowledge/vectors.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const assistantId = '019a0000-0000-7000-8000-000000000001';

/** What an assistant knows, for which somebody makes vectors. */
function taught(heading = '') {
  const { sql } = sqliteStorage();
  for (const migration of knowledgeMigrations) sql.exec(`${migration.sql};`);
  const [passages, vectors] = [new Passages(sql), new Vectors(sql)];
  vectors.setEmbedder(assistantId, 'model');
  passages.replace(1, assistantId, [{ url: null, heading, text: 'The lamp costs 20.' }]);
  vectors.added(1);
  return vectors;
}

test('the rest of the pieces gets its vectors at once, and an index that does not answer is left in peace for a minute', () => {
  const vectors = taught();
  const lease = (at: number) => {
    const work = vectors.lease(at);
    if (work === null) throw new Error('there is nothing to do');
    return work;
  };
  const work = lease(now);
  expect(work.until).toBe(now + 120_000);
  vectors.done(work, indexIsGone, now);
  expect(vectors.nextRingAt()).toBe(now + 60_000);
  vectors.done(lease(now + 60_000), { removed: [], added: [], problem: null }, now + 60_000);
  expect(vectors.nextRingAt()).toBe(1);
});

test('what is wrong with a model stays to be seen where the index does not answer', () => {
  const vectors = taught();
  for (const outcome of [{ removed: [], added: [], problem: 'The model took too long.' }, indexIsGone]) {
    const work = vectors.lease(now + 60_000);
    if (work === null) throw new Error('there is nothing to do');
    vectors.done(work, outcome, now);
  }
  expect(vectors.meaning(assistantId)).toMatchObject({ problem: 'The model took too long.' });
});

test('a provider that refuses its key is asked after six hours, or when it is set anew', () => {
  const vectors = taught();
  const work = vectors.lease(now);
  if (work === null) throw new Error('there is nothing to do');
  vectors.done(work, { removed: [], added: [], problem: 'The key is wrong.', isFinal: true }, now);
  expect(vectors.nextRingAt()).toBe(now + 6 * 3_600_000);
  vectors.askAgain(assistantId);
  expect(vectors.lease(now)).not.toBeNull();
});

test('nobody is called once every piece has its vector', () => {
  const vectors = taught();
  const work = vectors.lease(now);
  const added = work?.add?.pieces.map(({ vector }) => vector) ?? [];
  expect(added).toHaveLength(1);
  if (work !== null) vectors.done(work, { removed: [], added, problem: null }, now);
  expect(vectors.nextRingAt()).toBeNull();
});

test('the vector of a piece is made of its heading too', () => {
  const pieces = taught('Prices › Lamps').lease(now)?.add?.pieces;
  expect(pieces?.map(({ text }) => text)).toEqual(['Prices › Lamps\nThe lamp costs 20.']);
});

test('a model or an index that has failed is asked again in time, also where the clock was set back meanwhile', () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  const vectors = taught();
  const failed = { removed: [], added: [], problem: 'The model took too long.' };
  for (const outcome of [indexIsGone, failed]) {
    vi.setSystemTime(now);
    const work = vectors.lease(now);
    if (work === null) throw new Error('there is nothing to do');
    vectors.done(work, outcome, now);
    expect(vectors.nextRingAt()).toBe(now + 60_000);
    vi.setSystemTime(now - 7 * 3_600_000);
    expect(vectors.nextRingAt()).toBe(1);
    expect(vectors.lease(now - 7 * 3_600_000)).not.toBeNull();
    vectors.done({ ...work, lease: '' }, { ...failed, problem: null }, now);
  }
});
