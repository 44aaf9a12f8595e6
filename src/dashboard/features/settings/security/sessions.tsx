import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { peopleChanged, sessionsQuery } from '../../../queries/account/people.ts';
import { Section } from '../section.tsx';

/** Where the person is signed in; each can be ended from here. */
export function Sessions() {
  const t = useTranslations('settings.sessions');
  const { data, error, isPending, refetch } = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string | null) =>
      gateway.request({
        method: 'DELETE',
        path: id === null ? '/v1/auth/sessions' : `/v1/auth/sessions/${id}`,
      }),
    onSuccess: () => peopleChanged(),
  });
  const others = data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title={t('title')} lead={t('lead')}>
      {isPending && <Waiting />}
      <Problem error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <DataTable
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t('device'),
              cell: ({ userAgent, address }) => (
                <>
                  {readableAgent(userAgent) ?? t('unknown')}
                  <small>{address}</small>
                </>
              ),
            },
            { head: t('lastUsed'), cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} ago /> },
            {
              head: t('end'),
              cell: ({ id, current }) =>
                current ? (
                  <Status tone="green">{t('current')}</Status>
                ) : (
                  <Button size="xs" variant="default" onClick={() => end.mutate(id)}>
                    {t('end')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <Problem error={end.error} />
      {others > 0 && (
        <Group>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
            {t('endOthers')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A browser as a person knows it; what is none is told as it names itself. Null: it did not say. */
function readableAgent(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent.includes(mark))?.[1];
  const parts = [find(browsers), find(systems)].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent.slice(0, 60) : parts.join(' · ');
}
