import { Code } from '@mantine/core';
import classes from './raw.module.css';

/** A payload, closed until somebody wants to see it. */
export function Raw({ name, value }: { name: string; value: unknown }) {
  return (
    <details className={classes.raw}>
      <summary>{name}</summary>
      <Code block tabIndex={0}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </details>
  );
}
