import { Textarea, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { cutText } from '../../../../contract/texts/text.ts';
import { gateway } from '../../../gateway/client.ts';
import { fieldOf } from '../../../parts/fields/fields.ts';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { documentsChanged } from '../../../queries/assistants.ts';

interface Props {
  assistantId: string;
  onClose: () => void;
  /** What it was asked and could not answer. */
  question?: string;
}

const nameCharactersMax = 80;

/** A text that the assistant is to know. */
export default function TeachDialog({ assistantId, onClose, question }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const name = cutText(question?.split('\n')[0] ?? '', nameCharactersMax);
  const text = question === undefined ? '' : `# ${question.replaceAll('\n', ' ')}\n\n`;
  const needed = (value: string) => value.trim() !== '' || common('needed');
  return (
    <FieldsDialog
      title={question === undefined ? t('addText') : t('teach')}
      first={{ name, text }}
      create={common('add')}
      save={({ name, text }) =>
        gateway.assistants.addDocument(assistantId, { name: name.trim(), text, format: 'markdown' })
      }
      onSaved={() => {
        documentsChanged(assistantId);
        onClose();
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          {question !== undefined && <p>{t('teachLead')}</p>}
          <TextInput
            label={t('documentName')}
            autoComplete="off"
            maxLength={200}
            {...fieldOf(form, 'name', { validate: needed })}
          />
          <Textarea
            data-autofocus
            label={t('documentText')}
            description={t('documentTextHint')}
            minRows={8}
            maxRows={20}
            {...fieldOf(form, 'text', { validate: needed })}
          />
        </>
      )}
    </FieldsDialog>
  );
}
