import { Checkbox, MultiSelect, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { type Control, Controller, type FieldValues, type Path, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { useNumberOptions } from '../../queries/numbers.ts';

interface AllOrSomeProps<Fields extends FieldValues> {
  control: Control<Fields>;
  /** The field that says whether all are meant, those that come later included. */
  all: Path<Fields>;
  /** The field that has the ones that are meant where it is not all. */
  some: Path<Fields>;
  label: string;
  allLabel: string;
  someLabel: string;
  /** What is said where none is chosen. */
  noneProblem: string;
  choices: readonly { value: string; label: ReactNode }[];
}

/** All of a kind, or some that are ticked: part of a form. */
export function AllOrSome<Fields extends FieldValues>(props: AllOrSomeProps<Fields>) {
  const { control, all, some, label, allLabel, someLabel, noneProblem, choices } = props;
  const isAll = useWatch({ control, name: all });
  return (
    <Stack gap={6}>
      <Controller
        control={control}
        name={all}
        render={({ field }) => (
          <SegmentedControl
            aria-label={label}
            data={[
              { value: 'all', label: allLabel },
              { value: 'some', label: someLabel },
            ]}
            value={field.value ? 'all' : 'some'}
            onChange={(value) => field.onChange(value === 'all')}
          />
        )}
      />
      {!isAll && (
        <Controller
          control={control}
          name={some}
          rules={{ validate: (chosen: string[], fields) => fields[all] || chosen.length > 0 || noneProblem }}
          render={({ field, fieldState }) => (
            <Checkbox.Group aria-label={label} error={fieldState.error?.message} {...field}>
              <SimpleGrid minColWidth={190} spacing="md" verticalSpacing={8} mt={8}>
                {choices.map(({ value, label }) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </SimpleGrid>
            </Checkbox.Group>
          )}
        />
      )}
    </Stack>
  );
}

interface NumberChoiceProps {
  description: string;
  /** What it says while none is chosen, where that is not "All numbers". */
  whenNone?: string;
  /** Ids of the numbers. */
  value: readonly string[];
  onChange: (numberIds: string[]) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/** Some of the account's numbers. */
export function NumberChoice({ whenNone, value, ...props }: NumberChoiceProps) {
  const common = useTranslations('common');
  const numbers = useNumberOptions();
  return (
    <MultiSelect
      label={common('numbers')}
      placeholder={value.length === 0 ? (whenNone ?? common('allNumbers')) : ''}
      data={numbers}
      value={[...value]}
      {...props}
    />
  );
}
