import { NativeSelect, type NativeSelectProps, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Icon } from '../icon.tsx';

interface FilterProps<Value extends string>
  extends Omit<NativeSelectProps, 'data' | 'defaultValue' | 'value' | 'onChange'> {
  /** What it says while nothing is chosen. */
  any: string;
  choices: readonly (Value | { value: Value; label: string })[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** One of some, or any of them. */
export function Filter<Value extends string>(props: FilterProps<Value>) {
  const { any, choices, value, onChange, ...select } = props;
  return (
    <NativeSelect
      data={[{ value: '', label: any }, ...choices]}
      value={value ?? ''}
      onChange={(event) => onChange((event.currentTarget.value as Value) || undefined)}
      {...select}
    />
  );
}

const typedForMs = 300;

interface TypedFilterProps {
  label: string;
  value: string | undefined;
  isSearch?: boolean;
  onChange: (value: string | undefined) => void;
}

/** Tells what was typed once nothing more is typed for a moment. */
export function TypedFilter({ label, value = '', isSearch = false, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, typedForMs);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type={isSearch ? 'search' : 'text'}
      aria-label={label}
      placeholder={label}
      leftSection={isSearch && <Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value || undefined);
      }}
    />
  );
}
