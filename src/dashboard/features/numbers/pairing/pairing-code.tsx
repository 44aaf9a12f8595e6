import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { Hint } from '../../../parts/hint.tsx';
import { pairingQuery } from '../../../queries/numbers.ts';
import classes from './pairing.module.css';

interface ByCodeProps {
  number: PhoneNumber;
  isBusy: boolean;
  onBegin: (phoneNumber: string) => void;
}

/** The phone's own number first; then the code that is typed on it. */
export default function ByCode({ number, isBusy, onBegin }: ByCodeProps) {
  const t = useTranslations('numbers.pairing');
  const common = useTranslations('common');
  const shown = useShownPairing(number);
  const form = useForm({ defaultValues: { phoneNumber: number.phoneNumber ?? '' } });
  const submit = form.handleSubmit(({ phoneNumber }) => onBegin(phoneNumber));
  if (shown?.method === 'code') {
    return (
      <Stack gap="sm">
        {shown.code === null ? (
          <p role="status">{t('preparing')}</p>
        ) : (
          <>
            <output className={classes.code} aria-label={t('codeName')}>
              {shown.code.replace(/^(.{4})(.{4})$/, '$1-$2')}
            </output>
            <Countdown key={shown.code} until={shown.expiresAt}>
              {(seconds) => t('ends', { seconds })}
            </Countdown>
          </>
        )}
        <ol className={classes.steps}>
          <li>{t('qrSteps1')}</li>
          <li>{t('qrSteps2')}</li>
          <li>{t('codeSteps3')}</li>
        </ol>
      </Stack>
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <TextInput
          label={common('phoneNumber')}
          description={t('phoneHint')}
          type="tel"
          autoComplete="off"
          error={form.formState.errors.phoneNumber && common('phoneNumberNeeded')}
          {...form.register('phoneNumber', {
            validate: (value) => value.replaceAll(/\D/g, '').length >= 8,
          })}
        />
        <Button type="submit" loading={isBusy}>
          {t('getCode')}
        </Button>
      </Stack>
    </form>
  );
}

const secondsTo = (until: string) => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000));

interface CountdownProps {
  until: string | null;
  children: (seconds: number) => ReactNode;
}

/** Seconds to a time, second by second. Nothing where it is not known. */
export function Countdown({ until, children }: CountdownProps) {
  const [seconds, setSeconds] = useState(() => (until === null ? 0 : secondsTo(until)));
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => setSeconds(secondsTo(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  if (until === null) return null;
  return <Hint ta="center">{children(seconds)}</Hint>;
}

/** A code that no fresh one has followed by then: it is asked whether the pairing goes on. */
const lateMs = 3_000;

/** What is to be shown now; undefined while there is none. Every fresh code comes by the stream of events. */
export function useShownPairing(number: PhoneNumber) {
  const isUnderWay = number.state === 'pairing';
  const { data } = useQuery({
    ...pairingQuery(number.numberId),
    enabled: isUnderWay,
    refetchInterval: ({ state }) => {
      const expiresAt = state.data?.expiresAt ?? null;
      return expiresAt === null ? lateMs : Math.max(0, Date.parse(expiresAt) - Date.now()) + lateMs;
    },
  });
  return isUnderWay ? data : null;
}
