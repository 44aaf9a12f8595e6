import { Stack, TextInput } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { eventNames } from '../../../sdk/index.ts';
import { AllOrSome } from '../../parts/fields/all-or-some.tsx';
import { isUrl } from '../../parts/fields/is-url.ts';
import { NumberChoice } from '../../parts/fields/number-choice.tsx';
import type { Fields } from './webhook-form.ts';
import { WebhookHeaders } from './webhook-headers.tsx';
import classes from './webhooks.module.css';

const exampleUrl = 'https://example.com/hooks/heliograph';
/** It goes to whoever asks for it, and not by itself. */
const chosen = eventNames.filter((name) => name !== 'webhook.test');

/** What a new webhook and one that is there can be given: part of either form. */
export function WebhookFields() {
  const t = useTranslations('webhooks');
  const { control, register, formState } = useFormContext<Fields>();
  return (
    <Stack gap="md">
      <TextInput
        data-autofocus
        type="url"
        label={t('url')}
        placeholder={exampleUrl}
        autoComplete="off"
        error={formState.errors.url?.message}
        {...register('url', { validate: (url) => isUrl(url) || t('urlNeeded') })}
      />
      <AllOrSome
        control={control}
        all="isEveryEvent"
        some="events"
        label={t('events')}
        allLabel={t('allEvents')}
        someLabel={t('someEvents')}
        noneProblem={t('eventsNeeded')}
        choices={chosen.map((name) => ({
          value: name,
          label: <span className={classes.event}>{name}</span>,
        }))}
      />
      <Controller
        control={control}
        name="numberIds"
        render={({ field }) => (
          <NumberChoice
            label={t('numbers')}
            description={t('numbersHint')}
            whenNone={t('allNumbers')}
            {...field}
          />
        )}
      />
      <TextInput
        label={t('note')}
        placeholder={t('noteExample')}
        autoComplete="off"
        maxLength={500}
        {...register('description')}
      />
      <WebhookHeaders />
    </Stack>
  );
}
