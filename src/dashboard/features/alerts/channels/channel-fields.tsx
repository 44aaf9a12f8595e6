import {
  Autocomplete,
  Checkbox,
  Group,
  MultiSelect,
  NativeSelect,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import { alertKinds, kindName } from '../about.ts';
import { digests, type Fields, kinds } from './channel-form.ts';
import classes from './channels.module.css';
import { TargetFields } from './target-fields.tsx';

/** What a new channel and one that is there can be given: part of either form. Its kind stays. */
export function ChannelFields({ isStored = false }: { isStored?: boolean }) {
  const t = useTranslations('alerts.channels');
  const { control, register } = useFormContext<Fields>();
  const kind = useWatch({ control, name: 'kind' });
  const numbers = useQuery(numbersQuery);
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
      <KindsField />
      <Controller
        control={control}
        name="numberIds"
        render={({ field }) => (
          <MultiSelect
            label={t('numbers')}
            placeholder={field.value.length === 0 ? t('allNumbers') : ''}
            description={t('numbersHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label }))}
            clearable={false}
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

function KindsField() {
  const t = useTranslations('alerts.channels');
  const names = useTranslations('alerts.kinds');
  const { control } = useFormContext<Fields>();
  const isEveryKind = useWatch({ control, name: 'isEveryKind' });
  return (
    <Stack gap={6}>
      <Controller
        control={control}
        name="isEveryKind"
        render={({ field }) => (
          <SegmentedControl
            aria-label={t('what')}
            data={[
              { value: 'all', label: t('allKinds') },
              { value: 'some', label: t('someKinds') },
            ]}
            value={field.value ? 'all' : 'some'}
            onChange={(value) => field.onChange(value === 'all')}
          />
        )}
      />
      {!isEveryKind && (
        <Controller
          control={control}
          name="kinds"
          rules={{
            validate: (chosen, { isEveryKind }) => isEveryKind || chosen.length > 0 || t('kindsNeeded'),
          }}
          render={({ field, fieldState }) => (
            <Checkbox.Group aria-label={t('what')} error={fieldState.error?.message} {...field}>
              <div className={classes.kinds}>
                {alertKinds.map((name) => (
                  <Checkbox key={name} value={name} label={names(kindName(name))} />
                ))}
              </div>
            </Checkbox.Group>
          )}
        />
      )}
    </Stack>
  );
}

const zones = Intl.supportedValuesOf('timeZone');
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
            rules={{ validate: (zone) => zones.includes(zone) || zone === 'UTC' || t('zoneNeeded') }}
            render={({ field, fieldState }) => (
              <Autocomplete
                label={t('zone')}
                data={zones}
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
