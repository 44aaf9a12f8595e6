/** What of a conversation's past is archived. */
export type PastKind = 'activity' | 'note' | 'conversation';

/** A row of its table, as it stood there. */
export type PastRow = { id: number } & Record<string, SqlStorageValue>;

interface PastLine {
  kind: PastKind;
  row: PastRow;
}

/** What stands in place of the past of a conversation that was erased: nothing is added to it any more. */
export const erasedPast = JSON.stringify({ kind: 'erased' });

export const pastLine = (kind: PastKind, row: PastRow): string => JSON.stringify({ kind, row });

const linesOf = (text: string): PastLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A past with more rows in it. Those that it has already, from a call that got no answer, are replaced. Null: it was erased. */
export function withPast(text: string, added: string): string | null {
  if (text === erasedPast) return null;
  const lines = new Map(
    [...linesOf(text), ...linesOf(added)].map((line) => [`${line.kind} ${line.row.id}`, line]),
  );
  return [...lines.values()]
    .sort((a, b) => a.row.id - b.row.id)
    .map(({ kind, row }) => pastLine(kind, row))
    .join('\n');
}

/** Rows of one kind below a place, newest first. */
export function rowsOfPast(text: string, { kind, below, limit }: PastQuery): PastRow[] {
  return linesOf(text)
    .filter((line) => line.kind === kind && line.row.id < below)
    .map(({ row }) => row)
    .slice(-limit)
    .reverse();
}

export interface PastQuery {
  kind: PastKind;
  below: number;
  limit: number;
}

export const countOfPast = (text: string): number => (text === erasedPast ? 0 : linesOf(text).length);
