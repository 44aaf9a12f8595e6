import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { numbersQuery } from '../../queries/numbers/numbers.ts';

export interface NumberChoiceProps {
  label: string;
  description: string;
  /** What it says while none is chosen. */
  whenNone: string;
  /** Ids of the numbers. */
  value: readonly string[];
  onChange: (numberIds: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/** Some of the account's numbers. */
export function NumberChoice({ whenNone, value, ...props }: NumberChoiceProps) {
  const { data: numbers = [] } = useQuery(numbersQuery);
  return (
    <MultiSelect
      placeholder={value.length === 0 ? whenNone : ''}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={numbers.map(({ numberId, label }) => ({ value: numberId, label }))}
      clearable={false}
      value={[...value]}
      {...props}
    />
  );
}
