import { expect, test } from 'vitest';
import { knowledgeMigrations } from '../../../../src/durable/knowledge/migrations.ts';
import { Passages } from '../../../../src/durable/knowledge/passages.ts';
import { Vectors } from '../../../../src/durable/knowledge/vectors.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const now = Date.UTC(2026, 10, 26, 12);
const assistantId = '019a0000-0000-7000-8000-000000000001';

test('who makes vectors goes on soon, and an index that does not answer is left in peace for a minute', () => {
  const { sql } = sqliteStorage();
  for (const migration of knowledgeMigrations) sql.exec(`${migration.sql};`);
  const [passages, vectors] = [new Passages(sql), new Vectors(sql)];
  vectors.setEmbedder(assistantId, 'model');
  passages.replace(1, assistantId, [{ url: null, heading: '', text: 'The lamp costs 20.' }]);
  vectors.added(1);
  const work = vectors.lease(now);
  const none = { removed: [], added: [], problem: null };
  vectors.done(work?.lease ?? '', assistantId, { ...none, isIndexGone: true }, now);
  expect(vectors.nextRingAt()).toBe(now + 60_000);
  const again = vectors.lease(now + 60_000);
  vectors.done(again?.lease ?? '', assistantId, none, now + 60_000);
  expect(vectors.nextRingAt()).toBe(now + 70_000);
});
