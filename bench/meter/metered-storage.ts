import { changeOf, count } from './tally.ts';

interface Cursor {
  rowsWritten: number;
  rowsRead: number;
}
interface Sql {
  exec(statement: string, ...values: unknown[]): Cursor;
}
/** The storage of an object, as far as the meter knows it. */
interface Storage {
  sql: Sql;
  setAlarm(...values: unknown[]): Promise<void>;
  deleteAlarm(...values: unknown[]): Promise<void>;
}
interface Socket {
  send(...values: unknown[]): void;
}
/** The state of an object, as far as the meter knows it. */
export interface ObjectState {
  storage: Storage;
  waitUntil(work: Promise<unknown>): void;
}

/** The class of the object that a native thing belongs to. */
const owners = new WeakMap<object, string>();
/** Cursors whose reads are not counted yet, by storage. */
const readers = new WeakMap<Sql, Cursor[]>();
let isPatched = false;

/** Counts what this object does to its storage from now on. Call before the object's own constructor. */
export function meterStorage(state: ObjectState, className: string): void {
  owners.set(state.storage, className);
  owners.set(state.storage.sql, className);
  if (isPatched) return;
  isPatched = true;
  // Native objects take no proxies, so their prototypes are changed, once an isolate.
  patchSql(Object.getPrototypeOf(state.storage.sql));
  patchAlarms(Object.getPrototypeOf(state.storage));
  patchSockets();
}

function patchSql(prototype: Sql): void {
  const exec = prototype.exec;
  prototype.exec = function (this: Sql, statement, ...values) {
    const className = owners.get(this) ?? 'unknown';
    countReads(this, className);
    const cursor = exec.call(this, statement, ...values);
    // SQLite makes all changes of a statement before it gives its first row.
    const change = changeOf(statement);
    if (change !== null && cursor.rowsWritten > 0) {
      count('rows', [className, ...change], cursor.rowsWritten);
      count('statements', [className, ...change]);
    }
    readers.get(this)?.push(cursor);
    return cursor;
  };
}

/** What a cursor has read is known when it is used up, which it is when the next statement runs. */
function countReads(sql: Sql, className: string): void {
  for (const cursor of readers.get(sql) ?? []) count('rowsRead', [className], cursor.rowsRead);
  readers.set(sql, []);
}

/** Counts what an object has read so far. */
export function countReadsOf({ storage: { sql } }: ObjectState): void {
  countReads(sql, owners.get(sql) ?? 'unknown');
}

// Setting and deleting the alarm are a row each, by the price list.
function patchAlarms(prototype: Storage): void {
  for (const verb of ['setAlarm', 'deleteAlarm'] as const) {
    const native = prototype[verb];
    prototype[verb] = function (this: Storage, ...values) {
      count('rows', [owners.get(this) ?? 'unknown', 'alarm', verb]);
      count('statements', [owners.get(this) ?? 'unknown', 'alarm', verb]);
      return native.call(this, ...values);
    };
  }
}

function patchSockets(): void {
  const { prototype } = (globalThis as unknown as { WebSocket: { prototype: Socket } }).WebSocket;
  const send = prototype.send;
  prototype.send = function (this: Socket, ...values) {
    count('frameOut', ['all']);
    return send.call(this, ...values);
  };
}
