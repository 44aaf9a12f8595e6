import { Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Assistant } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { changedFields } from '../../parts/fields/changed-fields.ts';
import { fieldOf } from '../../parts/fields/fields.ts';
import { Card } from '../../parts/frames/page.tsx';
import { PageForm } from '../../parts/frames/page-form.tsx';
import { showAssistant } from '../../queries/assistants.ts';
import classes from './assistants.module.css';
import { TryIt } from './try-it/try-it.tsx';

const tips = ['tipWho', 'tipScope', 'tipHandOff', 'tipTone', 'tipNever'] as const;

/** What the assistant is told, and beside it what it would say: also to what is not saved yet. */
export default function InstructionsTab({ assistant }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const { instructions, introduction, name } = assistant;
  const form = useForm({ values: { name, instructions, introduction: introduction ?? '' } });
  const save = useMutation({
    mutationFn: (fields: { name: string; instructions: string; introduction: string }) => {
      const { name, introduction, ...others } = changedFields(fields, form.formState.defaultValues);
      return gateway.assistants.update(assistant.assistantId, {
        ...others,
        ...(name !== undefined && { name: name.trim() }),
        ...(introduction !== undefined && { introduction: introduction.trim() || null }),
      });
    },
    onSuccess: showAssistant,
  });
  const needed = (value: string) => value.trim() !== '' || common('needed');
  const written = useWatch({ control: form.control, name: 'instructions' });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <div className={classes.beside}>
      <PageForm save={save} isDirty={form.formState.isDirty} noValidate onSubmit={submit}>
        <TextInput
          label={common('name')}
          autoComplete="off"
          maxLength={100}
          {...fieldOf(form, 'name', { validate: needed })}
        />
        <Textarea
          label={t('instructions')}
          description={t('instructionsHint')}
          minRows={10}
          maxRows={24}
          maxLength={20_000}
          {...fieldOf(form, 'instructions', { validate: needed })}
        />
        <ul className={classes.tips}>
          {tips.map((tip) => (
            <li key={tip}>{t(tip)}</li>
          ))}
        </ul>
        <Textarea
          label={t('introduction')}
          description={t('introductionHint')}
          placeholder={t('introductionExample')}
          minRows={2}
          maxLength={500}
          {...form.register('introduction')}
        />
      </PageForm>
      <Card title={t('try.title')}>
        <TryIt assistant={assistant} instructions={written === instructions ? null : written} />
      </Card>
    </div>
  );
}
