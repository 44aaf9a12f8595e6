import { Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './waiting.module.css';

/** Rows in the place of what comes; they show themselves only when it takes a while. */
export function Waiting({ rows = 4, height = 36 }: { rows?: number; height?: number }) {
  const t = useTranslations('common');
  return (
    <div className={classes.waiting} role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <Skeleton key={row} height={height} radius="sm" />
      ))}
    </div>
  );
}
