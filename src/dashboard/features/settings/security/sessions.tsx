import { Button, Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import table from '../../../parts/frames/table.module.css';
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
        <div className={table.frame}>
          <table className={table.table}>
            <thead>
              <tr>
                <th>{t('device')}</th>
                <th>{t('lastUsed')}</th>
                <th>{t('end')}</th>
              </tr>
            </thead>
            <tbody>
              {data.map(({ id, userAgent, address, lastUsedAt, current }) => (
                <tr key={id}>
                  <td>
                    {readableAgent(userAgent) ?? t('unknown')}
                    <div className={table.quiet}>{address}</div>
                  </td>
                  <td>
                    <Moment at={lastUsedAt} ago />
                  </td>
                  <td>
                    {current ? (
                      <Status tone="green">{t('current')}</Status>
                    ) : (
                      <Button size="xs" variant="default" onClick={() => end.mutate(id)}>
                        {t('end')}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
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
