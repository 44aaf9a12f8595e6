type SnakeCase<Name extends string> = Name extends `${infer First}${infer Others}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Others>}`
  : '';

/** A row that keeps these fields: `createdAt` as `created_at`, and what is no plain value as JSON. */
export type RowOf<Fields> = {
  [Name in keyof Fields & string as SnakeCase<Name>]: Fields[Name] extends SqlStorageValue
    ? Fields[Name]
    : string | Extract<Fields[Name], null>;
};

/** Properties by the columns that they are kept in. */
const names = new Map<string, string>();

/** What a row says; `json`: the fields that it has as JSON. */
export function fieldsOf<Fields>(row: RowOf<Fields>, json: readonly (keyof Fields)[] = []): Fields {
  const fields: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    let name = names.get(column);
    if (name === undefined) {
      name = column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      names.set(column, name);
    }
    fields[name] = value;
  }
  for (const name of json as readonly string[]) {
    const value = fields[name];
    if (value !== null) fields[name] = JSON.parse(value as string);
  }
  return fields as Fields;
}

/** The row that keeps these fields. */
export function rowOf<Fields extends object>(fields: Fields): RowOf<Fields> {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    row[column] = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }
  return row as RowOf<Fields>;
}

/** Stores a row; `into` begins the statement, such as `INSERT INTO senders`. */
export function insertRow(sql: SqlStorage, into: string, row: Record<string, SqlStorageValue>): void {
  const columns = Object.keys(row);
  const values = columns.map(() => '?');
  sql.exec(`${into} (${columns.join(', ')}) VALUES (${values.join(', ')})`, ...Object.values(row));
}

/** Stores a row in place of the one with its key, if there is one; its number. */
export function upsertRow<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  table: string,
  key: keyof Row & string,
  row: Row,
): number {
  const columns = Object.keys(row);
  const [values, set] = [columns.map(() => '?'), columns.map((column) => `${column} = excluded.${column}`)];
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})
    ON CONFLICT (${key}) DO UPDATE SET ${set.join(', ')} RETURNING id`;
  return sql.exec<{ id: number }>(insert, ...Object.values(row)).one().id;
}

/** Stores what of a row is another than before, as far as that is known, under its key; false: nothing is. */
export function updateRow<Row extends Record<string, SqlStorageValue>>(
  sql: SqlStorage,
  table: string,
  key: readonly (keyof Row & string)[],
  before: Partial<Row>,
  after: Row,
): boolean {
  const changed = Object.keys(after).filter((column) => after[column] !== before[column]);
  if (changed.length === 0) return false;
  const [set, where] = [changed, key].map((columns) => columns.map((column) => `${column} = ?`));
  sql.exec(
    `UPDATE ${table} SET ${set?.join(', ')} WHERE ${where?.join(' AND ')}`,
    ...[...changed, ...key].map((column) => after[column]),
  );
  return true;
}

type Row = Record<string, SqlStorageValue>;

/** What reads and writes tables of an object. */
export abstract class Tables {
  protected readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  protected queryAll<Found extends Row>(query: string, ...values: SqlStorageValue[]): Found[] {
    return this.sql.exec<Found>(query, ...values).toArray();
  }

  protected queryFirst<Found extends Row>(query: string, ...values: SqlStorageValue[]): Found | undefined {
    return this.queryAll<Found>(query, ...values)[0];
  }

  /** Of a query that always has one row, such as a count. */
  protected queryOne<Found extends Row>(query: string, ...values: SqlStorageValue[]): Found {
    return this.sql.exec<Found>(query, ...values).one();
  }

  /** Of a query of one column, in the order of its rows. */
  protected queryValues<Value extends SqlStorageValue>(query: string, ...values: SqlStorageValue[]): Value[] {
    return this.queryAll(query, ...values).map((row) => Object.values(row)[0] as Value);
  }

  /** Of a query of one column, what its first row says; null too where there is no row. */
  protected queryValue<Value extends SqlStorageValue>(
    query: string,
    ...values: SqlStorageValue[]
  ): Value | null {
    return this.queryValues<Value>(query, ...values)[0] ?? null;
  }

  /** The same of a column that keeps JSON. */
  protected queryJson<Value>(query: string, ...values: SqlStorageValue[]): Value | null {
    const json = this.queryValue<string>(query, ...values);
    return json === null ? null : JSON.parse(json);
  }

  /** Whether a query has any row; of a change that ends with `RETURNING 1`, whether it has changed any. */
  protected queryAny(query: string, ...values: SqlStorageValue[]): boolean {
    return this.queryAll(query, ...values).length > 0;
  }
}
