import { Button, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { RequestEntry } from '../../../sdk/index.ts';
import { Empty, More, Problem, QueryState, Status, type Tone } from '../../parts/feedback.tsx';
import { Filter } from '../../parts/fields/filters.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ListWithPanel } from '../../parts/lists/list-page.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { apiKeysQuery } from '../../queries/developers/api-keys.ts';
import { requestErrorsQuery, requestsQuery } from '../../queries/developers/requests.ts';

const statuses = ['2xx', '4xx', '5xx'] as const;

/** What the account's keys have asked in the last seven days; the filters stand in the address. */
export default function RequestsPage() {
  const t = useTranslations('requests');
  const filter = useSearch({ from: '/signed-in/developer/requests' });
  const requests = useInfiniteQuery(requestsQuery(filter));
  const entries = requests.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const refresh = (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" size={16} />}
      loading={requests.isRefetching}
      onClick={() => void requests.refetch()}
    >
      {t('refresh')}
    </Button>
  );
  const list = (
    <Page title={t('title')} lead={t('lead')} actions={refresh}>
      <Filters />
      <RequestErrors keyId={filter.keyId} />
      <QueryState query={requests} />
      {requests.isSuccess && entries.length === 0 && !requests.hasNextPage && (
        <Empty
          icon="search"
          title={isFiltered ? t('noneTitle') : t('emptyTitle')}
          lead={isFiltered ? t('noneLead') : t('emptyLead')}
        />
      )}
      {entries.length > 0 && <RequestsTable entries={entries} />}
      <More query={requests} />
    </Page>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function Filters() {
  const t = useTranslations('requests');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const filter = useSearch({ from: '/signed-in/developer/requests' });
  const keys = useQuery(apiKeysQuery);
  const change = (changes: Partial<typeof filter>) =>
    void navigate({ to: '/developer/requests', search: { ...filter, ...changes }, replace: true });
  const { keyId, status, code, route } = filter;
  return (
    <Group gap="xs" align="flex-end">
      <Filter
        label={t('key')}
        any={t('allKeys')}
        choices={(keys.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={keyId}
        onChange={(keyId) => change({ keyId })}
      />
      <Filter
        label={t('outcome')}
        any={common('any')}
        choices={statuses.map((value) => ({ value, label: t(`outcomes.${value}`) }))}
        value={status}
        onChange={(status) => change({ status })}
      />
      {(code !== undefined || route !== undefined) && (
        <Button
          variant="default"
          rightSection={<Icon name="close" size={14} />}
          onClick={() => change({ code: undefined, route: undefined, method: undefined })}
        >
          {[code, route].filter((part) => part !== undefined).join(' · ')}
        </Button>
      )}
    </Group>
  );
}

function RequestsTable({ entries }: { entries: readonly RequestEntry[] }) {
  const t = useTranslations('requests');
  const common = useTranslations('common');
  const { requestId: openId } = useParams({ strict: false });
  const filter = useSearch({ from: '/signed-in/developer/requests' });
  const keys = useQuery(apiKeysQuery);
  const nameOf = (keyId: string) => keys.data?.find(({ id }) => id === keyId)?.name ?? t('revokedKey');
  return (
    <DataTable
      rows={entries}
      keyOf={({ requestId }) => requestId}
      openKey={openId}
      columns={[
        {
          head: t('request'),
          cell: ({ requestId, method, route }) => (
            <Link to="/developer/requests/$requestId" params={{ requestId }} search={filter}>
              <code>{`${method} ${route}`}</code>
            </Link>
          ),
        },
        {
          head: common('state'),
          cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
        },
        {
          head: t('columnDuration'),
          isWide: true,
          isFigure: true,
          cell: ({ durationMs }) => t('milliseconds', { count: durationMs }),
        },
        { head: t('key'), isWide: true, isQuiet: true, cell: ({ keyId }) => nameOf(keyId) },
        { head: common('time'), isWide: true, isQuiet: true, cell: ({ at }) => <Moment at={at} /> },
      ]}
    />
  );
}

const shownMax = 5;

/** The most frequent failures, each a way to its requests. Nothing where nothing failed. */
function RequestErrors({ keyId }: { keyId: string | undefined }) {
  const t = useTranslations('requests');
  const common = useTranslations('common');
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
          head: common('state'),
          cell: ({ status, code }) => <RequestStatus status={status} code={code} />,
        },
        {
          head: t('request'),
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

const toneOf = (status: number): Tone => (status < 400 ? 'green' : status < 500 ? 'amber' : 'red');

/** What a request was answered with; of an error its code. */
export function RequestStatus({ status, code }: { status: number; code: string | null }) {
  return <Status tone={toneOf(status)}>{code === null ? `${status}` : `${status} ${code}`}</Status>;
}
