import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { DialogForm } from '../../../parts/frames/dialog-form.tsx';
import { showChannel } from '../../../queries/alerts.ts';
import { ChannelFields } from './channel-fields.tsx';
import { type Fields, fieldsOf, updateRequest } from './channel-form.ts';

interface EditChannelProps {
  channel: AlertChannel;
  onClose: () => void;
}

export default function EditChannel({ channel, onClose }: EditChannelProps) {
  const t = useTranslations('alerts.channels');
  return (
    <Dialog isLarge title={t('editTitle')} onClose={onClose}>
      <EditForm channel={channel} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ channel, onClose }: EditChannelProps) {
  const form = useForm({ defaultValues: fieldsOf(channel) });
  const save = useMutation({
    mutationFn: (fields: Fields) =>
      gateway.alertChannels.update(channel.channelId, updateRequest(fields, channel)),
    onSuccess: (stored) => {
      showChannel(stored);
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
        <ChannelFields isStored />
      </FormProvider>
    </DialogForm>
  );
}
