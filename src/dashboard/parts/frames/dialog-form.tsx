import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { needsStepUp, StepUp } from '../asking/step-up.tsx';
import { Problem } from '../feedback/problem.tsx';

/** How it goes with what a form does: a mutation is one. */
export interface FormStep {
  error: unknown;
  isPending: boolean;
}

interface DialogFormProps {
  step: FormStep;
  /** What the button says, where it is not "Save". */
  action?: string;
  canSubmit?: boolean;
  /** Its fields say themselves what is wrong, instead of the browser. */
  noValidate?: boolean;
  onSubmit: () => unknown;
  onCancel: () => void;
  /** What else can be done, at the other end of the buttons' row. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form in a dialog: its fields, why it came to nothing, and the way out. */
export function DialogForm(props: DialogFormProps) {
  const common = useTranslations('common');
  const { step, action = common('save'), canSubmit = true, noValidate = false, beside } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  // What was filled in is there still when the person has shown that it is them.
  const asksForStepUp = needsStepUp(step.error);
  return (
    <>
      {asksForStepUp && <StepUp onConfirmed={() => void props.onSubmit()} />}
      <form onSubmit={submit} noValidate={noValidate} hidden={asksForStepUp}>
        <Stack gap="md">
          {props.children}
          {!asksForStepUp && <Problem error={step.error} />}
          <Group justify="flex-end" gap="xs">
            {beside}
            <Button variant="default" onClick={props.onCancel}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={step.isPending} disabled={!canSubmit}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
