import { Checkbox, MultiSelect, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { type CreateWebhookRequest, type EventName, eventNames, type Webhook } from '../../../sdk/index.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
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
const isUrl = (url: string) => /^https?:$/.test(URL.parse(url.trim())?.protocol ?? '');
/** It goes to whoever asks for it, and not by itself. */
const chosen = eventNames.filter((name) => name !== 'webhook.test');

/** What a new webhook and one that is there can be given: part of either form. */
export function WebhookFields() {
  const t = useTranslations('webhooks');
  const { control, register, formState } = useFormContext<Fields>();
  const numbers = useQuery(numbersQuery);
  const isEveryEvent = useWatch({ control, name: 'isEveryEvent' });
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
      <Stack gap={6}>
        <Controller
          control={control}
          name="isEveryEvent"
          render={({ field }) => (
            <SegmentedControl
              aria-label={t('events')}
              data={[
                { value: 'all', label: t('allEvents') },
                { value: 'some', label: t('someEvents') },
              ]}
              value={field.value ? 'all' : 'some'}
              onChange={(value) => field.onChange(value === 'all')}
            />
          )}
        />
        {!isEveryEvent && (
          <Controller
            control={control}
            name="events"
            rules={{
              validate: (events, { isEveryEvent }) => isEveryEvent || events.length > 0 || t('eventsNeeded'),
            }}
            render={({ field, fieldState }) => (
              <Checkbox.Group aria-label={t('events')} error={fieldState.error?.message} {...field}>
                <div className={classes.events}>
                  {chosen.map((name) => (
                    <Checkbox key={name} value={name} label={name} />
                  ))}
                </div>
              </Checkbox.Group>
            )}
          />
        )}
      </Stack>
      <Controller
        control={control}
        name="numberIds"
        render={({ field }) => (
          <MultiSelect
            label={t('numbers')}
            placeholder={field.value.length === 0 ? t('allNumbers') : ''}
            description={t('numbersHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label }))}
            clearable={false}
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
