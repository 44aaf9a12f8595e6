import { Switch, TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';
import { choiceOf } from '../../parts/fields/fields.ts';
import { PageForm } from '../../parts/frames/page-form.tsx';
import { showNumber } from '../../queries/numbers.ts';

type Filters = PhoneNumber['filters'];

/** Whom the number may write to. After saving it shows what was stored. */
export default function FiltersForm({ number }: { number: PhoneNumber }) {
  const t = useTranslations('numbers.filters');
  const form = useForm<Filters>({ defaultValues: number.filters });
  const { isDirty } = form.formState;
  const save = useMutation({
    mutationFn: (filters: Filters) =>
      gateway.numbers.update(number.numberId, {
        filters: changedFields(filters, form.formState.defaultValues),
      }),
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
    <TagsInput
      label={label}
      description={hint}
      splitChars={[',', ' ', ';']}
      acceptValueOnBlur
      {...choiceOf(form, name)}
    />
  );
  return (
    <PageForm save={save} isDirty={isDirty} noValidate onSubmit={submit} onReset={() => form.reset()}>
      <p>{t('lead')}</p>
      {list('allowPrefixes', t('allow'), t('allowHint'))}
      {list('blockPrefixes', t('block'), t('listHint'))}
      {list('blockNumbers', t('numbers'), t('listHint'))}
      <Switch
        label={t('check')}
        description={t('checkHint')}
        {...form.register('checkOnNetwork')}
        checked={form.watch('checkOnNetwork')}
      />
    </PageForm>
  );
}
