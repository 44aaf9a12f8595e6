import { Group, Select, Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Assistant, UpdateAssistantRequest } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { choiceOf, fieldOf } from '../../../parts/fields/fields.ts';
import { SecretInput } from '../../../parts/fields/secret-input.tsx';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showAssistant } from '../../../queries/assistants.ts';

interface Props {
  assistant: Assistant;
  onClose: () => void;
}

type Tool = NonNullable<NonNullable<UpdateAssistantRequest['tools']>['http']>[number];
type Method = NonNullable<Tool['method']>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const contactPhone = 'contact_phone';
const example = { name: 'order_state', url: 'https://example.com/orders/{order}', header: 'Authorization' };
const fresh = {
  name: '',
  description: '',
  method: 'GET' as Method,
  url: '',
  headerName: '',
  headerValue: '',
};

/** What is in braces in the URL is asked of the model, but for the phone number of the contact. */
const parametersOf = (url: string): NonNullable<Tool['parameters']> =>
  [...new Set([...url.matchAll(/\{([A-Za-z][A-Za-z0-9_]*)\}/g)].map(([, name]) => name ?? ''))].map(
    (name) => ({
      name,
      ...(name === contactPhone && { from: 'contact_phone_number' as const }),
    }),
  );

/** A call to a server of the owner that the assistant may make. */
export default function ToolDialog({ assistant: { assistantId, tools }, onClose }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const needed = (value: string) => value.trim() !== '' || common('needed');
  return (
    <FieldsDialog
      title={t('addTool')}
      first={fresh}
      create={common('add')}
      save={({ headerName, headerValue, ...fields }) => {
        const tool: Tool = {
          ...fields,
          name: fields.name.trim(),
          url: fields.url.trim(),
          parameters: parametersOf(fields.url),
          headers: headerName.trim() === '' ? [] : [{ name: headerName.trim(), value: headerValue }],
        };
        return gateway.assistants.update(assistantId, { tools: { ...tools, http: [...tools.http, tool] } });
      }}
      onSaved={(assistant) => {
        showAssistant(assistant);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            data-autofocus
            label={t('toolName')}
            description={t('toolNameHint')}
            placeholder={example.name}
            autoComplete="off"
            {...fieldOf(form, 'name', {
              validate: (name) => /^[a-z][a-z0-9_]{1,39}$/.test(name.trim()) || t('toolNameHint'),
            })}
          />
          <Textarea
            label={common('description')}
            description={t('toolDescriptionHint')}
            minRows={2}
            maxLength={1000}
            {...fieldOf(form, 'description', { validate: needed })}
          />
          <Select
            label={t('toolMethod')}
            description={t('toolMethodHint')}
            data={[...methods]}
            {...choiceOf(form, 'method')}
          />
          <TextInput
            type="url"
            label={t('url')}
            description={t('toolUrlHint', { order: '{order}', phone: `{${contactPhone}}` })}
            placeholder={example.url}
            autoComplete="off"
            {...fieldOf(form, 'url', {
              validate: (url) => /^https?:\/\//.test(url.trim()) || common('urlNeeded'),
            })}
          />
          <Group grow align="flex-start">
            <TextInput
              label={t('headerName')}
              placeholder={example.header}
              autoComplete="off"
              {...form.register('headerName')}
            />
            <SecretInput
              label={common('value')}
              autoComplete="new-password"
              {...form.register('headerValue')}
            />
          </Group>
        </>
      )}
    </FieldsDialog>
  );
}
