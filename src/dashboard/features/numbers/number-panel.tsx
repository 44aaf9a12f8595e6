import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { readable } from '../../parts/values/readable-phone.ts';
import { numberQuery } from '../../queries/numbers/numbers.ts';
import { NumberActions } from './number-actions.tsx';
import { NumberStateTab } from './state/number-state-tab.tsx';

const FiltersForm = lazy(() => import('./pacing/filters-form.tsx'));
const PacingForm = lazy(() => import('./pacing/pacing-form.tsx'));

const tabs = ['state', 'pacing', 'filters'] as const;

/** One number: how it is and what to do, how fast it speaks, whom it may write to. */
export function NumberPanel() {
  const t = useTranslations('numbers');
  const { numberId } = useParams({ from: '/signed-in/numbers/$numberId' });
  const { tab = 'state' } = useSearch({ from: '/signed-in/numbers/$numberId' });
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: '/numbers' }), [navigate]);
  const { data: number, error, isPending, refetch } = useQuery(numberQuery(numberId));
  if (number === undefined) {
    return (
      <SidePanel key={numberId} title={t('title')} name={t('title')} onClose={close}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
      </SidePanel>
    );
  }
  const { label, phoneNumber } = number;
  const subtitle = phoneNumber === null ? t('notPaired') : readable(phoneNumber);
  const show = (name: string | null) =>
    void navigate({
      to: '/numbers/$numberId',
      params: { numberId },
      search: { tab: tabs.find((known) => known === name) },
      replace: true,
    });
  return (
    <SidePanel key={numberId} title={label} subtitle={subtitle} name={label} onClose={close}>
      <NumberActions number={number} onDeleted={close} />
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label={t('sections')}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="state" pt="md">
          <NumberStateTab number={number} />
        </Tabs.Panel>
        <Tabs.Panel value="pacing" pt="md">
          <Suspense fallback={<Waiting />}>
            <PacingForm number={number} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="filters" pt="md">
          <Suspense fallback={<Waiting />}>
            <FiltersForm number={number} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}
