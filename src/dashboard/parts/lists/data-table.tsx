import type { ReactNode } from 'react';
import classes from './lists.module.css';

export interface Column<Row> {
  head: string;
  cell: (row: Row, index: number) => ReactNode;
  /** Only where there is room: not on a phone, and not beside an open panel. */
  isWide?: true;
  /** A figure: at the right. */
  isFigure?: true;
  /** Less than the rest of the row. */
  isQuiet?: true;
  /** A long word, which breaks on a phone, so that the columns behind it are seen. */
  isLongWord?: true;
  /** Never in two lines where there is room. */
  isOneLine?: true;
  /** An address, as long as it likes: it breaks, and leaves the other columns their room. */
  isAddress?: true;
  className?: string | undefined;
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  /** The row that is open beside the table. */
  openKey?: string | undefined;
  /** Stands above the head, and names the table. */
  caption?: string;
  /** A row that is shown in another way than the others. */
  rowClass?: (row: Row) => string | undefined;
}

const joined = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;

/** A list in rows of 36 px, as a card. The link in a row opens it; `small` is a second line in a cell. */
export function DataTable<Row>({ columns, rows, keyOf, openKey, caption, rowClass }: DataTableProps<Row>) {
  const place = ({ isWide, isFigure }: Column<Row>) =>
    joined(isWide && classes.wide, isFigure && classes.figure);
  const look = (column: Column<Row>) =>
    joined(
      place(column),
      column.isQuiet && classes.quiet,
      column.isLongWord && classes.word,
      column.isOneLine && classes.whole,
      column.isAddress && classes.address,
      column.className,
    );
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={place(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const key = keyOf(row, index);
            return (
              <tr key={key} data-open={key === openKey} className={rowClass?.(row)}>
                {columns.map((column) => (
                  <td key={column.head} className={look(column)}>
                    {column.cell(row, index)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
