import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { eventLogMigrations } from '../../../src/durable/event-log/migrations.ts';
import { until } from '../until.ts';
import { type LogStub, newLog, queued, received, record, start } from './event-log-fixture.ts';

const said = (text: string, at = start, pushName = 'Budi', from = '628123456789'): Fact =>
  received({ content: { type: 'text', text }, at: new Date(at).toISOString(), pushName, from });

async function found(log: LogStub, q: string): Promise<string[]> {
  const { messages } = await log.messages({ q }, 50, null);
  return messages.map(({ content }) => (content.type === 'text' ? content.text : content.type));
}

const names = async (log: LogStub, q: string) =>
  (await log.contacts({ q }, 50, null)).contacts.map(({ pushName }) => pushName);

test('messages and contacts are found by any part of a text without spaces', async () => {
  const log = newLog();
  await log.take([
    said('请给我开一张发票谢谢', start, '张伟明', '8613800000001'),
    said('ขอใบเสร็จด้วยค่ะ', start + 1000, 'ณัฐวุฒิ', '66812345678'),
    said('Đơn hàng của tôi', start + 2000, 'Nguyễn Văn An', '84912345678'),
  ]);
  expect(await found(log, '发票')).toEqual(['请给我开一张发票谢谢']);
  expect(await found(log, '票')).toEqual(['请给我开一张发票谢谢']);
  expect(await found(log, 'ใบเสร็จ')).toEqual(['ขอใบเสร็จด้วยค่ะ']);
  expect(await found(log, 'don hang')).toEqual(['Đơn hàng của tôi']);
  expect(await found(log, '票发')).toEqual([]);
  expect(await names(log, '伟明')).toEqual(['张伟明']);
  expect(await names(log, 'วุฒิ')).toEqual(['ณัฐวุฒิ']);
  expect(await names(log, 'nguyen v')).toEqual(['Nguyễn Văn An']);
});

/** Puts the indexes back to what the release before them had made. */
async function asBefore(log: LogStub): Promise<void> {
  await runInDurableObject(log, (_, { storage: { sql } }) => {
    const rows = sql
      .exec<{ id: number; text: string }>("SELECT id, json_extract(content, '$.text') AS text FROM messages")
      .toArray();
    const tables = "SELECT name FROM sqlite_master WHERE name GLOB 'message_terms_??????'";
    for (const { name } of sql.exec<{ name: string }>(tables).toArray()) sql.exec(`DROP TABLE ${name}`);
    for (const { id, text } of rows) {
      const table = `message_words_${new Date(id / 1000).toISOString().slice(0, 7).replace('-', '')}`;
      sql.exec(
        `CREATE VIRTUAL TABLE IF NOT EXISTS ${table} USING fts5(text, content='', columnsize=0,
           tokenize="unicode61 remove_diacritics 2")`,
      );
      sql.exec(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, id, text);
    }
    sql.exec(
      `UPDATE contact_words SET words = (SELECT push_name || ' ' || phone FROM contacts WHERE id = contact_words.rowid)`,
    );
    sql.exec("DELETE FROM log_state WHERE name GLOB 'terms.*' OR name GLOB 'contactTerms.*'");
    const last = Math.max(...rows.map(({ id }) => id));
    sql.exec(
      'INSERT OR REPLACE INTO log_state (name, json) VALUES (?, ?)',
      'words.indexedUpTo',
      String(last),
    );
    // The step of the release that indexes anew.
    sql.exec(
      eventLogMigrations.find(({ id }) => id === '29-search-terms')?.sql ?? expect.fail('no such step'),
    );
  });
  await evictDurableObject(log);
}

const formerTables = (log: LogStub) =>
  runInDurableObject(log, (_, { storage: { sql } }) =>
    sql.exec("SELECT name FROM sqlite_master WHERE name GLOB 'message_words_??????'").toArray(),
  );

test('what an earlier release has indexed is found as before, can change, and is indexed anew', async () => {
  const log = newLog();
  const months = [0, 40, 80].map((days) => start + days * 86_400_000);
  const mine = record({ content: { type: 'text', text: 'Invoice 4711' }, queuedAt: months[0] ?? start });
  await log.take([
    queued(mine),
    ...months.map((at, index) => said(`请给我开一张发票 ${index}`, at, '张伟明', '8613800000001')),
  ]);
  await asBefore(log);
  // Before anything is indexed anew: also what comes late is found, and what is changed is found by what it says now.
  await runInDurableObject<EventLog, void>(log, async (object) => {
    expect((await object.messages({ q: 'invoice' }, 50, null)).messages).toHaveLength(1);
    await object.take([said('发票 late', start + 1000, '张伟明', '8613800000001')]);
    await object.alarm();
  });
  await until(async () => (await formerTables(log)).length === 0);
  expect((await found(log, '发票')).length).toBe(4);
  expect(await found(log, 'invoice')).toEqual(['Invoice 4711']);
  expect(await names(log, '伟明')).toEqual(['张伟明']);
  await evictDurableObject(log);
  expect((await found(log, '一张')).length).toBe(3);
});
