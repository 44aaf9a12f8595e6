import {
  Button,
  FileButton,
  Group,
  InputBase,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { fieldOf } from '../../../parts/fields/fields.ts';
import { withWord } from '../../../parts/fields/insert.ts';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { Figure } from './figure.tsx';
import { PhoneBubble } from './phone-bubble.tsx';
import classes from './wizard.module.css';
import { textProblem, type WizardFields } from './wizard-fields.ts';

const kinds = ['text', 'image', 'document'] as const;

/** What they get, beside a picture of it. */
export default function MessageStep() {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const form = useFormContext<WizardFields>();
  const [kind, text, hasVariant, variant, fileName] = form.watch([
    'kind',
    'text',
    'hasVariant',
    'variant',
    'fileName',
  ]);
  const [file, setFile] = useState<File | null>(null);
  const image = useObjectUrl(kind === 'image' ? file : null);
  const values = { name: t('exampleName'), phone: '628123456789' };
  const document = kind === 'document' ? fileName || file?.name || common('file') : undefined;
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={common('name')}
          description={t('nameHint')}
          autoComplete="off"
          maxLength={100}
          {...fieldOf(form, 'name', { validate: (name) => name.trim() !== '' || common('nameNeeded') })}
        />
        <SegmentedControl
          aria-label={common('messageType')}
          data={kinds.map((one) => ({ value: one, label: common(`messageTypes.${one}`) }))}
          value={kind}
          onChange={(next) => {
            setFile(null);
            form.setValue('kind', next);
          }}
        />
        {kind !== 'text' && <FileField onChosen={setFile} />}
        <TemplateField name="text" label={kind === 'text' ? common('text') : common('caption')} />
        <Switch
          label={t('variant')}
          description={t('variantHint')}
          {...form.register('hasVariant')}
          checked={hasVariant}
        />
        {hasVariant && (
          <>
            <TemplateField name="variant" label={t('variantText')} />
            <WinnerFields />
          </>
        )}
      </Stack>
      <Stack gap={12} className={classes.review}>
        <h2>{common('preview')}</h2>
        <PhoneBubble text={text} values={values} image={image} document={document} />
        {hasVariant && <PhoneBubble text={variant} values={values} image={image} document={document} />}
      </Stack>
    </div>
  );
}

/** An address for bytes that are only here, for as long as they are shown. */
function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => (file === null ? null : URL.createObjectURL(file)), [file]);
  useEffect(() => () => (url === null ? undefined : URL.revokeObjectURL(url)), [url]);
  return url;
}

/** A text with variables, and buttons that put them where the cursor is. */
function TemplateField({ name, label }: { name: 'text' | 'variant'; label: string }) {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const { control, getValues, setValue } = useFormContext<WizardFields>();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string) =>
    setValue(name, withWord(area.current, getValues(name), variable), { shouldDirty: true });
  const check = (text: string, { kind, hasVariant }: WizardFields) => {
    const problem = name === 'variant' && !hasVariant ? null : textProblem(kind, text);
    if (problem === null) return true;
    return problem.word === 'unknownVariable'
      ? t('unknownVariable', { name: `{{${problem.name ?? ''}}}` })
      : t(problem.word);
  };
  return (
    <Controller
      control={control}
      name={name}
      rules={{ validate: check }}
      render={({ field: { ref, ...field }, fieldState }) => (
        <Stack gap={6}>
          <InputBase
            component="textarea"
            multiline
            rows={6}
            label={label}
            error={fieldState.error?.message}
            {...field}
            ref={(element) => {
              area.current = element;
              ref(element);
            }}
          />
          <Group gap="xs" role="group" aria-label={common('insert')}>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => insert(`{{name|${t('fallback')}}}`)}
            >
              {common('name')}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => insert('{{attributes.city|}}')}
            >
              {t('insertAttribute')}
            </Button>
            <Hint span>{t('variableHint')}</Hint>
          </Group>
        </Stack>
      )}
    />
  );
}

/** The file is stored when it is chosen: once, for everybody who gets it. */
function FileField({ onChosen }: { onChosen: (file: File) => void }) {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const { watch, setValue, formState, register } = useFormContext<WizardFields>();
  const [kind, mediaId, fileName] = watch(['kind', 'mediaId', 'fileName']);
  const upload = useMutation({
    mutationFn: (file: File) => gateway.media.upload(file, { fileName: file.name, timeoutMs: 120_000 }),
    onSuccess: (stored, file) => {
      setValue('mediaId', stored.mediaId, { shouldValidate: true, shouldDirty: true });
      setValue('fileName', file.name);
      onChosen(file);
    },
  });
  return (
    <Stack gap={6}>
      <input
        type="hidden"
        {...register('mediaId', {
          validate: (id, fields) => fields.kind === 'text' || id !== '' || t('fileNeeded'),
        })}
      />
      <Group gap="sm">
        <FileButton
          accept={kind === 'image' ? 'image/jpeg,image/png' : '*'}
          onChange={(file) => file !== null && upload.mutate(file)}
        >
          {(props) => (
            <Button {...props} variant="default" loading={upload.isPending}>
              {common('chooseFile')}
            </Button>
          )}
        </FileButton>
        <Hint span>{mediaId === '' ? '' : fileName}</Hint>
      </Group>
      {formState.errors.mediaId !== undefined && (
        <Text span c="var(--red)" fz="xs" role="alert">
          {formState.errors.mediaId.message}
        </Text>
      )}
      <Problem error={upload.error} />
    </Stack>
  );
}

/** Whether answers decide which text the others get. */
function WinnerFields() {
  const t = useTranslations('campaigns.wizard');
  const { watch, register } = useFormContext<WizardFields>();
  const hasWinner = watch('hasWinner');
  return (
    <>
      <Switch
        label={t('winner')}
        description={t('winnerHint')}
        {...register('hasWinner')}
        checked={hasWinner}
      />
      {hasWinner && (
        <Group grow align="flex-start">
          <Figure name="testPercent" label={t('testPercent')} min={1} max={90} />
          <Figure name="afterMinutes" label={t('afterMinutes')} min={1} max={10_080} />
        </Group>
      )}
    </>
  );
}
