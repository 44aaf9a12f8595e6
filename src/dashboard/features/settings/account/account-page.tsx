import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { accountQuery } from '../../../queries/account/account.ts';
import classes from '../settings.module.css';
import { AccountName } from './account-name.tsx';
import { PlanUsage } from './plan-usage.tsx';

/** What the account is called, what its plan allows, and how much of that there is. */
export function AccountPage() {
  const { data: account, error, isPending, refetch } = useQuery(accountQuery);
  return (
    <div className={classes.sections}>
      {isPending && <Waiting />}
      <Problem error={error} onRetry={() => void refetch()} />
      {account !== undefined && (
        <>
          <AccountName account={account} />
          <PlanUsage account={account} />
        </>
      )}
    </div>
  );
}
