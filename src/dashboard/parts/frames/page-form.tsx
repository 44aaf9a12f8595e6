import { Button, Flex, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../feedback.tsx';
import { Icon } from '../icon.tsx';
import type { FormStep } from './dialog-form.tsx';
import { Unsaved } from './unsaved.tsx';

interface PageFormProps {
  /** The mutation that keeps its fields. */
  save: FormStep & { isSuccess: boolean };
  isDirty: boolean;
  /** Its fields say themselves what is wrong, instead of the browser. */
  noValidate?: boolean;
  onSubmit: () => unknown;
  /** Takes back what was not saved. */
  onReset?: () => void;
  children: ReactNode;
}

/** A form that stays on its page: it can be saved once something was changed, and says when it is. */
export function PageForm(props: PageFormProps) {
  const common = useTranslations('common');
  const { save, isDirty, noValidate = false, onReset } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate={noValidate}>
      <Unsaved isDirty={isDirty && !save.isPending} />
      <Stack gap="md">
        {props.children}
        <Problem error={save.error} />
        <Group gap="xs">
          <SaveButton isDirty={isDirty} isBusy={save.isPending} isSaved={save.isSuccess} />
          {isDirty && onReset !== undefined && (
            <Button variant="subtle" onClick={onReset}>
              {common('cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** "Save", and once it is saved that it is. */
export function SaveButton(props: { isDirty: boolean; isBusy: boolean; isSaved: boolean }) {
  const t = useTranslations('common');
  return (
    <>
      <Button type="submit" disabled={!props.isDirty} loading={props.isBusy}>
        {t('save')}
      </Button>
      <Flex component="span" role="status" gap={4} align="center" display="inline-flex" c="var(--green)">
        {props.isSaved && !props.isDirty && (
          <>
            <Icon name="check" size={16} />
            {t('saved')}
          </>
        )}
      </Flex>
    </>
  );
}
