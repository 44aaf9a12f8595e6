import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { numbersChanged, showNumber } from '../../queries/numbers/numbers.ts';
import { needsPairing } from './state/number-state.ts';

const Confirm = lazy(() => import('../../parts/asking/confirm.tsx'));
const RenameNumber = lazy(() => import('./rename-number.tsx'));

type Asked = 'rename' | 'logout' | 'delete' | null;

/** What can be done with a number now; what ends its link asks first. */
export function NumberActions({ number, onDeleted }: { number: PhoneNumber; onDeleted: () => void }) {
  const t = useTranslations('numbers');
  const common = useTranslations('common');
  const [asked, setAsked] = useState<Asked>(null);
  const { numberId, label, state } = number;
  const close = () => setAsked(null);
  const step = useMutation({
    mutationFn: (name: 'connect' | 'disconnect' | 'logout') => gateway.numbers[name](numberId),
    onSuccess: (changed) => {
      showNumber(changed);
      close();
    },
  });
  const remove = useMutation({
    mutationFn: () => gateway.numbers.delete(numberId),
    onSuccess: () => {
      onDeleted();
      void numbersChanged(numberId);
    },
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
          <Button
            size="xs"
            variant="default"
            onClick={() => step.mutate('disconnect')}
            loading={step.isPending}
          >
            {t('disconnect')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setAsked('rename')}>
          {t('rename')}
        </Button>
        {isLinked && (
          <Button size="xs" variant="default" onClick={() => setAsked('logout')}>
            {t('logout')}
          </Button>
        )}
        <Button size="xs" variant="default" color="danger" onClick={() => setAsked('delete')}>
          {common('delete')}
        </Button>
      </Group>
      {asked === null && !needsPairing(number) && <Problem error={step.error} />}
      <Suspense>
        {asked === 'rename' && <RenameNumber number={number} onClose={close} />}
        {asked === 'logout' && (
          <Confirm
            onClose={close}
            title={t('logoutTitle')}
            lead={t('logoutLead')}
            action={t('logout')}
            isBusy={step.isPending}
            error={step.error}
            onConfirm={() => step.mutate('logout')}
          />
        )}
        {asked === 'delete' && (
          <Confirm
            onClose={close}
            title={t('deleteTitle')}
            lead={t('deleteLead')}
            action={common('delete')}
            word={label}
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
          />
        )}
      </Suspense>
    </>
  );
}
