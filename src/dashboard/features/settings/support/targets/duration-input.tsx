import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { splitOf, type Unit, units } from './durations.ts';

interface DurationInputProps {
  label: string;
  hint: string;
  /** Seconds; null: none. */
  value: number | null;
  onChange: (seconds: number | null) => void;
}

const unitNames = Object.keys(units) as Unit[];

/** A length of time in minutes, hours or days; empty for none. */
export function DurationInput({ label, hint, value, onChange }: DurationInputProps) {
  const t = useTranslations('support.policies');
  const [unit, setUnit] = useState<Unit>(() => (value === null ? 'hours' : splitOf(value).unit));
  const amount = value === null ? '' : value / units[unit];
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <NumberInput
        flex={1}
        label={label}
        description={hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={t('noTarget')}
        min={1}
        max={(90 * 86_400) / units[unit]}
        allowDecimal={false}
        hideControls
        value={amount}
        onChange={(entered) => onChange(entered === '' ? null : Number(entered) * units[unit])}
      />
      <NativeSelect
        mt={22}
        w={110}
        aria-label={t('unitOf', { label })}
        data={unitNames.map((name) => ({ value: name, label: t(`units.${name}`) }))}
        value={unit}
        onChange={({ currentTarget }) => {
          const next = unitNames.find((name) => name === currentTarget.value) ?? 'hours';
          setUnit(next);
          if (value !== null) onChange((value / units[unit]) * units[next]);
        }}
      />
    </Group>
  );
}
