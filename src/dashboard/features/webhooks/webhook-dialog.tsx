import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { type CreatedWebhook, eventNames, type Webhook } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { SecretOnce } from '../../parts/asking/secrets.tsx';
import { Problem } from '../../parts/feedback.tsx';
import { isUrl } from '../../parts/fields/allowed-values.ts';
import { AllOrSome, NumberChoice } from '../../parts/fields/choices.tsx';
import { choiceOf, fieldOf } from '../../parts/fields/fields.ts';
import { SecretInput } from '../../parts/fields/secret-input.tsx';
import { FieldsDialog } from '../../parts/frames/dialog-form.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showWebhook } from '../../queries/developers/webhooks.ts';
import { TestButton, TestResult, useTestEvent } from './test-outcome.tsx';
import { createRequest, type Fields, fieldsOf, newFields, updateRequest } from './webhook-form.ts';
import classes from './webhooks.module.css';

const fresh = { ...newFields, isTestedFirst: true };

/** Adds a webhook, or edits one. */
export default function WebhookDialog({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  if (webhook === undefined) return <AddWebhook onClose={onClose} />;
  return <EditWebhook webhook={webhook} onClose={onClose} />;
}

/** Where events go; then its secret, which is never shown again, and a test before anything else goes there. */
function AddWebhook({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const done = (webhookId: string) => {
    onClose();
    void navigate({ to: '/developer/webhooks/$webhookId', params: { webhookId } });
  };
  return (
    <FieldsDialog
      title={t('add')}
      create={common('create')}
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
  const common = useTranslations('common');
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
      <SecretOnce name={common('secretName')} secret={webhook.secret} warning={common('secretOnce')} />
      {!webhook.enabled && <p>{t('isOff')}</p>}
      <Group>
        <TestButton test={test} />
      </Group>
      <TestResult test={test} />
      <Problem error={enable.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant={webhook.enabled ? 'filled' : 'default'} onClick={onDone}>
          {webhook.enabled ? common('done') : t('leaveOff')}
        </Button>
        {!webhook.enabled && (
          <Button
            variant={hasArrived ? 'filled' : 'default'}
            loading={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {hasArrived ? common('enable') : t('switchOnUntested')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTranslations('webhooks');
  return (
    <FieldsDialog
      title={t('editTitle')}
      first={fieldsOf(webhook)}
      save={(fields, first) => gateway.webhooks.update(webhook.id, updateRequest(fields, first, webhook))}
      onSaved={(stored) => {
        showWebhook(stored);
        onClose();
      }}
      onClose={onClose}
    >
      <WebhookFields />
    </FieldsDialog>
  );
}

const exampleUrl = 'https://example.com/hooks/heliograph';
/** It goes to whoever asks for it, and not by itself. */
const chosen = eventNames.filter((name) => name !== 'webhook.test');

/** What a new webhook and one that is there can be given: part of either form. */
function WebhookFields() {
  const t = useTranslations('webhooks');
  const common = useTranslations('common');
  const form = useFormContext<Fields>();
  const { control, register } = form;
  return (
    <Stack gap="md">
      <TextInput
        data-autofocus
        type="url"
        label={t('url')}
        placeholder={exampleUrl}
        autoComplete="off"
        {...fieldOf(form, 'url', { validate: (url) => isUrl(url) || common('urlNeeded') })}
      />
      <AllOrSome
        control={control}
        all="isEveryEvent"
        some="events"
        label={t('events')}
        allLabel={t('allEvents')}
        someLabel={t('someEvents')}
        noneProblem={t('eventsNeeded')}
        choices={chosen.map((name) => ({
          value: name,
          label: <code>{name}</code>,
        }))}
      />
      <NumberChoice description={t('numbersHint')} {...choiceOf(form, 'numberIds')} />
      <TextInput
        label={common('note')}
        placeholder={t('noteExample')}
        autoComplete="off"
        maxLength={500}
        {...register('description')}
      />
      <WebhookHeaders />
    </Stack>
  );
}

const headersMax = 10;
const exampleName = 'Authorization';

/** Headers of the receiver's own. Values that are stored are never shown: they stay, unless another is typed. */
function WebhookHeaders() {
  const t = useTranslations('webhooks.headers');
  const common = useTranslations('common');
  const { control, register, formState, watch } = useFormContext<Fields>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  const problems = formState.errors.headers;
  return (
    <fieldset className={classes.headers}>
      <legend>{t('title')}</legend>
      <Text c="dimmed" fz={13}>
        {t('hint')}
      </Text>
      {fields.map(({ id, isStored }, index) => {
        const name = watch(`headers.${index}.name`);
        return (
          <div key={id} className={classes.header}>
            <TextInput
              aria-label={t('name')}
              placeholder={exampleName}
              autoComplete="off"
              readOnly={isStored}
              error={problems?.[index]?.name?.message}
              {...register(`headers.${index}.name`, {
                validate: (typed) => typed.trim() !== '' || t('nameNeeded'),
              })}
            />
            <SecretInput
              aria-label={common('valueOf', { name })}
              placeholder={isStored ? t('unchanged') : ''}
              autoComplete="new-password"
              error={problems?.[index]?.value?.message}
              {...register(`headers.${index}.value`, {
                validate: (typed) => isStored || typed.trim() !== '' || t('valueNeeded'),
              })}
            />
            <IconButton
              icon="trash"
              iconSize={16}
              name={common('removeNamed', { name })}
              size="lg"
              onClick={() => remove(index)}
            />
          </div>
        );
      })}
      {fields.length < headersMax && (
        <SmallButton onClick={() => append({ name: '', value: '', isStored: false })}>{t('add')}</SmallButton>
      )}
    </fieldset>
  );
}
