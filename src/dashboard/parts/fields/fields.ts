import {
  type FieldError,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form';

/** What a field of words takes as a part of a form, with what is wrong with it. */
export const fieldOf = <Fields extends FieldValues, Name extends FieldPath<Fields>>(
  { register, formState }: Pick<UseFormReturn<Fields>, 'register' | 'formState'>,
  name: Name,
  rules?: RegisterOptions<Fields, Name>,
) => ({
  ...register(name, rules),
  error: (get(formState.errors, name) as FieldError | undefined)?.message,
});

/** The same of a field that tells what was chosen, and not that something was typed: Select, Radio.Group, TagsInput. */
export const choiceOf = <Fields extends FieldValues, Name extends FieldPath<Fields>>(
  { watch, setValue }: Pick<UseFormReturn<Fields>, 'watch' | 'setValue'>,
  name: Name,
  /** What is kept of what was chosen, where that is not the same. */
  keep: (chosen: unknown) => unknown = (chosen) => chosen,
) => ({
  value: watch(name),
  onChange: (chosen: unknown) => setValue(name, keep(chosen) as never, { shouldDirty: true }),
});
