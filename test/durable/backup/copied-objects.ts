import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { ExportAnswer, ExportStep, ImportStep } from '../../../src/durable/backup/exported.ts';
import { exportObject } from '../../../src/durable/backup/object-export.ts';
import { importObject } from '../../../src/durable/backup/object-import.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';

export const anObject = () => env.BRIDGE_FLEET.getByName(newUuid());
type AnObject = ReturnType<typeof anObject>;

export const inside = <Result>(object: AnObject, run: (storage: DurableObjectStorage) => Result) =>
  runInDurableObject(object, (_, { storage }) => run(storage));

/** As the command does it, with something that goes on between any two steps. */
export async function copy(
  from: AnObject,
  to: AnObject,
  meanwhile: (storage: DurableObjectStorage) => void = () => {},
): Promise<'copied' | 'outdated'> {
  const ask = async (step: ExportStep): Promise<ExportAnswer> => {
    const answer = await inside(from, (storage) => exportObject(storage, step));
    if (!('rest' in answer && answer.rest)) await inside(from, meanwhile);
    return answer;
  };
  const give = (step: ImportStep) => inside(to, (storage) => importObject(storage, step));
  const begun = await ask({ do: 'begin' });
  if (begun.is !== 'begun') throw new Error(begun.is);
  const { schema } = begun;
  await give({ do: 'begin', schema });
  for (const table of schema.tables) {
    let after: ExportStep & { do: 'rows' } = { do: 'rows', table: table.name, after: null };
    for (;;) {
      const answer = await ask(after);
      if (answer.is !== 'rows') return 'outdated';
      await give({ do: 'rows', table, rows: answer.rows });
      if (answer.next === null) break;
      after = { ...after, after: answer.next };
    }
  }
  for (;;) {
    const answer = await ask({ do: 'end' });
    if (answer.is !== 'changes') return 'outdated';
    await give({ do: 'changes', tables: schema.tables, changes: answer.changes });
    if (answer.rest === null) continue;
    await give({ do: 'finish', schema, rest: answer.rest });
    return 'copied';
  }
}

const tables = `
  CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT UNIQUE, real REAL);
  CREATE TABLE numbered (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
  CREATE TABLE named (a TEXT NOT NULL, b INTEGER NOT NULL, sealed BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE keyless (name TEXT PRIMARY KEY, text TEXT);
  CREATE INDEX plain_by_real ON plain (real);
  CREATE TABLE kept (id INTEGER PRIMARY KEY);
  CREATE TRIGGER kept_delete BEFORE DELETE ON kept BEGIN SELECT RAISE(ABORT, 'append-only'); END;
  CREATE VIRTUAL TABLE words USING fts5(text);
  CREATE VIRTUAL TABLE plain_words USING fts5(text, content = 'plain', content_rowid = 'id');
`;

export async function filled(): Promise<AnObject> {
  const object = anObject();
  await inside(object, (storage) => {
    storage.sql.exec(tables);
    for (let id = 1; id <= 6_000; id += 1)
      storage.sql.exec('INSERT INTO plain VALUES (?, ?, ?)', id, `text ${id}`, id / 2);
    storage.sql.exec("INSERT INTO numbered (text) VALUES ('one'), ('two')");
    storage.sql.exec('DELETE FROM numbered');
    storage.sql.exec('INSERT INTO named VALUES (?, 1, ?)', 'a', new Uint8Array([0, 255, 7]).buffer);
    for (let b = 1; b <= 50; b += 1) storage.sql.exec("INSERT INTO named VALUES ('b', ?, NULL)", b);
    storage.sql.exec("INSERT INTO keyless VALUES ('x', NULL), ('y', 'ü')");
    storage.sql.exec('INSERT INTO kept VALUES (3)');
    storage.sql.exec("INSERT INTO words (rowid, text) VALUES (4, 'blue house')");
    storage.kv.put('bucket', { tokens: 3, at: 17 });
  });
  return object;
}

const select = (object: AnObject, query: string) =>
  inside(object, ({ sql }) => [...sql.exec(query)].map((row) => ({ ...row })));

const queries = [
  'SELECT * FROM plain ORDER BY id',
  'SELECT a, b, hex(sealed) FROM named',
  'SELECT rowid, * FROM keyless',
  'SELECT * FROM numbered',
];

export async function expectTheSame(one: AnObject, other: AnObject): Promise<void> {
  for (const query of queries) expect(await select(other, query)).toEqual(await select(one, query));
}

/** An object is copied with its tables, its values and what its numbers have come to. */
export async function expectWholeCopy(): Promise<void> {
  const [from, to] = [await filled(), anObject()];
  expect(await copy(from, to)).toBe('copied');

  await expectTheSame(from, to);
  expect(await inside(to, ({ kv }) => kv.get('bucket'))).toEqual({ tokens: 3, at: 17 });
  expect(await select(to, "SELECT rowid FROM words WHERE words MATCH 'house'")).toEqual([{ rowid: 4 }]);
  expect(await select(to, "SELECT rowid FROM plain_words WHERE plain_words MATCH '17'")).toEqual([
    { rowid: 17 },
  ]);
  expect(await select(to, "INSERT INTO numbered (text) VALUES ('three') RETURNING id")).toEqual([{ id: 3 }]);
  const deletes = inside(to, ({ sql }) => void sql.exec('DELETE FROM kept'));
  await expect(deletes).rejects.toThrow('append-only');
  // Nothing goes on in the object that was read.
  expect(await select(from, "SELECT name FROM sqlite_master WHERE name GLOB 'backup*'")).toEqual([
    { name: 'backup_changes' },
  ]);
  expect(await select(from, 'SELECT * FROM backup_changes')).toEqual([]);
}

/** One that goes on working is copied as it was in one moment. */
export async function expectCopyOfOneMoment(): Promise<void> {
  const [from, to] = [await filled(), anObject()];
  let turn = 0;
  const changes = (storage: DurableObjectStorage) => {
    turn += 1;
    storage.sql.exec('UPDATE plain SET real = -? WHERE id IN (1, 5999)', turn);
    storage.sql.exec('DELETE FROM plain WHERE id = ?', 100 + turn);
    storage.sql.exec('INSERT INTO plain VALUES (?, ?, 0)', 10_000 + turn, `later ${turn}`);
    // A text that is unique goes from one row to another.
    storage.sql.exec('UPDATE plain SET text = ? WHERE id = 2', `moved ${turn}`);
    storage.sql.exec("INSERT OR REPLACE INTO plain VALUES (?, 'text 2', 1)", 20_000 + turn);
    storage.sql.exec("INSERT OR REPLACE INTO keyless VALUES ('x', ?)", `turn ${turn}`);
    // Twice, so that it is noted already: what the object does goes on.
    for (const text of ['one', 'two'])
      storage.sql.exec(
        "INSERT INTO keyless VALUES ('y', ?) ON CONFLICT DO UPDATE SET text = excluded.text",
        `${text} ${turn}`,
      );
    storage.sql.exec("UPDATE OR FAIL keyless SET text = text || '.'");
    // Left half-way, as somebody does who has found what was looked for.
    for (const row of storage.sql.exec('SELECT * FROM plain')) if (row.id === 3) break;
    storage.sql.exec("UPDATE named SET b = b + 1 WHERE a = 'a'");
    // Each gets another key once: some of them when they were read already.
    storage.sql.exec("UPDATE named SET a = 'c' WHERE a = 'b' AND b = ?", turn);
  };
  expect(await copy(from, to, changes)).toBe('copied');
  expect(turn).toBeGreaterThan(5);
  await expectTheSame(from, to);
}
