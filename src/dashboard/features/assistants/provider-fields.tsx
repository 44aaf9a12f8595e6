import { Group, NumberInput, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Assistant, CreateAssistantRequest } from '../../../sdk/index.ts';
import { isUrl } from '../../parts/fields/allowed-values.ts';
import { choiceOf, fieldOf } from '../../parts/fields/fields.ts';
import { SecretInput } from '../../parts/fields/secret-input.tsx';

export interface ProviderForm {
  kind: 'openai_compatible' | 'workers_ai';
  baseUrl: string;
  model: string;
  /** Empty: as it is. */
  apiKey: string;
  inputPrice: number | '';
  outputPrice: number | '';
  seesPictures: boolean;
  /** Empty: none of this provider. */
  embeddingModel: string;
}

export const newProvider: ProviderForm = {
  kind: 'openai_compatible',
  baseUrl: '',
  model: '',
  apiKey: '',
  inputPrice: '',
  outputPrice: '',
  seesPictures: false,
  embeddingModel: '',
};

export const providerForm = ({
  kind,
  baseUrl,
  model,
  prices,
  seesPictures,
  embeddingModel,
}: Assistant['provider']): ProviderForm => ({
  kind,
  baseUrl: baseUrl ?? '',
  model,
  apiKey: '',
  inputPrice: prices?.inputPerMillion ?? '',
  outputPrice: prices?.outputPerMillion ?? '',
  seesPictures,
  embeddingModel: embeddingModel ?? '',
});

export function providerRequest(form: ProviderForm): CreateAssistantRequest['provider'] {
  const { kind, baseUrl, model, apiKey, inputPrice, outputPrice, seesPictures, embeddingModel } = form;
  const hasPrices = inputPrice !== '' || outputPrice !== '';
  return {
    kind,
    baseUrl: kind === 'workers_ai' ? null : baseUrl.trim(),
    model: model.trim(),
    ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
    prices: hasPrices
      ? { inputPerMillion: Number(inputPrice) || 0, outputPerMillion: Number(outputPrice) || 0 }
      : null,
    seesPictures,
    embeddingModel: embeddingModel.trim() || null,
  };
}

const exampleUrl = 'https://api.openai.com/v1';

interface ProviderFieldsProps {
  hasApiKey?: boolean;
  /** The gateway has an index of meanings, for which the provider may make vectors. */
  hasMeaning?: boolean;
}

/** Where the model is: part of a form that has it under `provider`. */
export function ProviderFields({ hasApiKey = false, hasMeaning = false }: ProviderFieldsProps) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const form = useFormContext<{ provider: ProviderForm }>();
  const kind = form.watch('provider.kind');
  const needed = (value: string) => value.trim() !== '' || common('needed');
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label={t('provider')}
        data={[
          { value: 'openai_compatible', label: t('openaiCompatible') },
          { value: 'workers_ai', label: 'Workers AI' },
        ]}
        {...choiceOf(form, 'provider.kind')}
      />
      {kind === 'openai_compatible' && (
        <TextInput
          type="url"
          label={t('baseUrl')}
          description={t('baseUrlHint')}
          placeholder={exampleUrl}
          autoComplete="off"
          {...fieldOf(form, 'provider.baseUrl', { validate: (url) => isUrl(url) || common('urlNeeded') })}
        />
      )}
      <TextInput
        label={t('model')}
        autoComplete="off"
        {...fieldOf(form, 'provider.model', { validate: needed })}
      />
      {kind === 'openai_compatible' && (
        <SecretInput
          label={t('apiKey')}
          description={hasApiKey ? t('apiKeyKept') : t('apiKeyHint')}
          autoComplete="new-password"
          {...form.register('provider.apiKey')}
        />
      )}
      <Group grow align="flex-start">
        {(['inputPrice', 'outputPrice'] as const).map((name) => (
          <NumberInput
            key={name}
            label={t(name)}
            min={0}
            allowDecimal
            decimalScale={4}
            hideControls
            {...choiceOf(form, `provider.${name}`)}
          />
        ))}
      </Group>
      {hasMeaning && (
        <TextInput
          label={t('embeddingModel')}
          description={t('embeddingModelHint')}
          autoComplete="off"
          {...form.register('provider.embeddingModel')}
        />
      )}
      <Switch
        label={t('seesPictures')}
        description={t('seesPicturesHint')}
        {...form.register('provider.seesPictures')}
        checked={form.watch('provider.seesPictures')}
      />
    </Stack>
  );
}
