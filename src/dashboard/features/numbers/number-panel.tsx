import { Button, Group, Tabs } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ConfirmButton, DialogButton } from '../../parts/asking/dialog-button.tsx';
import { Problem, Waiting } from '../../parts/feedback.tsx';
import { SidePanel } from '../../parts/frames/side-panel.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { readable } from '../../parts/values/phone-numbers.ts';
import { numberQuery, numbersChanged, showNumber } from '../../queries/numbers.ts';
import { NumberStateTab } from './number-state-tab.tsx';
import { needsPairing } from './numbers-page.tsx';

const FiltersForm = lazy(() => import('./filters-form.tsx'));
const PacingForm = lazy(() => import('./pacing-form.tsx'));

const tabs = ['state', 'pacing', 'filters'] as const;

/** One number: how it is and what to do, how fast it speaks, whom it may write to. */
export default function NumberPanel() {
  const t = useTranslations('numbers');
  const { numberId } = useParams({ from: '/signed-in/numbers/$numberId' });
  const { tab = 'state' } = useSearch({ from: '/signed-in/numbers/$numberId' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/numbers' });
  const query = useQuery(numberQuery(numberId));
  const number = query.data;
  const show = (name: string | null) =>
    void navigate({
      to: '/numbers/$numberId',
      params: { numberId },
      search: { tab: tabs.find((known) => known === name) },
      replace: true,
    });
  return (
    <SidePanel
      key={numberId}
      title={number?.label ?? t('title')}
      subtitle={number && (number.phoneNumber === null ? t('notPaired') : readable(number.phoneNumber))}
      query={query}
      onClose={close}
    >
      {number && (
        <>
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
        </>
      )}
    </SidePanel>
  );
}

const RenameNumber = lazy(() => import('./rename-number.tsx'));

/** What can be done with a number now; what ends its link asks first. */
function NumberActions({ number, onDeleted }: { number: PhoneNumber; onDeleted: () => void }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const { numberId, label, state } = number;
  const step = useMutation({
    mutationFn: (name: 'connect' | 'disconnect') => gateway.numbers[name](numberId),
    onSuccess: showNumber,
  });
  const isLinked = state === 'connected' || state === 'disconnected';
  return (
    <>
      <Group gap="xs" role="group" aria-label={t('actions')}>
        {state === 'disconnected' && (
          <Button size="xs" onClick={() => step.mutate('connect')} loading={step.isPending}>
            {t('connect')}
          </Button>
        )}
        {state === 'connected' && (
          <SmallButton onClick={() => step.mutate('disconnect')} loading={step.isPending}>
            {t('disconnect')}
          </SmallButton>
        )}
        <DialogButton
          action={t('rename')}
          dialog={(close) => <RenameNumber number={number} onClose={close} />}
        />
        <ConfirmButton
          isOffered={isLinked}
          title={t('logoutTitle')}
          lead={t('logoutLead')}
          action={t('logout')}
          onConfirm={async () => showNumber(await gateway.numbers.logout(numberId))}
        />
        <ConfirmButton
          isGrave
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          action={common('delete')}
          word={label}
          onConfirm={async () => {
            await gateway.numbers.delete(numberId);
            onDeleted();
            void numbersChanged(numberId);
          }}
        />
      </Group>
      {!needsPairing(number) && <Problem error={step.error} />}
    </>
  );
}
