import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Textarea,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant, UpdateAssistantRequest } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { choiceOf } from '../../../parts/fields/fields.ts';
import { Card } from '../../../parts/frames/page.tsx';
import { SaveButton } from '../../../parts/frames/page-form.tsx';
import { Unsaved } from '../../../parts/frames/unsaved.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { showAssistant } from '../../../queries/assistants.ts';
import { teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import { useNumberOptions } from '../../../queries/numbers.ts';
import { ProviderFields, type ProviderForm, providerForm, providerRequest } from '../provider-fields.tsx';
import { HttpTools } from './http-tools.tsx';

const hours = ['always', 'outside_hours', 'inside_hours'] as const;
const budgets = [
  ['conversationTokenBudget', 100_000_000],
  ['dailyTokenBudget', 1_000_000_000],
] as const;

/** Where its model is, when and where it answers, what it may do, and when it stops. */
export default function SettingsTab({ assistant }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const numbers = useNumberOptions();
  const teams = useQuery(teamsQuery);
  const form = useForm<SettingsForm>({ values: settingsOf(assistant) });
  const save = useMutation({
    mutationFn: (fields: SettingsForm) =>
      gateway.assistants.update(
        assistant.assistantId,
        changesOf(fields, changedFields(fields, form.formState.defaultValues), assistant),
      ),
    onSuccess: showAssistant,
    // It may hold a key.
    gcTime: 0,
  });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <Stack gap="lg" maw={640}>
      <Unsaved isDirty={form.formState.isDirty && !save.isPending} />
      <form onSubmit={(event) => void submit(event)} noValidate>
        <FormProvider {...form}>
          <Stack gap="lg">
            <Card title={t('provider')}>
              <Stack gap="md">
                <ProviderFields
                  hasApiKey={assistant.provider.hasApiKey}
                  hasMeaning={assistant.knowledge.meaning !== null}
                />
                <ProviderTest assistantId={assistant.assistantId} isSaved={!form.formState.isDirty} />
              </Stack>
            </Card>
            <Card title={t('whenAndWhere')}>
              <Stack gap="md">
                <MultiSelect
                  label={common('numbers')}
                  placeholder={form.watch('numberIds').length === 0 ? common('allNumbers') : ''}
                  description={common('numbersHint')}
                  data={numbers}
                  {...choiceOf(form, 'numberIds')}
                />
                <Select
                  label={t('hours')}
                  description={t('hoursHint')}
                  data={hours.map((value) => ({ value, label: t(`hour.${value}`) }))}
                  {...choiceOf(form, 'hours')}
                />
                <NumberInput
                  label={t('debounce')}
                  description={t('debounceHint')}
                  min={0}
                  max={60}
                  {...choiceOf(form, 'debounceSeconds', (value) => Number(value) || 0)}
                />
              </Stack>
            </Card>
            <Card title={t('handOff')}>
              <Stack gap="md">
                <Textarea
                  label={t('handOffMessage')}
                  description={t('handOffMessageHint')}
                  placeholder={t('handOffExample')}
                  minRows={2}
                  maxLength={1000}
                  {...form.register('handOffMessage')}
                />
                <Select
                  label={common('team')}
                  description={t('handOffTeamHint')}
                  data={[
                    { value: '', label: t('noTeam') },
                    ...(teams.data ?? []).map(({ teamId, name }) => ({ value: teamId, label: name })),
                  ]}
                  {...choiceOf(form, 'handOffTeam')}
                />
                <TagsInput label={t('handOffLabels')} maxTags={20} {...choiceOf(form, 'handOffLabels')} />
              </Stack>
            </Card>
            <Card title={t('mayDo')}>
              <Stack gap="md">
                <Switch
                  label={t('lookUpContact')}
                  description={t('lookUpContactHint')}
                  {...form.register('lookUpContact')}
                  checked={form.watch('lookUpContact')}
                />
                <TagsInput
                  label={t('mayLabel')}
                  description={t('mayLabelHint')}
                  maxTags={50}
                  {...choiceOf(form, 'labels')}
                />
              </Stack>
            </Card>
            <Card title={t('budgets')}>
              <Stack gap="md">
                {budgets.map(([name, max]) => (
                  <NumberInput
                    key={name}
                    label={t(name)}
                    description={t(`${name}Hint`)}
                    min={1_000}
                    max={max}
                    step={1_000}
                    thousandSeparator=" "
                    {...choiceOf(form, name, (value) => Number(value) || 1_000)}
                  />
                ))}
              </Stack>
            </Card>
            <Problem error={save.error} />
            <Group gap={12}>
              <SaveButton isDirty={form.formState.isDirty} isBusy={save.isPending} isSaved={save.isSuccess} />
            </Group>
          </Stack>
        </FormProvider>
      </form>
      <Card title={t('httpTools')}>
        <HttpTools assistant={assistant} />
      </Card>
    </Stack>
  );
}

interface SettingsForm {
  provider: ProviderForm;
  /** None: all, those that come later included. */
  numberIds: string[];
  hours: Assistant['hours'];
  handOffLabels: string[];
  handOffMessage: string;
  /** Empty: nobody in particular. */
  handOffTeam: string;
  labels: string[];
  lookUpContact: boolean;
  debounceSeconds: number;
  conversationTokenBudget: number;
  dailyTokenBudget: number;
}

const settingsOf = (assistant: Assistant): SettingsForm => ({
  provider: providerForm(assistant.provider),
  numberIds: assistant.numberIds === 'all' ? [] : assistant.numberIds,
  hours: assistant.hours,
  handOffLabels: assistant.handOff.labels,
  handOffMessage: assistant.handOff.message ?? '',
  handOffTeam: assistant.handOff.teamId ?? '',
  labels: assistant.tools.labels,
  lookUpContact: assistant.tools.lookUpContact,
  debounceSeconds: assistant.debounceSeconds,
  conversationTokenBudget: assistant.conversationTokenBudget,
  dailyTokenBudget: assistant.dailyTokenBudget,
});

const message = (text: string) => (text.trim() === '' ? null : text.trim());

/** The changes; what the form does not show stays as it is. */
function changesOf(
  form: SettingsForm,
  changed: Partial<SettingsForm>,
  assistant: Assistant,
): UpdateAssistantRequest {
  const { provider, numberIds, labels, lookUpContact, ...rest } = changed;
  const { handOffLabels, handOffTeam, handOffMessage, ...plain } = rest;
  const handsOffElse = [handOffLabels, handOffTeam, handOffMessage].some((field) => field !== undefined);
  return {
    ...plain,
    ...(provider !== undefined && { provider: providerRequest(provider) }),
    ...(numberIds !== undefined && { numberIds: numberIds.length === 0 ? 'all' : numberIds }),
    ...(handsOffElse && {
      handOff: {
        labels: form.handOffLabels,
        teamId: form.handOffTeam === '' ? null : form.handOffTeam,
        message: message(form.handOffMessage),
      },
    }),
    ...((labels !== undefined || lookUpContact !== undefined) && {
      tools: { ...assistant.tools, labels: form.labels, lookUpContact: form.lookUpContact },
    }),
  };
}

/** Asks the model for one word, as it is saved. */
function ProviderTest({ assistantId, isSaved }: { assistantId: string; isSaved: boolean }) {
  const t = useTranslations('assistants');
  const format = useFormatter();
  const test = useMutation({ mutationFn: () => gateway.assistants.testProvider(assistantId) });
  const seconds = format.number((test.data?.durationMs ?? 0) / 1000, { maximumFractionDigits: 1 });
  return (
    <>
      <Group gap={8}>
        <Button variant="default" disabled={!isSaved} loading={test.isPending} onClick={() => test.mutate()}>
          {t('testProvider')}
        </Button>
        {!isSaved && <Hint span>{t('saveFirst')}</Hint>}
      </Group>
      <Problem error={test.error} />
      <div aria-live="polite">
        {test.data?.ok === true && <Note tone="green">{t('providerAnswers', { seconds })}</Note>}
        {test.data?.ok === false && (
          <Note tone="red" title={t('providerFails')}>
            {test.data.error}
          </Note>
        )}
      </div>
    </>
  );
}
