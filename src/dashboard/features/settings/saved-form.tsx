import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../parts/feedback/problem.tsx';

interface SavedFormProps {
  /** How it goes with saving. */
  save: { error: unknown; isPending: boolean };
  canSave?: boolean;
  onSave: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog: its fields, why it was not saved, and the way out. */
export function SavedForm({ save, canSave = true, onSave, onCancel, children }: SavedFormProps) {
  const common = useTranslations('common');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {children}
        <Problem error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!canSave}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
