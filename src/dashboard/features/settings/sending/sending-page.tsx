import { Stack, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Empty, Note, Problem, QueryState, Waiting } from '../../../parts/feedback.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { numbersQuery, showNumber } from '../../../queries/numbers.ts';
import { accountSettingsQuery } from '../../../queries/support.ts';
import { Section } from '../section.tsx';

const SendingRules = lazy(() => import('./sending-rules.tsx'));

/** Which numbers share the work, how one is chosen, and whom none of them may write to. */
export default function SendingPage() {
  const query = useQuery(accountSettingsQuery);
  const data = query.data;
  return (
    <Stack gap="xl" maw={720}>
      <Pool />
      <QueryState query={query} />
      {data !== undefined && (
        <Suspense fallback={<Waiting />}>
          <SendingRules settings={data} />
        </Suspense>
      )}
    </Stack>
  );
}

/** The numbers from which a send without a number of its own chooses one. */
function Pool() {
  const t = useTranslations('accountSettings.pool');
  const common = useTranslations('common');
  const numbers = useQuery(numbersQuery);
  const change = useMutation({
    mutationFn: ({ numberId, inPool }: Pick<PhoneNumber, 'numberId' | 'inPool'>) =>
      gateway.numbers.update(numberId, { inPool }),
    onSuccess: showNumber,
  });
  const isEmpty = numbers.data?.every(({ inPool }) => !inPool);
  return (
    <Section title={common('poolTitle')} lead={t('lead')}>
      <QueryState query={numbers} />
      {numbers.data?.length === 0 && (
        <Empty icon="numbers" title={t('noNumbers')} lead={t('noNumbersLead')}>
          <Link to="/numbers">{t('toNumbers')}</Link>
        </Empty>
      )}
      {numbers.data !== undefined && numbers.data.length > 0 && (
        <DataTable
          rows={numbers.data}
          keyOf={({ numberId }) => numberId}
          columns={[
            {
              head: common('number'),
              isLongWord: true,
              cell: ({ numberId, label, phoneNumber }) => (
                <>
                  <Link to="/numbers/$numberId" params={{ numberId }}>
                    {label}
                  </Link>
                  <small>{phoneNumber === null ? t('notPaired') : readable(phoneNumber)}</small>
                </>
              ),
            },
            {
              head: common('inPool'),
              cell: ({ numberId, label, inPool }) => (
                <Switch
                  aria-label={t('inPoolNamed', { name: label })}
                  checked={inPool}
                  disabled={change.isPending && change.variables.numberId === numberId}
                  onChange={({ currentTarget: { checked } }) => change.mutate({ numberId, inPool: checked })}
                />
              ),
            },
          ]}
        />
      )}
      {isEmpty === true && numbers.data?.length !== 0 && <Note tone="amber">{t('empty')}</Note>}
      <Problem error={change.error} />
    </Section>
  );
}
