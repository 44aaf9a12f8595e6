import { requestJson } from '../../src/local/json-client.ts';
import type { CallTrace } from '../meter/call-traces.ts';
import type { ObjectContents } from '../meter/metered-object.ts';
import type { Tally } from '../meter/tally.ts';
import type { Edge } from './edge.ts';

/** What the meter has counted since the last taking. */
export function takeMeter(edge: Edge): Promise<{ tally: Tally; traces: CallTrace[] }> {
  return requestJson(edge.url, 'GET', '/bench/meter');
}

const bindings = { Account: 'ACCOUNT', PhoneNumber: 'PHONE_NUMBER', EventLog: 'EVENT_LOG' } as const;

export interface ObjectName {
  className: keyof typeof bindings;
  name: string;
}

/** What some objects keep together. */
export interface Kept {
  /** By place and table: `EventLog messages`. */
  rows: Record<string, number>;
  /** By place. */
  bytes: Record<string, number>;
}

export async function whatIsKept(edge: Edge, objects: readonly ObjectName[]): Promise<Kept> {
  const kept: Kept = { rows: {}, bytes: {} };
  for (const { className, name } of objects) {
    const path = `/bench/contents?binding=${bindings[className]}&name=${name}`;
    const { rows, bytes } = await requestJson<ObjectContents>(edge.url, 'GET', path);
    kept.bytes[className] = (kept.bytes[className] ?? 0) + bytes;
    for (const [table, count] of Object.entries(rows)) {
      const key = `${className} ${table}`;
      kept.rows[key] = (kept.rows[key] ?? 0) + count;
    }
  }
  return kept;
}

/** Sessions with recipients go with the number and no earlier; of small facts there is one under each name. */
const stays = new Set(['PhoneNumber vault', 'EventLog log_state']);

/** The rows that have been added between two looks, and will be deleted one day, a row each. */
export function rowsAdded(before: Kept, after: Kept): Record<string, number> {
  const added = Object.entries(after.rows).map(
    ([key, rows]) => [key, rows - (before.rows[key] ?? 0)] as const,
  );
  return Object.fromEntries(added.filter(([key, rows]) => rows > 0 && !stays.has(key)));
}
