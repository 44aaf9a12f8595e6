import { Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { hourMs } from '../../../contract/times.ts';
import { gateway } from '../../gateway/client.ts';
import { Note } from '../../parts/feedback.tsx';
import { choiceOf, fieldOf } from '../../parts/fields/fields.ts';
import { localTime } from '../../parts/fields/local-time.ts';
import { FormDialog } from '../../parts/frames/dialog-form.tsx';
import { sentAgain } from '../../queries/developers/webhooks.ts';

interface SendAgainProps {
  webhookId: string;
  onClose: () => void;
}

const choices = ['failed', 'every'] as const;

interface Fields {
  which: (typeof choices)[number];
  /** As `localTime` has it. */
  since: string;
}

/** A receiver was down, or has lost what it had: what failed since then, or all there was, goes out once more. */
export default function SendAgain({ webhookId, onClose }: SendAgainProps) {
  const t = useTranslations('webhooks.again');
  const common = useTranslations('common');
  const form = useForm<Fields>({
    defaultValues: { which: 'failed', since: localTime(new Date(Date.now() - hourMs)) },
  });
  const send = useMutation({
    mutationFn: (fields: Fields) => {
      const since = new Date(fields.since).toISOString();
      return fields.which === 'failed'
        ? gateway.webhooks.redeliverSince(webhookId, { since, status: 'failed' })
        : gateway.webhooks.replay(webhookId, { since });
    },
    onSuccess: sentAgain,
  });
  const submit = form.handleSubmit((fields) => send.mutate(fields));
  return (
    <FormDialog
      title={t('title')}
      step={send}
      action={t('submit')}
      leave={common('close')}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <Radio.Group aria-label={t('which')} {...choiceOf(form, 'which')}>
        <Stack gap="xs">
          {choices.map((name) => (
            <Radio key={name} value={name} label={t(`${name}.label`)} description={t(`${name}.hint`)} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        type="datetime-local"
        label={common('since')}
        {...fieldOf(form, 'since', { validate: (since) => since !== '' || t('sinceNeeded') })}
      />
      {send.data !== undefined && (
        <div role="status">
          <Note tone="green">{t('done', { count: send.data.count })}</Note>
        </div>
      )}
    </FormDialog>
  );
}
