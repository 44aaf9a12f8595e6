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
import { readableAgent } from './user-agent.ts';

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
