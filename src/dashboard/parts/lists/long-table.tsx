import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Waiting } from '../feedback.tsx';
import classes from './long-table.module.css';

export const rowClass = classes.row;
const rowHeight = 36;
/** So many rows before the end the next page is asked for. */
const rowsAhead = 60;

/** Rows of which only those on screen are drawn, however many there are. `keyOf`: the same function each time. */
export function useLongTable<Row>(rows: readonly Row[], keyOf: (row: Row) => string, onEnd: () => void) {
  const scroller = useRef<HTMLDivElement>(null);
  // The same one while the rows are: with another one all of them are measured anew.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    [rows, keyOf],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey,
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - rowsAhead) onEnd();
  }, [last, rows.length, onEnd]);
  return { rows, scroller, virtual, isAtTop: (virtual.scrollOffset ?? 0) < rowHeight };
}

interface LongTableProps<Row> {
  table: ReturnType<typeof useLongTable<Row>>;
  name: string;
  /** Says the `--columns` of its rows, and how much stands `--above` it. */
  className: string | undefined;
  /** What its columns are called. */
  head: ReactNode;
  /** A link with `rowClass`. */
  row: (row: Row) => ReactNode;
  /** What lies over the rows. */
  children?: ReactNode;
}

export function LongTable<Row>(props: LongTableProps<Row>) {
  const { rows, scroller, virtual } = props.table;
  return (
    <div className={classes.frame}>
      <div className={props.className}>
        <div className={classes.head} aria-hidden="true">
          {props.head}
        </div>
        {props.children}
        <div className={classes.scroller} ref={scroller}>
          <ul className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label={props.name}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              return row === undefined ? null : (
                <li key={key} className={classes.place} style={{ transform: `translateY(${start}px)` }}>
                  {props.row(row)}
                </li>
              );
            })}
          </ul>
          {rows.length === 0 && <Waiting rows={4} />}
        </div>
      </div>
    </div>
  );
}
