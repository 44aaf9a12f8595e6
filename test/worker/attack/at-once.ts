import { type Answer, ask } from '../front-door.ts';

/** All begin before any is answered. */
export const atOnce = <Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/** Answers by status. */
export const countOf = (answers: Pick<Answer, 'status'>[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** All rows of a list, page by page. */
export async function listed(path: string, headers: Record<string, string>) {
  const rows: Record<string, unknown>[] = [];
  let cursor = '';
  do {
    const { body } = await ask('GET', `${path}?limit=200${cursor}`, { headers });
    rows.push(...body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return rows;
}
