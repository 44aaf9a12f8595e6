import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { needsStepUp, StepUp } from '../asking/step-up.tsx';
import { Problem } from '../feedback.tsx';
import { Dialog, DialogChanges } from './dialog.tsx';

/** How it goes with what a form does: a mutation is one. */
export interface FormStep {
  error: unknown;
  isPending: boolean;
}

const done: FormStep = { error: null, isPending: false };

interface DialogFormProps {
  /** How saving goes, where that takes time. */
  step?: FormStep;
  /** What the button says, where it is not "Save". */
  action?: string;
  /** What cannot be taken back: the button is red. */
  isGrave?: boolean;
  canSubmit?: boolean;
  /** Its fields hold what would be lost. */
  isDirty?: boolean;
  /** Its fields say themselves what is wrong, instead of the browser. */
  noValidate?: boolean;
  onSubmit: () => unknown;
  /** What the way out is called, where it is not "Cancel". */
  leave?: string;
  onClose: () => void;
  /** What else can be done, at the other end of the buttons' row. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form in a dialog: its fields, why it came to nothing, and the way out. */
export function DialogForm(props: DialogFormProps) {
  const common = useTranslations('common');
  const { step = done, action = common('save'), leave = common('cancel'), canSubmit = true } = props;
  const { isGrave = false, isDirty = false, noValidate = false, beside } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  // What was filled in is there still when the person has shown that it is them.
  const asksForStepUp = needsStepUp(step.error);
  return (
    <>
      <DialogChanges isDirty={isDirty && !step.isPending} />
      {asksForStepUp && <StepUp onConfirmed={() => void props.onSubmit()} />}
      <form onSubmit={submit} noValidate={noValidate} hidden={asksForStepUp}>
        <Stack gap="md">
          {props.children}
          {!asksForStepUp && <Problem error={step.error} />}
          <Group justify="flex-end" gap="xs">
            {beside}
            <Button variant="default" onClick={props.onClose}>
              {leave}
            </Button>
            <Button
              type="submit"
              {...(isGrave && { color: 'danger' })}
              loading={step.isPending}
              disabled={!canSubmit}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

interface FormDialogProps extends DialogFormProps {
  title: string;
  isLarge?: boolean;
}

/** A dialog that is a form and nothing else. */
export function FormDialog({ title, isLarge = false, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} isLarge={isLarge} onClose={form.onClose}>
      <DialogForm {...form} />
    </Dialog>
  );
}

interface SaveDialogProps extends Omit<FormDialogProps, 'step' | 'onSubmit'> {
  /** What its button does, until all that follows from it is shown. */
  save: () => Promise<unknown>;
  /** What comes then; by default it closes. */
  onSaved?: () => void;
}

/** A dialog that is a form, and does itself what it is for. */
export function SaveDialog({ save, onSaved, ...dialog }: SaveDialogProps) {
  const step = useMutation({ mutationFn: save, onSuccess: onSaved ?? dialog.onClose });
  return <FormDialog step={step} onSubmit={() => step.mutate()} {...dialog} />;
}

interface FieldsDialogProps<Fields extends FieldValues, Stored> {
  title: string;
  /** What the fields hold at first. */
  first: Fields;
  /** For a few fields. */
  isSmall?: boolean;
  /** What the button says of one that is new. Without it one that is there is changed: "Save", once something is. */
  create?: string;
  /** `first`: as its fields were when it was opened. */
  save: (fields: Fields, first: Fields) => Promise<Stored>;
  onSaved?: (stored: Stored) => void;
  /** What stands here once it is saved, until a button in it closes the dialog: a secret that is shown this once. */
  saved?: (stored: Stored) => { title: string; content: ReactNode } | null;
  onClose: () => void;
  /** The fields, which are given their form, or find it by `useFormContext`. */
  children: FormFields<Fields>;
}

type FormFields<Fields extends FieldValues> = ReactNode | ((form: UseFormReturn<Fields>) => ReactNode);

/** Makes or changes one of the things that an account has. */
export function FieldsDialog<Fields extends FieldValues, Stored>(props: FieldsDialogProps<Fields, Stored>) {
  const { title, isSmall = false, save, onSaved, saved, onClose } = props;
  // Whatever secret it answers is kept nowhere once the dialog is closed.
  const [first] = useState(props.first);
  const mutationFn = (fields: Fields) => save(fields, first);
  const step = useMutation({ mutationFn, onSuccess: onSaved, gcTime: 0 });
  const shown = step.data === undefined ? null : (saved?.(step.data) ?? null);
  return (
    <Dialog isLarge={!isSmall} isKept={shown !== null} title={shown?.title ?? title} onClose={onClose}>
      {shown?.content ?? <FieldsForm {...props} first={first} step={step} onSubmit={step.mutate} />}
    </Dialog>
  );
}

interface FieldsFormProps<Fields extends FieldValues> {
  first: Fields;
  create?: string;
  step: FormStep;
  onSubmit: (fields: Fields) => void;
  onClose: () => void;
  children: FormFields<Fields>;
}

function FieldsForm<Fields extends FieldValues>(props: FieldsFormProps<Fields>) {
  const { first, create, step, onSubmit, onClose, children } = props;
  const form = useForm<Fields>({ defaultValues: first as DefaultValues<Fields> });
  const { isDirty } = form.formState;
  const submit = form.handleSubmit((fields) => onSubmit(fields as Fields));
  return (
    <DialogForm
      step={step}
      {...(create !== undefined && { action: create })}
      canSubmit={create !== undefined || isDirty}
      isDirty={isDirty}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <FormProvider {...form}>{typeof children === 'function' ? children(form) : children}</FormProvider>
    </DialogForm>
  );
}
