import { ActionIcon, Button, PasswordInput, TextInput } from '@mantine/core';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Icon } from '../../parts/icon.tsx';
import type { Fields } from './webhook-form.ts';
import classes from './webhooks.module.css';

const headersMax = 10;
const exampleName = 'Authorization';

/** Headers of the receiver's own. Values that are stored are never shown: they stay, unless another is typed. */
export function WebhookHeaders() {
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
