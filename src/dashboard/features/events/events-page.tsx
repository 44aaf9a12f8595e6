import { Box, Button, Group, Stack } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { eventNames, type StreamEvent } from '../../../sdk/index.ts';
import { live } from '../../gateway/live.ts';
import { Empty, More, QueryState } from '../../parts/feedback.tsx';
import { Filter } from '../../parts/fields/filters.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ListWithPanel } from '../../parts/lists/list-page.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { eventsQuery, type StreamFilter } from '../../queries/developers/events.ts';
import { useNumberLabel, useNumberOptions } from '../../queries/numbers.ts';
import classes from './events.module.css';

/** Everything that happens in the account, as it happens. What is shown of it stands in the address. */
export default function EventsPage() {
  const t = useTranslations('events');
  const common = useTranslations('common');
  const search = useSearch({ from: '/signed-in/developer/events' });
  const { event, number } = search;
  const navigate = useNavigate();
  const numbers = useNumberOptions();
  const show = (shown: typeof search) =>
    void navigate({ to: '/developer/events', search: shown, replace: true });
  const isFiltered = event !== undefined || number !== undefined;
  const list = (
    <Page title={t('title')} lead={t('lead')}>
      <Group component="search" gap={8} align="stretch" aria-label={t('filters')}>
        <Filter
          aria-label={common('event')}
          any={t('anyEvent')}
          choices={eventNames}
          value={event}
          onChange={(event) => show({ event, number })}
        />
        <Filter
          aria-label={common('number')}
          any={common('anyNumber')}
          choices={numbers}
          value={number}
          onChange={(number) => show({ event, number })}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={() => show({})}>
            {common('clearFilters')}
          </Button>
        )}
      </Group>
      <EventsList
        key={`${event} ${number}`}
        filter={{ ...(event && { event }), ...(number && { numberId: number }) }}
      />
    </Page>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

const follow = () => `curl -N -H 'X-API-Key: sk_live_…' \\
  '${window.location.origin}/v1/events/live?after=now'`;

/** The stream. It stands still while its top is out of sight, and says how much waits there. */
function EventsList({ filter }: { filter: StreamFilter }) {
  const t = useTranslations('events');
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { past, waiting, events, freshIds } = useStream(filter, !inViewport);
  const isFiltered = filter.event !== undefined || filter.numberId !== undefined;
  const toTop = () => document.getElementById('events-top')?.scrollIntoView({ block: 'center' });
  return (
    <Stack gap="md" pos="relative">
      <Box ref={ref} id="events-top" pos="absolute" top={0} w={1} h={1} />
      <div className={classes.notice} role="status">
        {waiting > 0 && (
          <Button size="xs" leftSection={<Icon name="pause" size={14} />} onClick={toTop}>
            {t('waiting', { count: waiting })}
          </Button>
        )}
      </div>
      <QueryState query={past} rows={8} />
      {past.data !== undefined && events.length === 0 && !past.hasNextPage && (
        <Empty
          icon="events"
          title={isFiltered ? t('noneTitle') : t('emptyTitle')}
          lead={isFiltered ? t('noneLead') : t('emptyLead')}
        >
          {!isFiltered && <CodeBlock name={t('exampleName')} text={follow()} />}
        </Empty>
      )}
      {events.length > 0 && <EventsTable events={events} freshIds={freshIds} />}
      <More query={past} />
    </Stack>
  );
}

interface EventsTableProps {
  events: readonly StreamEvent[];
  freshIds: ReadonlySet<string>;
}

function EventsTable({ events, freshIds }: EventsTableProps) {
  const t = useTranslations('events');
  const common = useTranslations('common');
  const labelOf = useNumberLabel();
  const { cursor: openCursor } = useParams({ strict: false });
  const search = useSearch({ from: '/signed-in/developer/events' });
  const numberOf = ({ data }: StreamEvent) => ('numberId' in data ? labelOf(data.numberId) : undefined);
  return (
    <DataTable
      rows={events}
      keyOf={(event) => event.id}
      openKey={openCursor}
      rowClass={(event) => (freshIds.has(event.id) ? classes.fresh : undefined)}
      columns={[
        {
          head: common('event'),
          cell: (event) => (
            <Link to="/developer/events/$cursor" params={{ cursor: event.cursor }} search={search}>
              <code>{event.event}</code>
            </Link>
          ),
        },
        { head: t('about'), isWide: true, isQuiet: true, cell: (event) => aboutWhom(event) },
        { head: common('number'), isWide: true, isQuiet: true, cell: (event) => numberOf(event) },
        {
          head: common('time'),
          isFigure: true,
          isQuiet: true,
          cell: (event) => <Moment at={event.timestamp} />,
        },
      ]}
    />
  );
}

/** Where an event of any kind says whom it is about, the most telling first. */
const fields = ['to', 'from', 'recipient', 'chat', 'groupId', 'phoneNumber'] as const;

function aboutWhom({ data }: StreamEvent): string {
  const values = data as Readonly<Record<string, unknown>>;
  const found = fields.map((name) => values[name]).find((value) => typeof value === 'string');
  return String(found ?? '').replace(/@s\.whatsapp\.net$/, '');
}

/** Of those that came live; a page that stays open for a day must not grow for ever. */
const liveEventsMax = 1_000;

const matches = ({ event, data }: StreamEvent, filter: StreamFilter): boolean =>
  (filter.event === undefined || event === filter.event) &&
  (filter.numberId === undefined || ('numberId' in data && data.numberId === filter.numberId));

/**
 * The stream, newest first. While `isPaused`, what comes waits (`waiting`), so that nothing moves under the eyes of who
 * reads. Mount it anew for another filter.
 */
function useStream(filter: StreamFilter, isPaused: boolean) {
  const { event, numberId } = filter;
  const past = useInfiniteQuery(eventsQuery(filter));
  const [arrived, setArrived] = useState<readonly StreamEvent[]>([]);
  const [shownCount, setShownCount] = useState(0);
  useEffect(
    () =>
      live.onEvent((one) => {
        const wanted = { ...(event && { event }), ...(numberId && { numberId }) };
        if (matches(one, wanted)) setArrived((all) => [one, ...all].slice(0, liveEventsMax));
      }),
    [event, numberId],
  );
  if (!isPaused && shownCount !== arrived.length) setShownCount(arrived.length);
  const waiting = arrived.length - shownCount;
  const older = (past.data?.pages ?? []).flatMap(({ data }) => data.toReversed());
  const known = new Set(older.map(({ id }) => id));
  const fresh = arrived.slice(waiting).filter(({ id }) => !known.has(id));
  return { past, waiting, events: [...fresh, ...older], freshIds: new Set(fresh.map(({ id }) => id)) };
}
