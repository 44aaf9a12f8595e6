import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { MessageFilter } from '../../../src/durable/event-log/messages/reading/message-list.ts';
import { newLog, queued, record, start } from './event-log-fixture.ts';

const customer = '628123456789';
const text = (text: string) => ({ type: 'text' as const, text });

test('rows read for a page follow from what it returns, and not from what is kept', async () => {
  const log = newLog();
  for (let round = 0; round < 20; round += 1) {
    const facts = Array.from({ length: 100 }, (_, index) =>
      queued(
        record({ queuedAt: start + 100 * round + index, content: text(index === 7 ? 'rare' : 'common') }),
      ),
    );
    await log.take(facts);
  }
  const rowsReadBy = (filter: MessageFilter) =>
    runInDurableObject(log, async (instance: EventLog, { storage }) => {
      let rows = 0;
      const exec = storage.sql.exec.bind(storage.sql);
      const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
      storage.sql.exec = ((query: string, ...bindings: unknown[]) => {
        const cursor = exec(query, ...bindings);
        cursors.push(cursor);
        return cursor;
      }) as typeof storage.sql.exec;
      await instance.messages(filter, 10, null);
      storage.sql.exec = exec;
      for (const cursor of cursors) rows += cursor.rowsRead;
      return rows;
    });
  expect(await rowsReadBy({})).toBeLessThan(20);
  expect(await rowsReadBy({ to: customer })).toBeLessThan(40);
  expect(await rowsReadBy({ status: 'queued', until: start + 500 })).toBeLessThan(20);
});
