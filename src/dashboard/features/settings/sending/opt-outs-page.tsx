import { Button, Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OptOutList } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { More, Problem, QueryState } from '../../../parts/feedback.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { optOutsChanged, optOutsQuery } from '../../../queries/account.ts';
import { useNumberLabel } from '../../../queries/numbers.ts';
import { accountSettingsQuery } from '../../../queries/support.ts';
import { Section } from '../section.tsx';
import classes from '../settings.module.css';

const AddOptOut = lazy(() => import('./add-opt-out.tsx'));
const OptOutWords = lazy(() => import('./opt-out-words.tsx'));

type OptOut = OptOutList['data'][number];

/** Who does not want to be written to, and which words bring somebody there. */
export default function OptOutsPage() {
  const t = useTranslations('accountSettings.optOuts');
  const [isAdding, setAdding] = useState(false);
  const list = useInfiniteQuery(optOutsQuery);
  const settings = useQuery(accountSettingsQuery);
  const optOuts = list.data?.pages.flatMap(({ data }) => data);
  return (
    <Stack gap="xl" maw={720}>
      <Section title={t('title')} lead={t('lead')}>
        <QueryState query={list} />
        {optOuts?.length === 0 && <p>{t('none')}</p>}
        {optOuts !== undefined && optOuts.length > 0 && <OptOutTable optOuts={optOuts} />}
        <Group gap="xs">
          <Button onClick={() => setAdding(true)}>{t('add')}</Button>
          <More query={list} />
        </Group>
      </Section>
      <Problem error={settings.error} onRetry={() => void settings.refetch()} />
      <Suspense>{settings.data !== undefined && <OptOutWords optOut={settings.data.optOut} />}</Suspense>
      <Suspense>{isAdding && <AddOptOut onClose={() => setAdding(false)} />}</Suspense>
    </Stack>
  );
}

/** How the API names them. */
const recipientOf = ({ phoneNumber, contactId }: OptOut): string => phoneNumber ?? contactId ?? '';

function OptOutTable({ optOuts }: { optOuts: readonly OptOut[] }) {
  const t = useTranslations('accountSettings.optOuts');
  const common = useTranslations('common');
  const [removed, setRemoved] = useState<OptOut | null>(null);
  const labelOf = useNumberLabel();
  const called = ({ phoneNumber, name }: OptOut, nobody: string) =>
    phoneNumber === null ? (name ?? nobody) : readable(phoneNumber);
  const how = ({ word, numberId }: OptOut) => {
    if (word === null) return t('byHand');
    const number = labelOf(numberId);
    return number === undefined ? t('wrote', { word }) : t('wroteTo', { word, number });
  };
  return (
    <>
      <DataTable
        rows={optOuts}
        keyOf={recipientOf}
        columns={[
          {
            head: common('contact'),
            className: classes.phone,
            cell: (optOut) => called(optOut, common('hiddenNumber')),
          },
          { head: t('how'), isWide: true, cell: (optOut) => how(optOut) },
          { head: common('since'), cell: (optOut) => <Moment at={optOut.optedOutAt} /> },
          {
            head: common('remove'),
            cell: (optOut) => (
              <SmallButton
                aria-label={common('removeNamed', { name: called(optOut, t('somebody')) })}
                onClick={() => setRemoved(optOut)}
              >
                {common('remove')}
              </SmallButton>
            ),
          },
        ]}
      />
      {removed !== null && (
        <Confirm
          onClose={() => setRemoved(null)}
          title={t('removeTitle', { name: called(removed, t('somebody')) })}
          lead={t('removeLead')}
          action={common('remove')}
          onConfirm={async () => {
            await gateway.optOuts.remove(recipientOf(removed));
            await optOutsChanged();
          }}
        />
      )}
    </>
  );
}
