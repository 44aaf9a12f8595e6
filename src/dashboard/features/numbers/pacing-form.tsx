import { zodResolver } from '@hookform/resolvers/zod';
import { Autocomplete, Group, NumberInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useFormatter, useTranslations } from 'use-intl';
import { z } from 'zod';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { timeZones } from '../../parts/fields/allowed-values.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';
import { choiceOf, fieldOf } from '../../parts/fields/fields.ts';
import { PageForm } from '../../parts/frames/page-form.tsx';
import { showNumber } from '../../queries/numbers.ts';

const labels = {
  minSeconds: 'min',
  maxSeconds: 'max',
  dailyLimit: 'dailyLimit',
  recipientSeconds: 'recipient',
} as const;

/** How fast the number speaks, with what it comes to beside it. After saving it shows what was stored. */
export default function PacingForm({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers.pacing');
  const common = useTranslations('common');
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
      gateway.numbers.update(number.numberId, {
        pacing: changedFields(pacingOf(changed), pacingOf(form.formState.defaultValues as PacingFields)),
      }),
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
          min={0}
          allowDecimal
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
      <TextInput label={t('warmUp')} description={t('warmUpHint')} {...fieldOf(form, 'warmUp')} />
      <Switch label={t('typing')} {...form.register('typing')} checked={fields.typing} />
      <Switch label={t('quiet')} {...form.register('isQuiet')} checked={fields.isQuiet} />
      {fields.isQuiet && (
        <Group grow align="flex-start">
          <TextInput type="time" label={t('quietFrom')} {...form.register('quietFrom')} />
          <TextInput type="time" label={t('quietTo')} {...form.register('quietTo')} />
        </Group>
      )}
      <Autocomplete label={common('timeZone')} data={timeZones} limit={40} {...choiceOf(form, 'timeZone')} />
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
    <Stack gap={2} p="12px 14px" bg="var(--sunken)" bdrs="md" role="status">
      <h3>{t('preview')}</h3>
      <Text c="dimmed">
        {perHour === null ? t('previewUnpaced') : t('previewRate', { hour: perHour, seconds: secondsApart })}
      </Text>
      <Text c="dimmed">
        {perDay === null ? t('previewDayOpen') : t('previewDay', { day: perDay, hours })}
      </Text>
      {warmUp.length > 0 && (
        <Text c="dimmed">
          {t('previewWarm', { days: warmUp.map((most) => format.number(most)).join(', ') })}
        </Text>
      )}
    </Stack>
  );
}

type Pacing = PhoneNumber['pacing'];

/** What the form holds: seconds where the API has milliseconds, text where a field may be empty. */
interface PacingFields {
  minSeconds: number;
  maxSeconds: number;
  dailyLimit: number | '';
  recipientSeconds: number;
  typing: boolean;
  isQuiet: boolean;
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  warmUp: string;
}

const fieldsOf = (pacing: Pacing): PacingFields => ({
  minSeconds: pacing.minDelayMs / 1000,
  maxSeconds: pacing.maxDelayMs / 1000,
  dailyLimit: pacing.dailyLimit ?? '',
  recipientSeconds: pacing.recipientIntervalMs / 1000,
  typing: pacing.typing,
  isQuiet: pacing.quietHours !== null,
  quietFrom: pacing.quietHours?.start ?? '21:00',
  quietTo: pacing.quietHours?.end ?? '07:00',
  timeZone: pacing.timeZone,
  warmUp: pacing.warmUp?.join(', ') ?? '',
});

const days = (text: string): number[] | null => (text.trim() === '' ? null : text.split(',').map(Number));

const pacingOf = (fields: PacingFields): Pacing => ({
  minDelayMs: Math.round(fields.minSeconds * 1000),
  maxDelayMs: Math.round(fields.maxSeconds * 1000),
  dailyLimit: fields.dailyLimit === '' ? null : fields.dailyLimit,
  recipientIntervalMs: Math.round(fields.recipientSeconds * 1000),
  typing: fields.typing,
  quietHours: fields.isQuiet ? { start: fields.quietFrom, end: fields.quietTo } : null,
  timeZone: fields.timeZone,
  warmUp: days(fields.warmUp),
});

/** Words for each rule that can be broken. */
interface Sentences {
  range: (min: number, max: number) => string;
  minMax: string;
  warmUp: string;
}

const secondsMax = 3_600;
const dailyLimitMax = 1_000_000;

function pacingRules(say: Sentences) {
  const seconds = z
    .number(say.range(0, secondsMax))
    .min(0, say.range(0, secondsMax))
    .max(secondsMax, say.range(0, secondsMax));
  const limit = say.range(1, dailyLimitMax);
  return z
    .object({
      minSeconds: seconds,
      maxSeconds: seconds,
      dailyLimit: z.union([z.literal(''), z.number().int().min(1).max(dailyLimitMax)], limit),
      recipientSeconds: seconds,
      typing: z.boolean(),
      isQuiet: z.boolean(),
      quietFrom: z.string(),
      quietTo: z.string(),
      timeZone: z.string(),
      warmUp: z.string().regex(/^\s*(\d{1,6}\s*(,\s*\d{1,6}\s*)*)?$/, say.warmUp),
    })
    .refine(({ minSeconds, maxSeconds }) => maxSeconds >= minSeconds, {
      path: ['maxSeconds'],
      message: say.minMax,
    });
}

const dayMinutes = 24 * 60;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** What the settings come to. Null: no limit from that side. */
interface DayPreview {
  perHour: number | null;
  secondsApart: number;
  hours: number;
  perDay: number | null;
  warmUp: number[];
}

function previewOf(pacing: Pacing): DayPreview {
  const apart = (pacing.minDelayMs + pacing.maxDelayMs) / 2;
  const { quietHours } = pacing;
  const quiet =
    quietHours === null
      ? 0
      : (minutesOf(quietHours.end) - minutesOf(quietHours.start) + dayMinutes) % dayMinutes;
  const hours = (dayMinutes - quiet) / 60;
  const perHour = apart === 0 ? null : Math.floor(3_600_000 / apart);
  const byPace = perHour === null ? null : Math.floor(perHour * hours);
  const limits = [byPace, pacing.dailyLimit].filter((limit) => limit !== null);
  const perDay = limits.length === 0 ? null : Math.min(...limits);
  return {
    perHour,
    secondsApart: Math.round(apart / 100) / 10,
    hours: Math.round(hours * 10) / 10,
    perDay,
    warmUp: pacing.warmUp ?? [],
  };
}
