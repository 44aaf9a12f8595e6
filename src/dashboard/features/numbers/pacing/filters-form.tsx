import { Button, Group, Stack, Switch, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { SaveButton } from '../../../parts/asking/save-button.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { showNumber } from '../../../queries/numbers/numbers.ts';

type Filters = PhoneNumber['filters'];

/** Whom the number may write to. After saving it shows what was stored. */
export default function FiltersForm({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers.filters');
  const common = useTranslations('common');
  const form = useForm<Filters>({ defaultValues: number.filters });
  const { isDirty } = form.formState;
  const save = useMutation({
    mutationFn: (filters: Filters) => gateway.numbers.update(number.numberId, { filters }),
    onSuccess: (stored) => {
      showNumber(stored);
      form.reset(stored.filters);
    },
  });
  useEffect(() => {
    if (!form.formState.isDirty) form.reset(number.filters);
  }, [number.filters, form]);
  const submit = form.handleSubmit((filters) => save.mutate(filters));
  const list = (name: 'allowPrefixes' | 'blockPrefixes' | 'blockNumbers', label: string, hint: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <TagsInput
          label={label}
          description={hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          splitChars={[',', ' ', ';']}
          acceptValueOnBlur
          {...field}
        />
      )}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <p>{t('lead')}</p>
        {list('allowPrefixes', t('allow'), t('allowHint'))}
        {list('blockPrefixes', t('block'), t('listHint'))}
        {list('blockNumbers', t('numbers'), t('listHint'))}
        <Controller
          control={form.control}
          name="checkOnNetwork"
          render={({ field: { value, onChange, ...field } }) => (
            <Switch
              label={t('check')}
              description={t('checkHint')}
              checked={value}
              onChange={(event) => onChange(event.currentTarget.checked)}
              {...field}
            />
          )}
        />
        <Problem error={save.error} />
        <Group gap="xs">
          <SaveButton isDirty={isDirty} isBusy={save.isPending} isSaved={save.isSuccess} />
          {isDirty && (
            <Button variant="subtle" onClick={() => form.reset()}>
              {common('cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
