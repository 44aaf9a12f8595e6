import { Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { isUrl } from '../../../parts/fields/allowed-values.ts';
import { FormDialog } from '../../../parts/frames/dialog-form.tsx';
import { documentsChanged } from '../../../queries/assistants.ts';

interface Props {
  assistantId: string;
  onClose: () => void;
}

const never = '0';
const exampleUrl = 'https://example.com/help';

/** A page that the assistant is to know, or all pages of a sitemap. */
export default function UrlDialog({ onClose, assistantId }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const form = useForm({ defaultValues: { url: '', isSitemap: false, hours: '24' } });
  const add = useMutation({
    mutationFn: ({ url, isSitemap, hours }: { url: string; isSitemap: boolean; hours: string }) =>
      gateway.assistants.addDocument(assistantId, {
        url: url.trim(),
        ...(isSitemap && { isSitemap }),
        rereadHours: hours === never ? null : Number(hours),
      }),
    onSuccess: () => {
      documentsChanged(assistantId);
      onClose();
    },
  });
  const submit = form.handleSubmit((fields) => add.mutate(fields));
  return (
    <FormDialog
      title={t('addUrl')}
      step={add}
      action={common('add')}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="url"
        label={t('url')}
        placeholder={exampleUrl}
        autoComplete="off"
        error={form.formState.errors.url?.message}
        {...form.register('url', { validate: (url) => isUrl(url) || t('urlNeeded') })}
      />
      <Switch label={t('isSitemap')} description={t('isSitemapHint')} {...form.register('isSitemap')} />
      <Controller
        control={form.control}
        name="hours"
        render={({ field: { ref: _, onChange, ...field } }) => (
          <Select
            label={t('reread')}
            data={[
              { value: '1', label: t('rereadHourly') },
              { value: '24', label: t('rereadDaily') },
              { value: '168', label: t('rereadWeekly') },
              { value: never, label: common('never') },
            ]}
            onChange={(hours) => onChange(hours ?? never)}
            {...field}
          />
        )}
      />
    </FormDialog>
  );
}
