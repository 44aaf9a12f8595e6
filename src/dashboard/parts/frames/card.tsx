import type { ReactNode } from 'react';
import classes from './card.module.css';

/** A part of a page with a name. */
export function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.card}>
      <header className={classes.header}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
