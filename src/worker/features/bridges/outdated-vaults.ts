import { askNumber } from '../../object-calls.ts';

/** Numbers that are asked for one answer, each of which wakes for it. */
const numbersMax = 50;
const numbersAtOnce = 10;

export interface OutdatedVaults {
  /** Those that have entries which do not begin so, and how many. */
  numbers: { numberId: string; entries: number }[];
  /** The last number that was asked; null: that was all of them. */
  next: string | null;
}

/** Numbers behind `after`, by their ids, whose vault has entries that do not begin so: these are under another key. */
export async function vaultsNotUnder(env: Env, beginning: Buffer, after: string): Promise<OutdatedVaults> {
  const { results } = await env.DB.prepare('SELECT id FROM numbers WHERE id > ? ORDER BY id LIMIT ?')
    .bind(after, numbersMax)
    .all<{ id: string }>();
  const ids = results.map(({ id }) => id);
  const numbers: OutdatedVaults['numbers'] = [];
  for (let start = 0; start < ids.length; start += numbersAtOnce) {
    const asked = ids.slice(start, start + numbersAtOnce).map(async (numberId) => ({
      numberId,
      entries: await askNumber(env, numberId, (number) =>
        number.vaultEntriesNotUnder(beginning.toString('hex')),
      ),
    }));
    numbers.push(...(await Promise.all(asked)).filter(({ entries }) => entries > 0));
  }
  return { numbers, next: ids.length < numbersMax ? null : (ids.at(-1) ?? null) };
}
