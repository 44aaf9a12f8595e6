import { Box, Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Empty, Problem } from '../parts/feedback.tsx';

/** In the place of a page that could not be shown. */
export function Failed({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <Box maw={560} m="15vh auto" p="0 16px">
      <Problem error={error} onRetry={() => void router.invalidate()} />
    </Box>
  );
}

export function NoSuchPage() {
  const t = useTranslations('common');
  return (
    <Box maw={560} m="15vh auto" p="0 16px">
      <Empty icon="search" title={t('noSuchPage')} lead={t('noSuchPageLead')}>
        <Button component={Link} to="/">
          {t('toOverview')}
        </Button>
      </Empty>
    </Box>
  );
}
