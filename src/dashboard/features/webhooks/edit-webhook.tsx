import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { DialogForm } from '../../parts/frames/dialog-form.tsx';
import { showWebhook } from '../../queries/developers/webhooks.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { type Fields, fieldsOf, updateRequest } from './webhook-form.ts';

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
  const form = useForm({ defaultValues: fieldsOf(webhook) });
  const save = useMutation({
    mutationFn: (fields: Fields) => gateway.webhooks.update(webhook.id, updateRequest(fields, webhook)),
    onSuccess: (stored) => {
      showWebhook(stored);
      onClose();
    },
  });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <DialogForm
      step={save}
      canSubmit={form.formState.isDirty}
      noValidate
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormProvider {...form}>
        <WebhookFields />
      </FormProvider>
    </DialogForm>
  );
}
