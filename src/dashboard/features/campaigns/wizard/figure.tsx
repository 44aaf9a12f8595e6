import { NumberInput } from '@mantine/core';
import { Controller, useFormContext } from 'react-hook-form';
import type { WizardFields } from './wizard-fields.ts';

/** A whole number within bounds. */
export function Figure(props: {
  name: 'testPercent' | 'afterMinutes' | 'ratePerHour' | 'stopAfterFailures';
  label: string;
  description?: string;
  min: number;
  max: number;
}) {
  const { control } = useFormContext<WizardFields>();
  const { name, label, description, min, max } = props;
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <NumberInput
          label={label}
          description={description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={min}
          max={max}
          clampBehavior="blur"
          hideControls
          value={field.value}
          onChange={(value) => field.onChange(value === '' ? '' : Number(value))}
          onBlur={field.onBlur}
          ref={field.ref}
        />
      )}
    />
  );
}
