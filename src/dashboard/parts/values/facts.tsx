import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './values.module.css';

/** Names and values, one below the other; `false` is none. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode] | false)[] }) {
  return (
    <Stack component="dl" gap={8}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </Stack>
  );
}
