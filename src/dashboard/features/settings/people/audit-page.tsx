import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AuditLog, AuditVerdict } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { More, Problem, Status, Waiting } from '../../../parts/feedback.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Dotted } from '../../../parts/values/dotted.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { auditLogQuery } from '../../../queries/account.ts';
import { Section } from '../section.tsx';

/** Who changed what, and whether the chain of entries holds. */
export default function AuditPage() {
  const t = useTranslations('settings.audit');
  const log = useInfiniteQuery(auditLogQuery);
  const verify = useMutation({
    mutationFn: () => gateway.request<AuditVerdict>({ method: 'GET', path: '/v1/audit-log/verify' }),
  });
  const entries = log.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Group gap="md">
        <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          {t('verify')}
        </Button>
        <span role="status">
          {verify.data !== undefined && (
            <Status tone={verify.data.valid ? 'green' : 'red'}>
              {verify.data.valid ? t('holds', { count: verify.data.entries }) : t('broken')}
            </Status>
          )}
        </span>
      </Group>
      <Problem error={verify.error ?? log.error} />
      {log.isPending && <Waiting />}
      {entries.length > 0 && <AuditTable entries={entries} />}
      <More query={log} />
    </Section>
  );
}

function AuditTable({ entries }: { entries: AuditLog['data'] }) {
  const t = useTranslations('settings.audit');
  const common = useTranslations('common');
  return (
    <DataTable
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { head: common('time'), isQuiet: true, isOneLine: true, cell: ({ at }) => <Moment at={at} /> },
        { head: t('what'), isLongWord: true, cell: ({ action }) => <Dotted name={action} /> },
        { head: t('who'), isLongWord: true, cell: ({ actor, actorName }) => actorName ?? actor },
        { head: t('target'), isWide: true, cell: ({ target, targetName }) => targetName ?? target },
        { head: t('address'), isWide: true, isQuiet: true, cell: ({ address }) => address },
      ]}
    />
  );
}
