import { requestJson } from '../../src/local/json-client.ts';
import type { CallTrace } from '../meter/call-traces.ts';
import type { Tally } from '../meter/tally.ts';
import type { Edge } from './edge.ts';

/** What the meter has counted since the last taking. */
export function takeMeter(edge: Edge): Promise<{ tally: Tally; traces: CallTrace[] }> {
  return requestJson(edge.url, 'GET', '/bench/meter');
}

interface ObjectName {
  binding: 'ACCOUNT' | 'PHONE_NUMBER';
  name: string;
}

/** Rows in the tables of these objects and of D1, by place and table. */
export async function countRows(edge: Edge, objects: readonly ObjectName[]): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { binding, name } of objects) {
    const path = `/bench/tables?binding=${binding}&name=${name}`;
    for (const [table, count] of Object.entries(
      await requestJson<Record<string, number>>(edge.url, 'GET', path),
    )) {
      const key = `${binding === 'ACCOUNT' ? 'Account' : 'PhoneNumber'} ${table}`;
      rows[key] = (rows[key] ?? 0) + count;
    }
  }
  for (const table of ['deliveries', 'delivery_packs']) {
    const { results } = await edge.database.prepare(`SELECT count(*) AS rows FROM ${table}`).all();
    rows[`D1 ${table}`] = Number(results[0]?.rows);
  }
  return rows;
}

/** Sessions with recipients: they go with the number and no earlier. */
const kept = new Set(['PhoneNumber vault']);

/** What has been added between two counts, and will be deleted one day, a row each. */
export function rowsAdded(
  before: Record<string, number>,
  after: Record<string, number>,
): Record<string, number> {
  const added = Object.entries(after).map(([key, rows]) => [key, rows - (before[key] ?? 0)] as const);
  return Object.fromEntries(added.filter(([key, rows]) => rows > 0 && !kept.has(key)));
}
