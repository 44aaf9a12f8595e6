import { Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { fieldOf } from '../../parts/fields/fields.ts';
import { FieldsDialog } from '../../parts/frames/dialog-form.tsx';
import { showAssistant } from '../../queries/assistants.ts';
import { newProvider, ProviderFields, providerRequest } from './provider-fields.tsx';

/** A new assistant, switched off until it was tried. */
export default function CreateAssistant({ onClose }: { onClose: () => void }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const needed = (value: string) => value.trim() !== '' || common('needed');
  return (
    <FieldsDialog
      title={t('add')}
      first={{ name: '', instructions: t('instructionsStart'), provider: newProvider }}
      create={common('create')}
      save={({ name, instructions, provider }) =>
        gateway.assistants.create({ name: name.trim(), instructions, provider: providerRequest(provider) })
      }
      onSaved={(assistant) => {
        showAssistant(assistant);
        onClose();
        const { assistantId } = assistant;
        void navigate({ to: '/assistants/$assistantId', params: { assistantId } });
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextInput
            data-autofocus
            label={common('name')}
            placeholder={t('nameExample')}
            autoComplete="off"
            maxLength={100}
            {...fieldOf(form, 'name', { validate: needed })}
          />
          <ProviderFields />
          <Textarea
            label={t('instructions')}
            description={t('instructionsHint')}
            minRows={5}
            maxRows={12}
            {...fieldOf(form, 'instructions', { validate: needed })}
          />
        </>
      )}
    </FieldsDialog>
  );
}
