import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { requestErrorsQuery } from '../../queries/developers/requests.ts';
import { RequestStatus } from './request-status.tsx';

const shownMax = 5;

/** The most frequent failures, each a way to its requests. Nothing where nothing failed. */
export function RequestErrors({ keyId }: { keyId: string | undefined }) {
  const t = useTranslations('requests');
  const format = useFormatter();
  const { data, error } = useQuery(requestErrorsQuery(keyId));
  const groups = data?.data.slice(0, shownMax) ?? [];
  if (error !== null) return <Problem error={error} />;
  if (groups.length === 0) return null;
  return (
    <DataTable
      caption={t('errors')}
      rows={groups}
      keyOf={({ method, route, code }) => `${method} ${route} ${code}`}
      columns={[
        {
          head: t('columnStatus'),
          cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
        },
        {
          head: t('columnRequest'),
          isLongWord: true,
          cell: ({ method, route, code }) => (
            <Link to="/developer/requests" search={{ keyId, code, route, method }} title={t('showThese')}>
              <code>{`${method} ${route}`}</code>
            </Link>
          ),
        },
        { head: t('columnCount'), isFigure: true, cell: ({ count }) => format.number(count) },
        {
          head: t('columnLast'),
          isWide: true,
          isQuiet: true,
          cell: ({ lastAt }) => <Moment at={lastAt} ago />,
        },
      ]}
    />
  );
}
