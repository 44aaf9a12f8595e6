import type { ReactNode } from 'react';
import classes from './settings.module.css';

/** A part of a page of settings, under its own heading. */
export function Section(props: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.lead !== undefined && <p>{props.lead}</p>}
      {props.children}
    </section>
  );
}
