import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../../gateway/client.ts';
import { Problem } from '../../../../parts/feedback.tsx';
import { accountSettingsQuery, slaPoliciesQuery, supportChanged } from '../../../../queries/support.ts';
import { Definitions } from '../../definitions.tsx';
import { useNumberNames } from '../number-names.ts';
import { useDuration } from '../times.ts';

const AfterChat = lazy(() => import('./after-chat.tsx'));
const PolicyDialog = lazy(() => import('./policy-dialog.tsx'));

/** How fast people are to be answered, and what happens once they were. */
export default function TargetsPage() {
  const settings = useQuery(accountSettingsQuery);
  return (
    <Stack gap="xl" maw={860}>
      <Policies />
      <Problem error={settings.error} onRetry={() => void settings.refetch()} />
      <Suspense>{settings.data !== undefined && <AfterChat support={settings.data.support} />}</Suspense>
    </Stack>
  );
}

function Policies() {
  const t = useTranslations('support.policies');
  const common = useTranslations('common');
  const policies = useQuery(slaPoliciesQuery);
  const numberNames = useNumberNames();
  const duration = useDuration();
  const target = (seconds: number | null) => (seconds === null ? common('none') : duration(seconds));
  return (
    <Definitions
      of="support.policies"
      icon="clock"
      found={policies}
      idOf={({ policyId }) => policyId}
      nameOf={({ name }) => name}
      remove={(policyId) => gateway.slaPolicies.delete(policyId).then(supportChanged)}
      columns={[
        {
          head: common('name'),
          isLongWord: true,
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
      ]}
      dialog={(policy, onClose) => <PolicyDialog policy={policy} onClose={onClose} />}
    />
  );
}
