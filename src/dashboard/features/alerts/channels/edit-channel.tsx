import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
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
  const common = useTranslations('common');
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
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <FormProvider {...form}>
          <ChannelFields isStored />
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
