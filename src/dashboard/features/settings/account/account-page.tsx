import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Account } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { queryClient } from '../../../gateway/query-client.ts';
import { session } from '../../../gateway/session.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { ShortId } from '../../../parts/values/short-id.tsx';
import { accountQuery } from '../../../queries/account/account.ts';
import { useDraft } from '../draft.ts';
import { Section } from '../section.tsx';
import classes from '../settings.module.css';
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

/** The name stands on invitations, and in the corner of every page. */
function AccountName({ account }: { account: Account }) {
  const t = useTranslations('accountSettings.name');
  const { draft, change, isDirty, forget } = useDraft({ name: account.name });
  const save = useMutation({
    mutationFn: (body: { name: string }) =>
      gateway.request<Account>({ method: 'PATCH', path: '/v1/account', body }),
    onSuccess: (stored) => {
      queryClient.setQueryData(accountQuery.queryKey, stored);
      const signedIn = session.current.value;
      if (signedIn !== null) {
        session.current.set({ ...signedIn, account: { ...signedIn.account, name: stored.name } });
      }
      forget();
    },
  });
  return (
    <Section title={t('title')} lead={t('lead')}>
      <PageForm save={save} isDirty={isDirty} onSubmit={() => save.mutate(draft)}>
        <TextInput
          required
          withAsterisk={false}
          label={t('label')}
          maxLength={100}
          value={draft.name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
        />
      </PageForm>
      <p>
        {t('id')} <ShortId id={account.accountId} />
      </p>
    </Section>
  );
}
