import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { accountSettingsQuery } from '../../../queries/support.ts';
import classes from '../settings.module.css';
import { Pool } from './pool.tsx';

const AccountFilters = lazy(() => import('./account-filters.tsx'));
const PoolRules = lazy(() => import('./pool-rules.tsx'));

/** Which numbers share the work, how one is chosen, and whom none of them may write to. */
export function SendingPage() {
  const { data, error, isPending, refetch } = useQuery(accountSettingsQuery);
  return (
    <div className={classes.sections}>
      <Pool />
      {isPending && <Waiting />}
      <Problem error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <Suspense fallback={<Waiting />}>
          <PoolRules settings={data} />
          <AccountFilters filters={data.filters} />
        </Suspense>
      )}
    </div>
  );
}
