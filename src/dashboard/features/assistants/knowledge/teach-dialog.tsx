import { Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { cutText } from '../../../../contract/texts/text.ts';
import { gateway } from '../../../gateway/client.ts';
import { FormDialog } from '../../../parts/frames/dialog-form.tsx';
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
  const form = useForm({ defaultValues: { name, text } });
  const { errors } = form.formState;
  const teach = useMutation({
    mutationFn: (fields: { name: string; text: string }) =>
      gateway.assistants.addDocument(assistantId, {
        name: fields.name.trim(),
        text: fields.text,
        format: 'markdown',
      }),
    onSuccess: () => {
      documentsChanged(assistantId);
      onClose();
    },
  });
  const needed = (value: string) => value.trim() !== '' || common('needed');
  const submit = form.handleSubmit((fields) => teach.mutate(fields));
  return (
    <FormDialog
      title={question === undefined ? t('addText') : t('teach')}
      isLarge
      step={teach}
      action={common('add')}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {question !== undefined && <p>{t('teachLead')}</p>}
      <TextInput
        label={t('documentName')}
        autoComplete="off"
        maxLength={200}
        error={errors.name?.message}
        {...form.register('name', { validate: needed })}
      />
      <Textarea
        data-autofocus
        label={t('documentText')}
        description={t('documentTextHint')}
        minRows={8}
        maxRows={20}
        error={errors.text?.message}
        {...form.register('text', { validate: needed })}
      />
    </FormDialog>
  );
}
