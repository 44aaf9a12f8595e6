import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

type Row = Record<string, unknown>;

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
}

/** A schema whose steps have run once: the databases after the first one begin with a copy of it. */
export class SchemaImage {
  bytes: Uint8Array | null = null;
}

/** What is dropped when there are more: each way to ask is a statement of its own. */
const statementsMax = 1000;

/** `node:sqlite` with the calls of an object's `storage.sql`, as far as the product makes them. */
export class Sqlite {
  database = new DatabaseSync(':memory:');
  readonly #schema: SchemaImage | null;
  /** By their text: to prepare one takes longer than to run it. */
  #statements = new Map<string, Prepared>();
  #depth = 0;
  #makesSchema = false;

  /** `schema`: of all objects of a class. */
  constructor(schema: SchemaImage | null = null) {
    this.#schema = schema;
  }

  exec(query: string, ...values: unknown[]) {
    if (query.startsWith(schemaBegins)) this.#beginSchema();
    // A script has no values; a statement may have none either, and is a script of one.
    const isScript = values.length === 0 && /;\s*\S/.test(query);
    if (isScript) this.database.exec(query);
    const { rows, rowsWritten } = isScript ? { rows: [], rowsWritten: 0 } : this.run(query, values);
    return {
      rowsWritten,
      toArray: () => rows,
      one: () => {
        const [row] = rows;
        if (row === undefined || rows.length > 1) throw new Error(`Expected one row, found ${rows.length}`);
        return row;
      },
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  }

  /** Pages that are free again do not count, as on the platform. */
  get databaseSize(): number {
    const pragma = (name: string) => Number(this.rawRows(`PRAGMA ${name}`, [])[0]?.[0]);
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }

  clear(): void {
    this.database = new DatabaseSync(':memory:');
    this.#statements.clear();
  }

  /** The steps of the schema run next: they find a copy of what they make, or what they make is kept for the next one. */
  #beginSchema(): void {
    if (this.#schema === null || this.#depth !== 1) return;
    if (this.run('SELECT 1 FROM sqlite_schema LIMIT 1', []).rows.length > 0) return;
    if (this.#schema.bytes === null) {
      this.#makesSchema = true;
      return;
    }
    this.clear();
    this.database.deserialize(this.#schema.bytes);
    this.database.exec('SAVEPOINT s1');
  }

  #prepared(query: string): Prepared {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    if (this.#statements.size >= statementsMax) this.#statements.clear();
    const statement = this.database.prepare(query);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(query, prepared);
    return prepared;
  }

  run(query: string, values: readonly unknown[]): { rows: Row[]; rowsWritten: number } {
    const { statement, hasRows } = this.#prepared(query);
    statement.setReturnArrays(false);
    const bound = values.map(boundValue);
    if (hasRows) return { rows: (statement.all(...bound) as Row[]).map(plainRow), rowsWritten: 0 };
    return { rows: [], rowsWritten: Number(statement.run(...bound).changes) };
  }

  /** Rows as lists: columns of two tables may have one name. */
  rawRows(query: string, values: readonly unknown[]): unknown[][] {
    const { statement } = this.#prepared(query);
    statement.setReturnArrays(true);
    return statement.all(...values.map(boundValue)).map((row) => Object.values(row).map(plainValue));
  }

  /** Inside another one it is a part of that, which can fail by itself. */
  readonly transactionSync = <Result>(work: () => Result): Result => {
    this.#depth += 1;
    const name = `s${this.#depth}`;
    this.database.exec(`SAVEPOINT ${name}`);
    try {
      const result = work();
      this.database.exec(`RELEASE ${name}`);
      if (this.#makesSchema && this.#depth === 1 && this.#schema !== null)
        this.#schema.bytes = this.database.serialize();
      return result;
    } catch (error) {
      this.database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
      throw error;
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#makesSchema = false;
    }
  };
}

/** The first statement of `migrateObject`. */
const schemaBegins = 'CREATE TABLE IF NOT EXISTS object_migrations';

function boundValue(value: unknown): SQLInputValue {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  return (value ?? null) as SQLInputValue;
}

/** Blobs come as the platform gives them. */
const plainValue = (value: unknown): unknown => (value instanceof Uint8Array ? value.slice().buffer : value);

function plainRow(row: Row): Row {
  const plain: Row = {};
  for (const name in row) plain[name] = plainValue(row[name]);
  return plain;
}
