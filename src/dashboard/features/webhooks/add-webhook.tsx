import { Button, Group, Stack, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { CreatedWebhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { SecretOnce } from '../../parts/asking/secret-once.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { DialogForm, type FormStep } from '../../parts/frames/dialog-form.tsx';
import { showWebhook } from '../../queries/developers/webhooks.ts';
import { TestButton, TestResult, useTestEvent } from './test-outcome.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { createRequest, newFields } from './webhook-form.ts';

const fresh = { ...newFields, isTestedFirst: true };

/** Where events go; then its secret, which is never shown again, and a test before anything else goes there. */
export default function AddWebhook({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks');
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: ({ isTestedFirst, ...fields }: typeof fresh) =>
      gateway.webhooks.create({ ...createRequest(fields), enabled: !isTestedFirst }),
    onSuccess: ({ secret: _secret, ...shown }) => showWebhook(shown),
    // The secret is kept nowhere once this is closed.
    gcTime: 0,
  });
  if (create.data === undefined) {
    return (
      <Dialog isLarge title={t('add')} onClose={onClose}>
        <AddForm step={create} onCreate={(fields) => create.mutate(fields)} onCancel={onClose} />
      </Dialog>
    );
  }
  const created = create.data;
  const done = () => {
    onClose();
    void navigate({ to: '/developer/webhooks/$webhookId', params: { webhookId: created.id } });
  };
  return (
    <Dialog isLarge isKept title={t('createdTitle')} onClose={done}>
      <Created webhook={created} onDone={done} />
    </Dialog>
  );
}

interface AddFormProps {
  step: FormStep;
  onCreate: (fields: typeof fresh) => void;
  onCancel: () => void;
}

function AddForm({ step, onCreate, onCancel }: AddFormProps) {
  const t = useTranslations('webhooks');
  const form = useForm({ defaultValues: fresh });
  const submit = form.handleSubmit(onCreate);
  return (
    <DialogForm step={step} action={t('create')} noValidate onSubmit={submit} onCancel={onCancel}>
      <FormProvider {...form}>
        <WebhookFields />
      </FormProvider>
      <Switch
        label={t('testFirst')}
        description={t('testFirstHint')}
        defaultChecked={fresh.isTestedFirst}
        {...form.register('isTestedFirst')}
      />
    </DialogForm>
  );
}

function Created({ webhook, onDone }: { webhook: CreatedWebhook; onDone: () => void }) {
  const t = useTranslations('webhooks');
  const test = useTestEvent(webhook.id);
  const enable = useMutation({
    mutationFn: () => gateway.webhooks.update(webhook.id, { enabled: true }),
    onSuccess: (enabled) => {
      showWebhook(enabled);
      onDone();
    },
  });
  const hasArrived = test.data?.status === 'delivered';
  return (
    <Stack gap="md">
      <SecretOnce name={t('secretName')} secret={webhook.secret} warning={t('shownOnce')} />
      {!webhook.enabled && <p>{t('isOff')}</p>}
      <Group>
        <TestButton test={test} />
      </Group>
      <TestResult test={test} />
      <Problem error={enable.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant={webhook.enabled ? 'filled' : 'default'} onClick={onDone}>
          {webhook.enabled ? t('done') : t('leaveOff')}
        </Button>
        {!webhook.enabled && (
          <Button
            variant={hasArrived ? 'filled' : 'default'}
            loading={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {hasArrived ? t('switchOn') : t('switchOnUntested')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
