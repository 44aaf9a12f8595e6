import { Box, Stack } from '@mantine/core';
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
            <Box component="dt" c="dimmed">
              {name}
            </Box>
            <dd>{value}</dd>
          </div>
        ))}
    </Stack>
  );
}
