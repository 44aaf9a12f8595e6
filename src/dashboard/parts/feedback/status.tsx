import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import classes from './status.module.css';

export type Tone = 'green' | 'blue' | 'amber' | 'red' | 'grey';

const icons: Record<Tone, IconName> = {
  green: 'good',
  blue: 'info',
  amber: 'clock',
  red: 'bad',
  grey: 'off',
};

/** A state: colour, icon and word together. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon name={icons[tone]} size={14} />
      {children}
    </span>
  );
}
