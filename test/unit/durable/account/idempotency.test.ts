import { beforeEach, expect, test } from 'vitest';
import { batchKeyOf, Idempotency } from '../../../../src/durable/account/admission/idempotency.ts';
import { accountMigrations } from '../../../../src/durable/account/migrations.ts';
import { sqliteStorage } from '../campaign/sqlite-storage.ts';

const hourMs = 3_600_000;
/** Not at the beginning of a day: the answers of 24 hours lie in two tables. */
const now = Date.UTC(2026, 10, 26, 17, 23);

let storage: ReturnType<typeof sqliteStorage>;
let answers: Idempotency;

beforeEach(() => {
  storage = sqliteStorage();
  for (const { sql } of accountMigrations) storage.sql.exec(sql);
  answers = new Idempotency(storage.sql);
});

test('an answer is found for 24 hours to the millisecond, over midnight and by a later life too', () => {
  answers.store('key', 'hash', { n: 1 }, now);
  const later = new Idempotency(storage.sql);
  for (const known of [answers, later]) {
    expect(known.find('key', now)).toEqual({ bodyHash: 'hash', answer: { n: 1 } });
    expect(known.find('key', now + 24 * hourMs - 1)).toMatchObject({ bodyHash: 'hash' });
    expect(known.find('key', now + 24 * hourMs)).toBeNull();
  }
});

test('the newest answer to a key is the one that counts', () => {
  answers.store('key', 'first', 1, now);
  answers.store('key', 'second', 2, now + 24 * hourMs);
  expect(answers.find('key', now + 24 * hourMs)).toEqual({ bodyHash: 'second', answer: 2 });
  expect(answers.find('key', now + 47 * hourMs)).toEqual({ bodyHash: 'second', answer: 2 });
});

test('the key of a batch is another one than the same key of a send', () => {
  answers.store(batchKeyOf('key'), 'batch', [], now);
  expect(answers.find('key', now)).toBeNull();
  answers.store('key', 'send', {}, now);
  expect(answers.find(batchKeyOf('key'), now)).toMatchObject({ bodyHash: 'batch' });
});

test('a clock that is set back by a day finds what was stored meanwhile', () => {
  answers.store('key', 'hash', {}, now);
  expect(answers.find('key', now - 20 * hourMs)).toMatchObject({ bodyHash: 'hash' });
});
