import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { eventNames } from '../../../sdk/index.ts';
import { Page } from '../../parts/frames/page.tsx';
import { ListWithPanel } from '../../parts/lists/list-with-panel.tsx';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import classes from './events.module.css';
import { EventsList } from './events-list.tsx';

/** Everything that happens in the account, as it happens. What is shown of it stands in the address. */
export function EventsPage() {
  const t = useTranslations('events');
  const search = useSearch({ from: '/signed-in/developer/events' });
  const { event, number } = search;
  const navigate = useNavigate();
  const numbers = useQuery(numbersQuery);
  const show = (changed: { event?: string; number?: string }) => {
    const next = { event, number, ...changed };
    void navigate({
      to: '/developer/events',
      search: { event: eventNames.find((name) => name === next.event), number: next.number || undefined },
      replace: true,
    });
  };
  const isFiltered = event !== undefined || number !== undefined;
  const list = (
    <Page title={t('title')} lead={t('lead')}>
      <search className={classes.filters} aria-label={t('filters')}>
        <NativeSelect
          aria-label={t('event')}
          data={[{ value: '', label: t('anyEvent') }, ...eventNames]}
          value={event ?? ''}
          onChange={({ currentTarget }) => show({ event: currentTarget.value })}
        />
        <NativeSelect
          aria-label={t('number')}
          data={[
            { value: '', label: t('anyNumber') },
            ...(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label })),
          ]}
          value={number ?? ''}
          onChange={({ currentTarget }) => show({ number: currentTarget.value })}
        />
        {isFiltered && (
          <Button variant="subtle" onClick={() => show({ event: '', number: '' })}>
            {t('clear')}
          </Button>
        )}
      </search>
      <EventsList
        key={`${event} ${number}`}
        filter={{ ...(event && { event }), ...(number && { numberId: number }) }}
      />
    </Page>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}
