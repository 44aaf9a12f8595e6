import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Account } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { queryClient } from '../../../gateway/query-client.ts';
import { session } from '../../../gateway/session.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { ShortId } from '../../../parts/values/short-id.tsx';
import { accountQuery } from '../../../queries/account/account.ts';
import { useDraft } from '../draft.ts';
import { Section } from '../section.tsx';

/** The name stands on invitations, and in the corner of every page. */
export function AccountName({ account }: { account: Account }) {
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
