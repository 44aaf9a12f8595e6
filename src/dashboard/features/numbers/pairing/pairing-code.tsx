import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { Countdown } from './countdown.tsx';
import classes from './pairing.module.css';
import { useShownPairing } from './shown-pairing.ts';

interface ByCodeProps {
  number: PhoneNumber;
  isBusy: boolean;
  onBegin: (phoneNumber: string) => void;
}

/** The phone's own number first; then the code that is typed on it. */
export default function ByCode({ number, isBusy, onBegin }: ByCodeProps) {
  const t = useTranslations('numbers.pairing');
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
          label={t('phone')}
          description={t('phoneHint')}
          type="tel"
          autoComplete="off"
          error={form.formState.errors.phoneNumber && t('phoneInvalid')}
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
