import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newContact } from '../../src/durable/event-log/contacts/contact.ts';
import { ContactRows } from '../../src/durable/event-log/contacts/contact-rows.ts';
import { ContactSearch } from '../../src/durable/event-log/contacts/contact-search.ts';
import {
  type ConversationFilter,
  ConversationList,
} from '../../src/durable/event-log/conversations/reading/conversation-list.ts';
import { ConversationRows } from '../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import { GroupWords } from '../../src/durable/event-log/conversations/rows/group-words.ts';
import { eventLogMigrations } from '../../src/durable/event-log/migrations.ts';
import { migrateObject } from '../../src/durable/storage/object-migrations.ts';
import { Sqlite } from '../../test/in-node/sqlite.ts';

/** Each person has a conversation with `each` of the numbers. */
export interface InboxSize {
  numbers: number;
  people: number;
  each: number;
  groups: number;
}

/** What a search took, in ms of CPU, each time, and how much was on its first page. */
export interface Searched {
  found: number;
  cpuMs: number[];
}

export const numberId = (index: number) => `0199aaaa-0000-7000-8000-${String(index).padStart(12, '0')}`;
export const phoneOf = (index: number) => String(628_100_000_000 + index);

/** Fills a log of that size, in a file of SQLite, and asks it. */
export function searchInbox(
  size: InboxSize,
  searches: Record<string, Partial<ConversationFilter>>,
  repeats: number,
): Record<string, Searched> {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-search-'));
  const sqlite = new Sqlite();
  try {
    sqlite.database = new DatabaseSync(join(folder, 'log.sqlite'));
    const sql = sqlite as unknown as SqlStorage;
    fill(sqlite, sql, size);
    const list = new ConversationList(sql, new ConversationRows(sql), new ContactSearch(sql));
    const asked = { sort: 'newest', limit: 50, after: null, hiddenNumberIds: [] } as const;
    return Object.fromEntries(
      Object.entries(searches).map(([name, filter]) => {
        let found = 0;
        const cpuMs = Array.from({ length: repeats }, () => {
          const before = process.cpuUsage();
          found = list.page({ ...asked, ...filter }).conversations.length;
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1000;
        });
        return [name, { found, cpuMs }];
      }),
    );
  } finally {
    sqlite.database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(sqlite: Sqlite, sql: SqlStorage, { numbers, people, each, groups }: InboxSize): void {
  sqlite.database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  migrateObject(
    { sql, transactionSync: sqlite.transactionSync } as unknown as DurableObjectStorage,
    eventLogMigrations,
  );
  sqlite.transactionSync(() => {
    const contacts = new ContactRows(sql);
    for (let index = 0; index < people; index += 1) {
      const contact = {
        phoneNumber: phoneOf(index),
        lid: String(10 ** 14 + index),
        pushName: `Person ${index}`,
      };
      contacts.put({ ...newContact(1_780_000_000_000 + index), ...contact }, null);
    }
    const columns = `conversation_id, number_id, phone, lid, group_id, subject, status, priority, labels, unread, last_message, sla,
      bot_state, created_at, opened_at`;
    const fixed = "'none', '[]', 0, n, 'none', 'none', 1780000000000, 1780000000000";
    const numberOf = (place: string) =>
      `'0199aaaa-0000-7000-8000-' || printf('%012d', ${place} % ${numbers})`;
    const upTo = (count: number) =>
      `WITH RECURSIVE places(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM places WHERE n < ${count - 1})
       INSERT INTO conversations (${columns})`;
    sql.exec(`${upTo(people * each)}
      SELECT 'p' || printf('%012d', n), ${numberOf(`n / ${each} + n % ${each}`)},
        CAST(628100000000 + n / ${each} AS TEXT), CAST(100000000000000 + n / ${each} AS TEXT), NULL, NULL,
        CASE n % 3 WHEN 0 THEN 'open' ELSE 'resolved' END, ${fixed} FROM places`);
    sql.exec(`${upTo(groups)}
      SELECT 'g' || printf('%012d', n), ${numberOf('n')}, NULL, NULL, '1203630' || n || '@g.us', 'Customers of branch ' || n,
        'open', ${fixed} FROM places`);
    const words = new GroupWords(sql);
    for (let index = 0; index < groups; index += 1) {
      words.put(`g${String(index).padStart(12, '0')}`, `Customers of branch ${index}`);
    }
  });
}
