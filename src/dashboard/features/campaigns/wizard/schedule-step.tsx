import {
  Autocomplete,
  Checkbox,
  Group,
  Radio,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { weekdays } from '../../../../contract/times.ts';
import { timeZones } from '../../../parts/fields/allowed-values.ts';
import { NumberChoice } from '../../../parts/fields/choices.tsx';
import { choiceOf, fieldOf } from '../../../parts/fields/fields.ts';
import { Figure } from './figure.tsx';
import classes from './wizard.module.css';
import type { WizardFields } from './wizard-fields.ts';

/** Which numbers send it, when, and how fast. */
export default function ScheduleStep() {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const form = useFormContext<WizardFields>();
  const [isLater, hasHours] = form.watch(['isLater', 'hasHours']);
  return (
    <Stack gap="md" maw={560}>
      <NumberChoice
        description={t('numbersHint')}
        whenNone={common('pool')}
        {...choiceOf(form, 'numberIds')}
      />
      <SegmentedControl
        aria-label={t('start')}
        data={[
          { value: 'now', label: t('startNow') },
          { value: 'later', label: t('startLater') },
        ]}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => form.setValue('isLater', value === 'later')}
      />
      {isLater && (
        <TextInput
          type="datetime-local"
          label={t('startAt')}
          {...fieldOf(form, 'startAt', {
            validate: (at, fields) => !fields.isLater || Date.parse(at) > Date.now() || t('startAtNeeded'),
          })}
        />
      )}
      <Switch label={t('hours')} {...form.register('hasHours')} checked={hasHours} />
      {hasHours && <Hours />}
      <Group grow align="flex-start">
        <Figure name="ratePerHour" label={t('rate')} description={t('rateHint')} min={1} max={100_000} />
        <Figure name="stopAfterFailures" label={t('failures')} min={1} max={1_000_000} />
      </Group>
      <Radio.Group label={t('quota')} {...choiceOf(form, 'whenQuotaEnds')}>
        <Group gap="lg" mt={6}>
          <Radio value="wait" label={t('quotaWait')} />
          <Radio value="end" label={t('quotaEnd')} />
        </Group>
      </Radio.Group>
    </Stack>
  );
}

function Hours() {
  const t = useTranslations('campaigns.wizard');
  const common = useTranslations('common');
  const form = useFormContext<WizardFields>();
  const { errors } = form.formState;
  return (
    <Stack gap="md" className={classes.inset}>
      <Controller
        control={form.control}
        name="days"
        rules={{ validate: (days, { hasHours }) => !hasHours || days.length > 0 || t('daysNeeded') }}
        render={({ field }) => (
          <Stack gap={4} role="group" aria-label={t('days')}>
            <Checkbox.Group value={field.value} onChange={field.onChange}>
              <Group gap="md">
                {weekdays.map((day) => (
                  <Checkbox key={day} value={day} label={t(`dayNames.${day}`)} />
                ))}
              </Group>
            </Checkbox.Group>
            {errors.days !== undefined && (
              <Text span c="var(--red)" fz="xs" role="alert">
                {errors.days.message}
              </Text>
            )}
          </Stack>
        )}
      />
      <Group grow align="flex-start">
        <TextInput type="time" label={t('from')} {...form.register('from')} />
        <TextInput
          type="time"
          label={t('to')}
          {...fieldOf(form, 'to', {
            validate: (to, { hasHours, from }) => !hasHours || to !== from || t('hoursDiffer'),
          })}
        />
      </Group>
      <SegmentedControl
        aria-label={t('whose')}
        data={[
          { value: 'recipient', label: t('recipientZone') },
          { value: 'one', label: t('ownZone') },
        ]}
        value={form.watch('isRecipientZone') ? 'recipient' : 'one'}
        onChange={(value) => form.setValue('isRecipientZone', value === 'recipient')}
      />
      <Autocomplete
        label={common('timeZone')}
        description={t('zoneHint')}
        data={timeZones}
        limit={40}
        {...choiceOf(form, 'timeZone')}
      />
    </Stack>
  );
}
