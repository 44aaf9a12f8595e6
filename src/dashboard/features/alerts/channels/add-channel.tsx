import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { SecretOnce } from '../../../parts/asking/secret-once.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { DialogForm, type FormStep } from '../../../parts/frames/dialog-form.tsx';
import { showChannel } from '../../../queries/alerts.ts';
import { ChannelFields } from './channel-fields.tsx';
import { createRequest, type Fields, newFields } from './channel-form.ts';
import { TestButton, TestResult, useTest } from './test-channel.tsx';

/** Where alerts go too; of a webhook, its secret, which is never shown again. */
export default function AddChannel({ onClose }: { onClose: () => void }) {
  const t = useTranslations('alerts.channels');
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (fields: Fields) => gateway.alertChannels.create(createRequest(fields)),
    onSuccess: ({ secret, ...shown }) => {
      showChannel(shown);
      if (secret === undefined) open(shown.channelId);
    },
    // The secret is kept nowhere once this is closed.
    gcTime: 0,
  });
  const open = (channelId: string) => {
    onClose();
    void navigate({ to: '/alerts/channels/$channelId', params: { channelId } });
  };
  const created = create.data;
  if (created?.secret !== undefined) {
    return (
      <Dialog isLarge isKept title={t('createdTitle')} onClose={onClose}>
        <Created
          channelId={created.channelId}
          secret={created.secret}
          onDone={() => open(created.channelId)}
        />
      </Dialog>
    );
  }
  return (
    <Dialog isLarge title={t('add')} onClose={onClose}>
      <AddForm step={create} onCreate={(fields) => create.mutate(fields)} onCancel={onClose} />
    </Dialog>
  );
}

interface AddFormProps {
  step: FormStep;
  onCreate: (fields: Fields) => void;
  onCancel: () => void;
}

function AddForm({ step, onCreate, onCancel }: AddFormProps) {
  const t = useTranslations('alerts.channels');
  const form = useForm({ defaultValues: newFields(), shouldUnregister: false });
  const submit = form.handleSubmit(onCreate);
  return (
    <DialogForm step={step} action={t('create')} noValidate onSubmit={submit} onCancel={onCancel}>
      <FormProvider {...form}>
        <ChannelFields />
      </FormProvider>
    </DialogForm>
  );
}

function Created(props: { channelId: string; secret: string; onDone: () => void }) {
  const t = useTranslations('alerts.channels');
  const test = useTest(props.channelId);
  return (
    <Stack gap="md">
      <SecretOnce name={t('secretName')} secret={props.secret} warning={t('shownOnce')} />
      <Group>
        <TestButton test={test} />
      </Group>
      <TestResult test={test} />
      <Group justify="flex-end">
        <Button onClick={props.onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
