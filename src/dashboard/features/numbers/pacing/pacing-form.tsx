import { zodResolver } from '@hookform/resolvers/zod';
import { Autocomplete, Group, NumberInput, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useFormatter, useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { timeZones } from '../../../parts/fields/time-zones.ts';
import { PageForm } from '../../../parts/frames/page-form.tsx';
import { showNumber } from '../../../queries/numbers/numbers.ts';
import classes from './pacing-preview.module.css';
import { fieldsOf, type PacingFields, pacingOf, pacingRules, previewOf } from './pacing-rules.ts';

const labels = {
  minSeconds: 'min',
  maxSeconds: 'max',
  dailyLimit: 'dailyLimit',
  recipientSeconds: 'recipient',
} as const;

/** How fast the number speaks, with what it comes to beside it. After saving it shows what was stored. */
export default function PacingForm({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers.pacing');
  const rules = useMemo(
    () =>
      pacingRules({
        range: (min, max) => t('number', { min: String(min), max: String(max) }),
        minMax: t('minMax'),
        warmUp: t('warmUpInvalid'),
      }),
    [t],
  );
  const form = useForm<PacingFields>({
    resolver: zodResolver(rules),
    defaultValues: fieldsOf(number.pacing),
  });
  const { errors, isDirty } = form.formState;
  const fields = useWatch({ control: form.control }) as PacingFields;
  const save = useMutation({
    mutationFn: (changed: PacingFields) =>
      gateway.numbers.update(number.numberId, { pacing: pacingOf(changed) }),
    onSuccess: (stored) => {
      showNumber(stored);
      form.reset(fieldsOf(stored.pacing));
    },
  });
  useEffect(() => {
    // Somebody else has changed it meanwhile; what is being typed here stays.
    if (!form.formState.isDirty) form.reset(fieldsOf(number.pacing));
  }, [number.pacing, form]);
  const submit = form.handleSubmit((changed) => save.mutate(changed));
  const figure = (name: keyof typeof labels, hint: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <NumberInput
          label={t(labels[name])}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          decimalScale={name === 'dailyLimit' ? 0 : 1}
          hideControls
          error={errors[name]?.message}
          value={field.value}
          onChange={(value) => field.onChange(value === '' ? '' : Number(value))}
          onBlur={field.onBlur}
          ref={field.ref}
        />
      )}
    />
  );
  return (
    <PageForm save={save} isDirty={isDirty} noValidate onSubmit={submit} onReset={() => form.reset()}>
      <p>{t('lead')}</p>
      <PacingPreview fields={fields} isValid={rules.safeParse(fields).success} />
      <Group grow align="flex-start">
        {figure('minSeconds', t('pauseHint'))}
        {figure('maxSeconds', t('pauseHint'))}
      </Group>
      <Group grow align="flex-start">
        {figure('dailyLimit', t('dailyLimitHint'))}
        {figure('recipientSeconds', t('recipientHint'))}
      </Group>
      <TextInput
        label={t('warmUp')}
        description={t('warmUpHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={errors.warmUp?.message}
        {...form.register('warmUp')}
      />
      <Switch label={t('typing')} {...form.register('typing')} checked={fields.typing} />
      <Switch label={t('quiet')} {...form.register('isQuiet')} checked={fields.isQuiet} />
      {fields.isQuiet && (
        <Group grow align="flex-start">
          <TextInput type="time" label={t('quietFrom')} {...form.register('quietFrom')} />
          <TextInput type="time" label={t('quietTo')} {...form.register('quietTo')} />
        </Group>
      )}
      <Controller
        control={form.control}
        name="timeZone"
        render={({ field }) => <Autocomplete label={t('zone')} data={timeZones} limit={40} {...field} />}
      />
    </PageForm>
  );
}

/** What the settings on screen come to, before they are saved. */
function PacingPreview({ fields, isValid }: { fields: PacingFields; isValid: boolean }) {
  const t = useTranslations('numbers.pacing');
  const format = useFormatter();
  if (!isValid) return null;
  const { perHour, secondsApart, hours, perDay, warmUp } = previewOf(pacingOf(fields));
  return (
    <div className={classes.preview} role="status">
      <h3>{t('preview')}</h3>
      <p>
        {perHour === null ? t('previewUnpaced') : t('previewRate', { hour: perHour, seconds: secondsApart })}
      </p>
      <p>{perDay === null ? t('previewDayOpen') : t('previewDay', { day: perDay, hours })}</p>
      {warmUp.length > 0 && (
        <p>{t('previewWarm', { days: warmUp.map((most) => format.number(most)).join(', ') })}</p>
      )}
    </div>
  );
}
