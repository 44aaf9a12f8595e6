import { Checkbox, Radio, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { numbersQuery } from '../../../queries/numbers.ts';
import classes from './key-fields.module.css';
import {
  chosenScopes,
  type KeyFields as Fields,
  isOneNumbers,
  pool,
  scopes,
  scopesOf,
  tooWide,
} from './key-form.ts';

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** What a new key and one that is there can be given: part of either form. */
export function KeyFields() {
  const { control, getValues } = useFormContext<Fields>();
  const t = useTranslations('apiKeys');
  const numbers = useQuery(numbersQuery);
  const sender = useWatch({ control, name: 'sender' });
  const onPinFailure = useWatch({ control, name: 'onPinFailure' });
  const isNarrow = isOneNumbers({ sender, onPinFailure });
  const senders = [
    { value: pool, label: t('pool') },
    ...(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label })),
  ];
  return (
    <Stack gap="md">
      <Controller
        control={control}
        name="name"
        rules={{ validate: (name) => /^.{1,100}$/.test(name.trim()) || t('nameNeeded') }}
        render={({ field, fieldState }) => (
          <TextInput
            data-autofocus
            label={t('name')}
            placeholder={t('nameExample')}
            autoComplete="off"
            error={fieldState.error?.message}
            {...field}
          />
        )}
      />
      <Controller
        control={control}
        name="sender"
        render={({ field }) => (
          <Select
            label={t('sender')}
            description={sender === pool ? t('senderPoolHint') : t('senderPinHint')}
            inputWrapperOrder={order}
            data={senders}
            allowDeselect={false}
            {...field}
          />
        )}
      />
      {sender !== pool && (
        <Controller
          control={control}
          name="onPinFailure"
          render={({ field }) => (
            <Radio.Group label={t('onPinFailure')} {...field}>
              <Stack gap="xs" mt={6}>
                <Radio value="strict" label={t('strict')} description={t('strictHint')} />
                <Radio value="fallback" label={t('fallback')} description={t('fallbackHint')} />
              </Stack>
            </Radio.Group>
          )}
        />
      )}
      <Controller
        control={control}
        name="scopes"
        rules={{
          validate: (_, fields) => scopesOf(fields).length > 0 || t('scopesNeeded'),
        }}
        render={({ field, fieldState }) => (
          <Checkbox.Group
            label={t('scopes')}
            description={isNarrow ? t('tooWide') : undefined}
            error={fieldState.error?.message}
            {...field}
            onChange={(shown) => field.onChange(chosenScopes(getValues(), shown as Fields['scopes']))}
            value={isNarrow ? field.value.filter((scope) => !tooWide.includes(scope)) : field.value}
          >
            <div className={classes.scopes}>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scope}
                  description={t(`scope.${scope}`)}
                  disabled={isNarrow && tooWide.includes(scope)}
                />
              ))}
            </div>
          </Checkbox.Group>
        )}
      />
      <Controller
        control={control}
        name="allowedAddresses"
        render={({ field }) => (
          <TagsInput
            label={t('addresses')}
            description={t('addressesHint')}
            inputWrapperOrder={order}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
            {...field}
          />
        )}
      />
    </Stack>
  );
}
