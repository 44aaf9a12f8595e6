import { Button, Group, InputBase, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Icon } from '../../../parts/icon.tsx';
import { PhoneBubble } from './phone-bubble.tsx';
import classes from './wizard.module.css';
import { textProblem, type WizardFields } from './wizard-fields.ts';

const FileField = lazy(() => import('./file-field.tsx'));
const WinnerFields = lazy(() => import('./winner-fields.tsx'));

const kinds = ['text', 'image', 'document'] as const;

/** What they get, beside a picture of it. */
export default function MessageStep() {
  const t = useTranslations('campaigns.wizard');
  const { control, register, formState } = useFormContext<WizardFields>();
  const [kind, text, hasVariant, variant, fileName] = useWatch({
    control,
    name: ['kind', 'text', 'hasVariant', 'variant', 'fileName'],
  });
  const [file, setFile] = useState<File | null>(null);
  const image = useObjectUrl(kind === 'image' ? file : null);
  const values = { name: t('exampleName'), phone: '628123456789' };
  const document = kind === 'document' ? fileName || file?.name || t('file') : undefined;
  return (
    <div className={classes.columns}>
      <Stack gap="md">
        <TextInput
          data-autofocus
          label={t('name')}
          description={t('nameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          maxLength={100}
          error={formState.errors.name?.message}
          {...register('name', { validate: (name) => name.trim() !== '' || t('nameNeeded') })}
        />
        <Controller
          control={control}
          name="kind"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label={t('kind')}
              data={kinds.map((one) => ({ value: one, label: t(`kinds.${one}`) }))}
              value={value}
              onChange={(next) => {
                setFile(null);
                onChange(next);
              }}
            />
          )}
        />
        {kind !== 'text' && (
          <Suspense>
            <FileField onChosen={setFile} />
          </Suspense>
        )}
        <TemplateField name="text" label={kind === 'text' ? t('text') : t('caption')} />
        <Switch
          label={t('variant')}
          description={t('variantHint')}
          {...register('hasVariant')}
          checked={hasVariant}
        />
        {hasVariant && (
          <>
            <TemplateField name="variant" label={t('variantText')} />
            <Suspense>
              <WinnerFields />
            </Suspense>
          </>
        )}
      </Stack>
      <div className={classes.preview}>
        <h2>{t('preview')}</h2>
        <PhoneBubble text={text} values={values} image={image} document={document} />
        {hasVariant && <PhoneBubble text={variant} values={values} image={image} document={document} />}
      </div>
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
  const { control, getValues, setValue } = useFormContext<WizardFields>();
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (variable: string) => {
    const { selectionStart, selectionEnd } = area.current ?? {};
    const text = getValues(name);
    const [from, to] = [selectionStart ?? text.length, selectionEnd ?? text.length];
    setValue(name, `${text.slice(0, from)}${variable}${text.slice(to)}`, { shouldDirty: true });
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(from + variable.length, from + variable.length);
    });
  };
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
          <Group gap="xs" role="group" aria-label={t('insert')}>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => insert(`{{name|${t('fallback')}}}`)}
            >
              {t('insertName')}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => insert('{{attributes.city|}}')}
            >
              {t('insertAttribute')}
            </Button>
            <span className={classes.hint}>{t('variableHint')}</span>
          </Group>
        </Stack>
      )}
    />
  );
}
