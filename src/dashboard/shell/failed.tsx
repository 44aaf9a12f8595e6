import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Empty, Problem } from '../parts/feedback.tsx';
import classes from './shell.module.css';

/** In the place of a page that could not be shown. */
export function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <div className={classes.failed}>
      <Problem error={error} onRetry={() => void router.invalidate()} />
    </div>
  );
}

export function NoSuchPage() {
  const t = useTranslations('common');
  return (
    <div className={classes.failed}>
      <Empty icon="search" title={t('noSuchPage')} lead={t('noSuchPageLead')}>
        <Button component={Link} to="/">
          {t('toOverview')}
        </Button>
      </Empty>
    </div>
  );
}
