import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Empty } from '../parts/feedback/empty.tsx';
import classes from './failed.module.css';

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
