import { MultiSelect, NumberInput, Select, Stack, Switch, TagsInput, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Controller, FormProvider, useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Assistant } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { SaveButton } from '../../../parts/asking/save-button.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Card } from '../../../parts/frames/card.tsx';
import { showAssistant } from '../../../queries/assistants.ts';
import { teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import classes from '../assistants.module.css';
import { ProviderFields } from '../provider-fields.tsx';
import { HttpTools } from './http-tools.tsx';
import { ProviderTest } from './provider-test.tsx';
import { changesOf, type SettingsForm, settingsOf } from './settings-form.ts';

const hours = ['always', 'outside_hours', 'inside_hours'] as const;
const budgets = [
  ['conversationTokenBudget', 100_000_000],
  ['dailyTokenBudget', 1_000_000_000],
] as const;

/** Where its model is, when and where it answers, what it may do, and when it stops. */
export default function SettingsTab({ assistant }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const numbers = useQuery(numbersQuery);
  const teams = useQuery(teamsQuery);
  const form = useForm<SettingsForm>({ values: settingsOf(assistant) });
  const { control } = form;
  const looksUp = useWatch({ control, name: 'lookUpContact' });
  const save = useMutation({
    mutationFn: (fields: SettingsForm) =>
      gateway.assistants.update(assistant.assistantId, changesOf(fields, assistant)),
    onSuccess: showAssistant,
    // It may hold a key.
    gcTime: 0,
  });
  const submit = form.handleSubmit((fields) => save.mutate(fields));
  return (
    <Stack gap="lg" className={classes.fields}>
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
                <Controller
                  control={control}
                  name="numberIds"
                  render={({ field }) => (
                    <MultiSelect
                      label={t('numbers')}
                      placeholder={field.value.length === 0 ? t('allNumbers') : ''}
                      description={t('numbersHint')}
                      data={(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label }))}
                      clearable={false}
                      {...field}
                    />
                  )}
                />
                <Controller
                  control={control}
                  name="hours"
                  render={({ field: { ref: _, ...field } }) => (
                    <Select
                      label={t('hours')}
                      description={t('hoursHint')}
                      allowDeselect={false}
                      data={hours.map((value) => ({ value, label: t(`hour.${value}`) }))}
                      {...field}
                    />
                  )}
                />
                <Controller
                  control={control}
                  name="debounceSeconds"
                  render={({ field: { ref: _, onChange, ...field } }) => (
                    <NumberInput
                      label={t('debounce')}
                      description={t('debounceHint')}
                      min={0}
                      max={60}
                      allowDecimal={false}
                      onChange={(value) => onChange(Number(value) || 0)}
                      {...field}
                    />
                  )}
                />
              </Stack>
            </Card>
            <Card title={t('handOff')}>
              <Stack gap="md">
                <Textarea
                  label={t('handOffMessage')}
                  description={t('handOffMessageHint')}
                  placeholder={t('handOffExample')}
                  autosize
                  minRows={2}
                  maxLength={1000}
                  {...form.register('handOffMessage')}
                />
                <Controller
                  control={control}
                  name="handOffTeam"
                  render={({ field: { ref: _, ...field } }) => (
                    <Select
                      label={t('handOffTeam')}
                      description={t('handOffTeamHint')}
                      allowDeselect={false}
                      data={[
                        { value: '', label: t('noTeam') },
                        ...(teams.data ?? []).map(({ teamId, name }) => ({ value: teamId, label: name })),
                      ]}
                      {...field}
                    />
                  )}
                />
                <Controller
                  control={control}
                  name="handOffLabels"
                  render={({ field: { ref: _, ...field } }) => (
                    <TagsInput label={t('handOffLabels')} maxTags={20} {...field} />
                  )}
                />
              </Stack>
            </Card>
            <Card title={t('mayDo')}>
              <Stack gap="md">
                <Switch
                  label={t('lookUpContact')}
                  description={t('lookUpContactHint')}
                  {...form.register('lookUpContact')}
                  checked={looksUp}
                />
                <Controller
                  control={control}
                  name="labels"
                  render={({ field: { ref: _, ...field } }) => (
                    <TagsInput
                      label={t('mayLabel')}
                      description={t('mayLabelHint')}
                      maxTags={50}
                      {...field}
                    />
                  )}
                />
              </Stack>
            </Card>
            <Card title={t('budgets')}>
              <Stack gap="md">
                {budgets.map(([name, max]) => (
                  <Controller
                    key={name}
                    control={control}
                    name={name}
                    render={({ field: { ref: _, onChange, ...field } }) => (
                      <NumberInput
                        label={t(name)}
                        description={t(`${name}Hint`)}
                        min={1_000}
                        max={max}
                        step={1_000}
                        allowDecimal={false}
                        thousandSeparator=" "
                        onChange={(value) => onChange(Number(value) || 1_000)}
                        {...field}
                      />
                    )}
                  />
                ))}
              </Stack>
            </Card>
            <Problem error={save.error} />
            <div className={classes.saving}>
              <SaveButton isDirty={form.formState.isDirty} isBusy={save.isPending} isSaved={save.isSuccess} />
            </div>
          </Stack>
        </FormProvider>
      </form>
      <Card title={t('httpTools')}>
        <HttpTools assistant={assistant} />
      </Card>
    </Stack>
  );
}
