/**
 * Sums by key. A key is its parts with a bar between: what is counted, where, and what it was about, such as
 * `rows|PhoneNumber|messages|insert`.
 */
export type Tally = Record<string, number>;

/** What the meter counts; the rest of a key says where. */
export type Counted =
  /** Rows written, with the runtime's own figure: place (class of the object, or `D1`), table, verb. */
  | 'rows'
  /** Statements that wrote: place, table, verb. */
  | 'statements'
  /** Rows read: place. */
  | 'rowsRead'
  /** Calls that an object took, each an object request: class, method (or `alarm`, `fetch`). */
  | 'request'
  /** WebSocket frames that an object received, and sent: class. */
  | 'frameIn'
  | 'frameOut'
  /** Milliseconds in which an object had something under way: class. */
  | 'activeMs'
  /** Operations of a queue, one per 64 KB: queue. */
  | 'queueWrite'
  | 'queueRead'
  | 'queueDelete'
  /** Messages put into a queue: queue. */
  | 'queueMessages'
  /** Operations of a bucket, by what they are billed as: bucket, method. */
  | 'bucketWrite'
  | 'bucketRead'
  /** Invocations of the Worker: `fetch` and method with path, or `queue` and its name. */
  | 'invocation'
  /** Calls that a class of the Worker took over the Worker's own binding: class, method. */
  | 'bindingCall';

export function sumOfTallies(first: Tally, second: Tally): Tally {
  const sum = { ...first };
  for (const [key, amount] of Object.entries(second)) sum[key] = (sum[key] ?? 0) + amount;
  return sum;
}

let sums: Tally = {};

export function count(counted: Counted, parts: readonly string[], amount = 1): void {
  if (amount === 0) return;
  const key = [counted, ...parts].join('|');
  sums[key] = (sums[key] ?? 0) + amount;
}

/** What was counted since the last taking. */
export function takeTally(): Tally {
  const taken = sums;
  sums = {};
  return taken;
}

/** What a statement changes, for its key; null for one that only reads. */
export function changeOf(statement: string): [table: string, verb: string] | null {
  const found =
    /\b(insert|replace)\s+(?:or\s+\w+\s+)?into\s+["'`]?(\w+)/i.exec(statement) ??
    /\b(delete)\s+from\s+["'`]?(\w+)/i.exec(statement) ??
    /\b(update)\s+(?:or\s+\w+\s+)?["'`]?(\w+)/i.exec(statement);
  return found === null ? null : [found[2] ?? '', (found[1] ?? '').toLowerCase()];
}
