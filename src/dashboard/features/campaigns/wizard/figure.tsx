import { NumberInput } from '@mantine/core';
import { useFormContext } from 'react-hook-form';
import { choiceOf } from '../../../parts/fields/fields.ts';
import type { WizardFields } from './wizard-fields.ts';

/** A whole number within bounds. */
export function Figure(props: {
  name: 'testPercent' | 'afterMinutes' | 'ratePerHour' | 'stopAfterFailures';
  label: string;
  description?: string;
  min: number;
  max: number;
}) {
  const { name, ...figure } = props;
  const form = useFormContext<WizardFields>();
  return (
    <NumberInput
      clampBehavior="blur"
      hideControls
      {...figure}
      {...choiceOf(form, name, (value) => (value === '' ? '' : Number(value)))}
    />
  );
}
