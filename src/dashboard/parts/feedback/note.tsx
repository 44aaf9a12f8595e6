import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import classes from './note.module.css';

type NoteTone = 'amber' | 'blue' | 'red' | 'green';

const icons: Record<NoteTone, IconName> = { amber: 'warning', blue: 'info', red: 'bad', green: 'good' };

/** A sentence that should not be missed, and maybe what to do about it. */
export function Note({ tone, title, children }: { tone: NoteTone; title?: string; children: ReactNode }) {
  return (
    <div className={classes.note} data-tone={tone}>
      <Icon name={icons[tone]} />
      <div className={classes.text}>
        {title !== undefined && <h3>{title}</h3>}
        {children}
      </div>
    </div>
  );
}
