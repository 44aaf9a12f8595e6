import { expect, test } from 'vitest';
import { knowledgeMigrations } from '../../../../src/durable/knowledge/migrations.ts';
import { Passages } from '../../../../src/durable/knowledge/passages.ts';
import { Vectors } from '../../../../src/durable/knowledge/vectors.ts';
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

test('who makes vectors goes on soon, and an index that does not answer is left in peace for a minute', () => {
  const vectors = taught();
  const work = vectors.lease(now);
  expect(work?.until).toBe(now + 120_000);
  const none = { removed: [], added: [], problem: null };
  vectors.done(work?.lease ?? '', assistantId, { ...none, isIndexGone: true }, now);
  expect(vectors.nextRingAt()).toBe(now + 60_000);
  const again = vectors.lease(now + 60_000);
  vectors.done(again?.lease ?? '', assistantId, none, now + 60_000);
  expect(vectors.nextRingAt()).toBe(now + 70_000);
});

test('nobody is called once every piece has its vector', () => {
  const vectors = taught();
  const work = vectors.lease(now);
  const added = work?.add?.pieces.map(({ vector }) => vector) ?? [];
  expect(added).toHaveLength(1);
  vectors.done(work?.lease ?? '', assistantId, { removed: [], added, problem: null }, now);
  expect(vectors.nextRingAt()).toBeNull();
});

test('the vector of a piece is made of its heading too', () => {
  const pieces = taught('Prices › Lamps').lease(now)?.add?.pieces;
  expect(pieces?.map(({ text }) => text)).toEqual(['Prices › Lamps\nThe lamp costs 20.']);
});
