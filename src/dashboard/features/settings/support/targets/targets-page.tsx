import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SlaPolicy } from '../../../../../sdk/index.ts';
import { gateway } from '../../../../gateway/client.ts';
import { Confirm } from '../../../../parts/asking/confirm.tsx';
import { Empty, Problem, QueryState } from '../../../../parts/feedback.tsx';
import { DataTable } from '../../../../parts/lists/data-table.tsx';
import { accountSettingsQuery, slaPoliciesQuery, supportChanged } from '../../../../queries/support.ts';
import { Section } from '../../section.tsx';
import { useNumberNames } from '../number-names.ts';
import classes from '../support.module.css';
import { useDuration } from '../times.ts';

const AfterChat = lazy(() => import('./after-chat.tsx'));
const PolicyDialog = lazy(() => import('./policy-dialog.tsx'));

/** How fast people are to be answered, and what happens once they were. */
export function TargetsPage() {
  const t = useTranslations('support.policies');
  const policies = useQuery(slaPoliciesQuery);
  const settings = useQuery(accountSettingsQuery);
  const [edited, setEdited] = useState<SlaPolicy | 'new' | null>(null);
  return (
    <div className={classes.sections}>
      <Section title={t('title')} lead={t('lead')}>
        <QueryState query={policies} />
        {policies.data?.length === 0 && (
          <Empty icon="clock" title={t('emptyTitle')} lead={t('emptyLead')}>
            <Button onClick={() => setEdited('new')}>{t('add')}</Button>
          </Empty>
        )}
        {policies.data !== undefined && policies.data.length > 0 && (
          <>
            <PoliciesTable policies={policies.data} onEdit={setEdited} />
            <Group>
              <Button onClick={() => setEdited('new')}>{t('add')}</Button>
            </Group>
          </>
        )}
      </Section>
      <Problem error={settings.error} onRetry={() => void settings.refetch()} />
      <Suspense>{settings.data !== undefined && <AfterChat support={settings.data.support} />}</Suspense>
      <Suspense>
        {edited !== null && (
          <PolicyDialog policy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </div>
  );
}

function PoliciesTable(props: { policies: readonly SlaPolicy[]; onEdit: (policy: SlaPolicy) => void }) {
  const t = useTranslations('support.policies');
  const common = useTranslations('common');
  const numberNames = useNumberNames();
  const duration = useDuration();
  const [removed, setRemoved] = useState<SlaPolicy | null>(null);
  const target = (seconds: number | null) => (seconds === null ? common('none') : duration(seconds));
  return (
    <>
      <DataTable
        rows={props.policies}
        keyOf={(policy) => policy.policyId}
        columns={[
          {
            head: common('name'),
            cell: (policy) => (
              <>
                {policy.name}
                <small>
                  {[
                    numberNames(policy.numberIds),
                    ...policy.labels,
                    policy.businessHoursOnly ? t('inHours') : t('always'),
                  ].join(' · ')}
                </small>
              </>
            ),
          },
          { head: t('first'), cell: (policy) => target(policy.firstResponseSeconds) },
          { head: t('next'), isWide: true, cell: (policy) => target(policy.nextResponseSeconds) },
          { head: t('resolution'), isWide: true, cell: (policy) => target(policy.resolutionSeconds) },
          {
            head: common('edit'),
            cell: (policy) => (
              <Group gap={6}>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={common('editNamed', { name: policy.name })}
                  onClick={() => props.onEdit(policy)}
                >
                  {common('edit')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  color="danger"
                  aria-label={common('deleteNamed', { name: policy.name })}
                  onClick={() => setRemoved(policy)}
                >
                  {common('delete')}
                </Button>
              </Group>
            ),
          },
        ]}
      />
      {removed !== null && (
        <Confirm
          onClose={() => setRemoved(null)}
          title={common('deleteTitle', { name: removed.name })}
          lead={t('deleteLead')}
          action={common('delete')}
          onConfirm={async () => {
            await gateway.slaPolicies.delete(removed.policyId);
            await supportChanged();
          }}
        />
      )}
    </>
  );
}
