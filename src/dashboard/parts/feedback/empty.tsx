import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import classes from './empty.module.css';

/** A page without content teaches: what this is, maybe a line that runs, one button. */
export function Empty(props: { icon: IconName; title: string; lead: string; children?: ReactNode }) {
  return (
    <section className={classes.empty}>
      <span className={classes.icon}>
        <Icon name={props.icon} size={22} />
      </span>
      <h2>{props.title}</h2>
      <p>{props.lead}</p>
      {props.children}
    </section>
  );
}
