import type { ReactNode } from 'react';
import classes from './list-with-panel.module.css';

/** A list, and beside it what is open of it. */
export function ListWithPanel({ list, panel }: { list: ReactNode; panel: ReactNode }) {
  return (
    <div className={classes.split}>
      <div className={classes.list}>{list}</div>
      {panel}
    </div>
  );
}
