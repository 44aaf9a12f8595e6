import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';
import table from '../../parts/frames/table.module.css';
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
    <section aria-label={t('errors')} className={table.frame}>
      <table className={table.table}>
        <caption>{t('errors')}</caption>
        <thead>
          <tr>
            <th>{t('columnStatus')}</th>
            <th>{t('columnRequest')}</th>
            <th className={table.figure}>{t('columnCount')}</th>
            <th className={table.wide}>{t('columnLast')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ method, route, code, status, count, lastAt }) => (
            <tr key={`${method} ${route} ${code}`}>
              <td>
                <RequestStatus status={status} code={code} />
              </td>
              <td>
                <Link
                  to="/developer/requests"
                  search={{ keyId, code, route, method }}
                  className={table.link}
                  title={t('showThese')}
                >
                  <code className={table.word}>{`${method} ${route}`}</code>
                </Link>
              </td>
              <td className={table.figure}>{format.number(count)}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                <Moment at={lastAt} ago />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
