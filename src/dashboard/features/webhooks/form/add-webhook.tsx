import { Button, Group, Stack, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { CreatedWebhook } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { SecretOnce } from '../../../parts/asking/secrets.tsx';
import { Problem } from '../../../parts/feedback.tsx';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showWebhook } from '../../../queries/developers/webhooks.ts';
import { TestButton, TestResult, useTestEvent } from '../test-outcome.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { createRequest, newFields } from './webhook-form.ts';

const fresh = { ...newFields, isTestedFirst: true };

/** Where events go; then its secret, which is never shown again, and a test before anything else goes there. */
export default function AddWebhook({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks');
  const navigate = useNavigate();
  const done = (webhookId: string) => {
    onClose();
    void navigate({ to: '/developer/webhooks/$webhookId', params: { webhookId } });
  };
  return (
    <FieldsDialog
      title={t('add')}
      create={t('create')}
      first={fresh}
      save={({ isTestedFirst, ...fields }) =>
        gateway.webhooks.create({ ...createRequest(fields), enabled: !isTestedFirst })
      }
      onSaved={({ secret: _secret, ...shown }) => showWebhook(shown)}
      saved={(created) => ({
        title: t('createdTitle'),
        content: <Created webhook={created} onDone={() => done(created.id)} />,
      })}
      onClose={onClose}
    >
      <WebhookFields />
      <TestedFirst />
    </FieldsDialog>
  );
}

function TestedFirst() {
  const t = useTranslations('webhooks');
  const { register } = useFormContext<typeof fresh>();
  return (
    <Switch
      label={t('testFirst')}
      description={t('testFirstHint')}
      defaultChecked={fresh.isTestedFirst}
      {...register('isTestedFirst')}
    />
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
