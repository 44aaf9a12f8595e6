import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { showWebhook } from '../../queries/developers/webhooks.ts';
import { type Fields, fieldsOf, requestOf, WebhookFields } from './webhook-fields.tsx';

interface EditWebhookProps {
  webhook: Webhook;
  onClose: () => void;
}

export default function EditWebhook({ webhook, onClose }: EditWebhookProps) {
  const t = useTranslations('webhooks');
  return (
    <Dialog isLarge title={t('editTitle')} onClose={onClose}>
      <EditForm webhook={webhook} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ webhook, onClose }: EditWebhookProps) {
  const common = useTranslations('common');
  const form = useForm({ defaultValues: fieldsOf(webhook) });
  const save = useMutation({
    mutationFn: (fields: Fields) => gateway.webhooks.update(webhook.id, requestOf(fields)),
    onSuccess: (stored) => {
      showWebhook(stored);
      onClose();
    },
  });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <FormProvider {...form}>
          <WebhookFields />
        </FormProvider>
        <Problem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!form.formState.isDirty}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
