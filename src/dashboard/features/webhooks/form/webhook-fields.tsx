import { ActionIcon, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Controller, useFieldArray, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { eventNames } from '../../../../sdk/index.ts';
import { isUrl } from '../../../parts/fields/allowed-values.ts';
import { AllOrSome, NumberChoice } from '../../../parts/fields/choices.tsx';
import { Icon } from '../../../parts/icon.tsx';
import classes from '../webhooks.module.css';
import type { Fields } from './webhook-form.ts';

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

const headersMax = 10;
const exampleName = 'Authorization';

/** Headers of the receiver's own. Values that are stored are never shown: they stay, unless another is typed. */
function WebhookHeaders() {
  const t = useTranslations('webhooks.headers');
  const { control, register, formState, watch } = useFormContext<Fields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const problems = formState.errors.headers;
  return (
    <fieldset className={classes.headers}>
      <legend>{t('title')}</legend>
      <p>{t('hint')}</p>
      {fields.map(({ id, isStored }, index) => {
        const name = watch(`headers.${index}.name`);
        return (
          <div key={id} className={classes.header}>
            <TextInput
              aria-label={t('name')}
              placeholder={exampleName}
              autoComplete="off"
              readOnly={isStored}
              error={problems?.[index]?.name?.message}
              {...register(`headers.${index}.name`, {
                validate: (typed) => typed.trim() !== '' || t('nameNeeded'),
              })}
            />
            <PasswordInput
              aria-label={t('value', { name })}
              placeholder={isStored ? t('unchanged') : ''}
              autoComplete="new-password"
              error={problems?.[index]?.value?.message}
              {...register(`headers.${index}.value`, {
                validate: (typed) => isStored || typed.trim() !== '' || t('valueNeeded'),
              })}
            />
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t('remove', { name })}
              onClick={() => remove(index)}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </div>
        );
      })}
      {fields.length < headersMax && (
        <Button variant="default" size="xs" onClick={() => append({ name: '', value: '', isStored: false })}>
          {t('add')}
        </Button>
      )}
    </fieldset>
  );
}
