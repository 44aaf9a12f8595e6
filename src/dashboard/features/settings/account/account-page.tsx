import { Box, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Account } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { showStored } from '../../../gateway/query-client.ts';
import { session } from '../../../gateway/session.ts';
import { QueryState } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Framed } from '../../../parts/frames/page.tsx';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { ShortId } from '../../../parts/values/copyable.tsx';
import { Meter } from '../../../parts/values/meter.tsx';
import { accountQuery, usageQuery } from '../../../queries/account.ts';
import { useNumberLabel } from '../../../queries/numbers.ts';
import { useDraft } from '../draft.ts';
import { Section } from '../section.tsx';

/** What the account is called, what its plan allows, and how much of that there is. */
export default function AccountPage() {
  const query = useQuery(accountQuery);
  const account = query.data;
  return (
    <Stack gap="xl" maw={720}>
      <QueryState query={query} />
      {account !== undefined && (
        <>
          <AccountName account={account} />
          <PlanUsage account={account} />
        </>
      )}
    </Stack>
  );
}

/** The name stands on invitations, and in the corner of every page. */
function AccountName({ account }: { account: Account }) {
  const t = useTranslations('accountSettings.name');
  const common = useTranslations('common');
  const { draft, change, isDirty, forget } = useDraft({ name: account.name });
  const save = useMutation({
    mutationFn: (body: { name: string }) =>
      gateway.request<Account>({ method: 'PATCH', path: '/v1/account', body }),
    onSuccess: (stored) => {
      showStored(accountQuery.queryKey, stored);
      const signedIn = session.current.value;
      if (signedIn !== null) {
        session.current.set({ ...signedIn, account: { ...signedIn.account, name: stored.name } });
      }
      forget();
    },
  });
  return (
    <Section title={common('accountName')} lead={t('lead')}>
      <PageForm save={save} isDirty={isDirty} onSubmit={() => save.mutate(draft)}>
        <TextInput
          required
          label={common('name')}
          maxLength={100}
          {...inputOf(draft.name, (name) => change({ name }))}
        />
      </PageForm>
      <p>
        {t('id')} <ShortId id={account.accountId} />
      </p>
    </Section>
  );
}

const capped = ['numbers', 'webhooks', 'keys', 'members'] as const;

/** The plan, and how much is used of everything that it bounds. */
function PlanUsage({ account }: { account: Account }) {
  const t = useTranslations('accountSettings.plan');
  const format = useFormatter();
  const usage = useQuery(usageQuery);
  const { caps, used } = account;
  return (
    <Section title={t('title')} lead={t('lead', { plan: account.plan })}>
      <QueryState query={usage} rows={2} />
      <SimpleGrid component="dl" minColWidth={200} autoFlow="auto-fit" spacing="sm">
        {usage.data !== undefined && (
          <Used
            name={t('messages')}
            used={usage.data.used}
            most={usage.data.limit}
            note={t('resets', {
              date: format.dateTime(new Date(usage.data.resetAt), { day: 'numeric', month: 'long' }),
            })}
          />
        )}
        {usage.data !== undefined && <StorageMeter {...usage.data.storage} />}
        {capped.map((name) => (
          <Used key={name} name={t(name)} used={used[name]} most={caps[name]} />
        ))}
      </SimpleGrid>
      {usage.data !== undefined && usage.data.byNumber.length > 0 && (
        <ByNumber shares={usage.data.byNumber} />
      )}
    </Section>
  );
}

/** The files that are stored: in MB, or in GB from one on. */
function StorageMeter({ used, limit }: { used: number; limit: number | null }) {
  const t = useTranslations('accountSettings.plan');
  const format = useFormatter();
  const shown = (bytes: number) =>
    bytes < 1024 ** 3
      ? format.number(bytes / 1024 ** 2, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 })
      : format.number(bytes / 1024 ** 3, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });
  const text =
    limit === null
      ? t('unboundedSize', { used: shown(used) })
      : t('ofMostSize', { used: shown(used), most: shown(limit) });
  return <Used name={t('storage')} used={used} most={limit} text={text} note={t('storageNote')} />;
}

function Used(props: { name: string; used: number; most: number | null; text?: string; note?: string }) {
  const { name, used, most, text, note } = props;
  const t = useTranslations('accountSettings.plan');
  return (
    <Framed gap={4} p="14px 16px">
      <Box component="dt" c="dimmed">
        {name}
      </Box>
      <Stack component="dd" gap={6} fz="lg" fw={550}>
        {text ?? (most === null ? t('unbounded', { used }) : t('ofMost', { used, most }))}
        {note !== undefined && (
          <Hint component="small" fw={400}>
            {note}
          </Hint>
        )}
        {most !== null && <Meter share={used / Math.max(1, most)} height={6} />}
      </Stack>
    </Framed>
  );
}

/** Which number the month's messages went through. */
function ByNumber({ shares }: { shares: readonly { numberId: string; used: number }[] }) {
  const t = useTranslations('accountSettings.plan');
  const common = useTranslations('common');
  const format = useFormatter();
  const label = useNumberLabel();
  return (
    <DataTable
      rows={shares.toSorted((a, b) => b.used - a.used)}
      keyOf={({ numberId }) => numberId}
      columns={[
        {
          head: t('number'),
          cell: ({ numberId }) =>
            label(numberId) === undefined ? (
              common('deletedNumber')
            ) : (
              <Link to="/numbers/$numberId" params={{ numberId }}>
                {label(numberId)}
              </Link>
            ),
        },
        { head: t('messages'), isFigure: true, cell: ({ used }) => format.number(used) },
      ]}
    />
  );
}
