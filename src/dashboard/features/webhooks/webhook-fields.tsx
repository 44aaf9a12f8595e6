import { Stack, TextInput } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { type CreateWebhookRequest, type EventName, eventNames, type Webhook } from '../../../sdk/index.ts';
import { AllOrSome } from '../../parts/fields/all-or-some.tsx';
import { isUrl } from '../../parts/fields/is-url.ts';
import { NumberChoice } from '../../parts/fields/number-choice.tsx';
import classes from './webhooks.module.css';

export interface Fields {
  url: string;
  description: string;
  /** All, those that come later included. */
  isEveryEvent: boolean;
  events: EventName[];
  /** None: all, those that come later included. */
  numberIds: string[];
}

export const newFields: Fields = { url: '', description: '', isEveryEvent: true, events: [], numberIds: [] };

export const fieldsOf = ({ url, description, events, numberIds }: Webhook): Fields => ({
  url,
  description: description ?? '',
  isEveryEvent: events === 'all',
  events: events === 'all' ? [] : events,
  numberIds: numberIds === 'all' ? [] : numberIds,
});

export const requestOf = (fields: Fields): CreateWebhookRequest => ({
  url: fields.url.trim(),
  description: fields.description.trim() === '' ? null : fields.description.trim(),
  events: fields.isEveryEvent ? 'all' : fields.events,
  numberIds: fields.numberIds.length === 0 ? 'all' : fields.numberIds,
});

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
    </Stack>
  );
}
