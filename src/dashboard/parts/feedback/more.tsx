import { Button } from '@mantine/core';
import type { InfiniteData, InfiniteQueryObserverResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';

type Pages = InfiniteQueryObserverResult<InfiniteData<unknown>>;

/**
 * Asks for one page more. A list that is being asked for anew is waited for, not interrupted; and where that took the
 * page's turn (TanStack Query drops it then), the page is asked for once more.
 */
async function loadMore(query: Pages): Promise<void> {
  const had = query.data?.pages.length ?? 0;
  let now = query;
  do now = await now.fetchNextPage({ cancelRefetch: false });
  while (now.isSuccess && now.hasNextPage && now.data.pages.length <= had);
}

/** The button below a list that has more. Nothing where it has not. */
export function More({ query }: { query: Pages }) {
  const t = useTranslations('common');
  const [isLoading, setLoading] = useState(false);
  if (!query.hasNextPage) return null;
  const load = async () => {
    setLoading(true);
    await loadMore(query);
    setLoading(false);
  };
  return (
    <div>
      <Button variant="default" loading={isLoading} onClick={() => void load()}>
        {t('loadMore')}
      </Button>
    </div>
  );
}
