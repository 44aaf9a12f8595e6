import { Autocomplete, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { alertKinds, kindName } from '../../../parts/alerts/about.ts';
import { AllOrSome } from '../../../parts/fields/all-or-some.tsx';
import { NumberChoice } from '../../../parts/fields/number-choice.tsx';
import { timeZones } from '../../../parts/fields/time-zones.ts';
import { digests, type Fields, kinds } from './channel-form.ts';
import classes from './channels.module.css';
import { TargetFields } from './target-fields.tsx';

/** What a new channel and one that is there can be given: part of either form. Its kind stays. */
export function ChannelFields({ isStored = false }: { isStored?: boolean }) {
  const t = useTranslations('alerts.channels');
  const names = useTranslations('alerts.kinds');
  const { control, register } = useFormContext<Fields>();
  const kind = useWatch({ control, name: 'kind' });
  return (
    <Stack gap="md">
      {!isStored && (
        <NativeSelect
          data-autofocus
          label={t('kind')}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          {...register('kind')}
        />
      )}
      <p className={classes.hint}>{t(`hints.${kind}`)}</p>
      <TargetFields isStored={isStored} />
      <AllOrSome
        control={control}
        all="isEveryKind"
        some="kinds"
        label={t('what')}
        allLabel={t('allKinds')}
        someLabel={t('someKinds')}
        noneProblem={t('kindsNeeded')}
        choices={alertKinds.map((value) => ({ value, label: names(kindName(value)) }))}
      />
      <Controller
        control={control}
        name="numberIds"
        render={({ field }) => (
          <NumberChoice
            label={t('numbers')}
            description={t('numbersHint')}
            whenNone={t('allNumbers')}
            {...field}
          />
        )}
      />
      <DigestFields />
      <TextInput
        label={t('name')}
        placeholder={t('nameExample')}
        autoComplete="off"
        maxLength={100}
        {...register('name')}
      />
    </Stack>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function DigestFields() {
  const t = useTranslations('alerts.channels');
  const { control, register } = useFormContext<Fields>();
  const digest = useWatch({ control, name: 'digest' });
  return (
    <Stack gap="md">
      <NativeSelect
        label={t('digest')}
        data={digests.map((value) => ({ value, label: t(`digests.${value}`) }))}
        {...register('digest')}
      />
      {digest !== 'never' && (
        <Group grow align="flex-start">
          <NativeSelect label={t('hour')} data={hours} {...register('hour')} />
          <Controller
            control={control}
            name="timeZone"
            rules={{ validate: (zone) => timeZones.includes(zone) || zone === 'UTC' || t('zoneNeeded') }}
            render={({ field, fieldState }) => (
              <Autocomplete
                label={t('zone')}
                data={timeZones}
                limit={40}
                error={fieldState.error?.message}
                {...field}
              />
            )}
          />
        </Group>
      )}
    </Stack>
  );
}
