import { Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { SecretOnce } from '../../../parts/asking/secrets.tsx';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { CodeBlock } from '../../../parts/values/copyable.tsx';
import { showApiKey } from '../../../queries/developers/api-keys.ts';
import { type SnippetLanguage, sendSnippet, snippetLanguages } from '../send-snippets.ts';
import { KeyFields } from './key-fields.tsx';
import { expiries, isFuture, type NewKeyFields, newKeyFields, requestOf } from './key-form.ts';

/** What the key may do; then the key itself, which only a press of "Done" puts away: it is never shown again. */
export default function CreateApiKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations('apiKeys');
  return (
    <FieldsDialog
      title={t('create')}
      create={t('createSubmit')}
      first={newKeyFields}
      save={(fields) => gateway.apiKeys.create(requestOf(fields))}
      onSaved={({ key: _secret, ...shown }) => showApiKey(shown)}
      saved={({ key, name }) => ({
        title: t('createdTitle', { name }),
        content: <ShownKey secret={key} onDone={onClose} />,
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
      <Controller
        control={form.control}
        name="expiry"
        render={({ field }) => (
          <Select
            label={t('expiry')}
            data={expiries.map((value) => ({ value, label: t(`expiries.${value}`) }))}
            allowDeselect={false}
            {...field}
          />
        )}
      />
      {expiry === 'date' && (
        <TextInput
          type="date"
          label={t('expiryDate')}
          error={form.formState.errors.expiryDate?.message}
          {...form.register('expiryDate', { validate: (date) => isFuture(date) || t('dateInFuture') })}
        />
      )}
    </Group>
  );
}

/** The new key, this once, and a first message with it in four languages. */
function ShownKey({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = useTranslations('apiKeys');
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  return (
    <Stack gap="md">
      <SecretOnce name={t('secretName')} secret={secret} warning={t('shownOnce')} />
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
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
