import {
  Button,
  Checkbox,
  Group,
  Radio,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiKey } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { SecretOnce } from '../../parts/asking/secrets.tsx';
import { choiceOf, fieldOf } from '../../parts/fields/fields.ts';
import { FieldsDialog } from '../../parts/frames/dialog-form.tsx';
import { CodeBlock } from '../../parts/values/copyable.tsx';
import { showApiKey } from '../../queries/developers/api-keys.ts';
import { useNumberOptions } from '../../queries/numbers.ts';
import classes from './key-dialog.module.css';
import {
  changesOf,
  chosenScopes,
  expiries,
  type KeyFields as Fields,
  fieldsOf,
  isFuture,
  isOneNumbers,
  type NewKeyFields,
  newKeyFields,
  pool,
  requestOf,
  scopes,
  scopesOf,
  tooWide,
} from './key-form.ts';
import { type SnippetLanguage, sendSnippet, snippetLanguages } from './send-snippets.ts';

/** Creates a key, or edits one. */
export default function KeyDialog({ apiKey, onClose }: { apiKey?: ApiKey; onClose: () => void }) {
  if (apiKey === undefined) return <CreateApiKey onClose={onClose} />;
  return <EditApiKey apiKey={apiKey} onClose={onClose} />;
}

/** What the key may do; then the key itself, which only a press of "Done" puts away: it is never shown again. */
function CreateApiKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  return (
    <FieldsDialog
      title={t('create')}
      create={common('create')}
      first={newKeyFields}
      save={(fields) => gateway.apiKeys.create(requestOf(fields))}
      onSaved={({ key: _secret, ...shown }) => showApiKey(shown)}
      saved={({ key, name, scopes: granted }) => ({
        title: t('createdTitle', { name }),
        content: <ShownKey secret={key} maySend={granted.includes('messages:send')} onDone={onClose} />,
      })}
      onClose={onClose}
    >
      <KeyFields />
      <ExpiryFields />
    </FieldsDialog>
  );
}

function ExpiryFields() {
  const t = useTranslations('apiKeys');
  const form = useFormContext<NewKeyFields>();
  const expiry = useWatch({ control: form.control, name: 'expiry' });
  return (
    <Group grow align="flex-start">
      <Select
        label={t('expiry')}
        data={expiries.map((value) => ({ value, label: t(`expiries.${value}`) }))}
        {...choiceOf(form, 'expiry')}
      />
      {expiry === 'date' && (
        <TextInput
          type="date"
          label={t('expiryDate')}
          {...fieldOf(form, 'expiryDate', { validate: (date) => isFuture(date) || t('dateInFuture') })}
        />
      )}
    </Group>
  );
}

interface ShownKeyProps {
  secret: string;
  maySend: boolean;
  onDone: () => void;
}

/** The new key, this once, and where it may send, a first message with it in four languages. */
function ShownKey({ secret, maySend, onDone }: ShownKeyProps) {
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  return (
    <Stack gap="md">
      <SecretOnce name={t('secretName')} secret={secret} warning={t('shownOnce')} />
      {maySend && (
        <Stack gap="xs">
          <h3>{t('snippetTitle')}</h3>
          <SegmentedControl
            aria-label={t('snippetLanguage')}
            data={[...snippetLanguages]}
            value={language}
            onChange={setLanguage}
          />
          <CodeBlock name={t('snippetName')} text={sendSnippet[language](window.location.origin, secret)} />
        </Stack>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>{common('done')}</Button>
      </Group>
    </Stack>
  );
}

/** What a key may do from its next request on. */
function EditApiKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const common = useTranslations('common');
  return (
    <FieldsDialog
      title={common('editNamed', { name: apiKey.name })}
      first={fieldsOf(apiKey)}
      save={(fields, first) => gateway.apiKeys.update(apiKey.id, changesOf(fields, first))}
      onSaved={(stored) => {
        showApiKey(stored);
        onClose();
      }}
      onClose={onClose}
    >
      <KeyFields />
    </FieldsDialog>
  );
}

/** What a new key and one that is there can be given: part of either form. */
function KeyFields() {
  const form = useFormContext<Fields>();
  const { control, getValues } = form;
  const t = useTranslations('apiKeys');
  const common = useTranslations('common');
  const numbers = useNumberOptions();
  const sender = useWatch({ control, name: 'sender' });
  const onPinFailure = useWatch({ control, name: 'onPinFailure' });
  const isNarrow = isOneNumbers({ sender, onPinFailure });
  const senders = [{ value: pool, label: common('pool') }, ...numbers];
  return (
    <Stack gap="md">
      <TextInput
        data-autofocus
        label={common('name')}
        placeholder={t('nameExample')}
        autoComplete="off"
        {...fieldOf(form, 'name', {
          validate: (name) => /^.{1,100}$/.test(name.trim()) || common('nameNeeded'),
        })}
      />
      <Select
        label={t('sender')}
        description={sender === pool ? t('senderPoolHint') : t('senderPinHint')}
        data={senders}
        {...choiceOf(form, 'sender')}
      />
      {sender !== pool && (
        <Radio.Group label={t('onPinFailure')} {...choiceOf(form, 'onPinFailure')}>
          <Stack gap="xs" mt={6}>
            <Radio value="strict" label={t('strict')} description={t('strictHint')} />
            <Radio value="fallback" label={t('fallback')} description={t('fallbackHint')} />
          </Stack>
        </Radio.Group>
      )}
      <Controller
        control={control}
        name="scopes"
        rules={{
          validate: (_, fields) => scopesOf(fields).length > 0 || t('scopesNeeded'),
        }}
        render={({ field, fieldState }) => (
          <Checkbox.Group
            label={t('scopes')}
            description={isNarrow ? t('tooWide') : undefined}
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            error={fieldState.error?.message}
            {...field}
            onChange={(shown) => field.onChange(chosenScopes(getValues(), shown as Fields['scopes']))}
            value={isNarrow ? field.value.filter((scope) => !tooWide.includes(scope)) : field.value}
          >
            <div className={classes.scopes}>
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scope}
                  description={t(`scope.${scope}`)}
                  disabled={isNarrow && tooWide.includes(scope)}
                />
              ))}
            </div>
          </Checkbox.Group>
        )}
      />
      <TagsInput
        label={t('addresses')}
        description={t('addressesHint')}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        {...choiceOf(form, 'allowedAddresses')}
      />
    </Stack>
  );
}
