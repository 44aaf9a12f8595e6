import { Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogFrame } from './dialog-frame.tsx';

interface UnsavedDialogProps {
  onKeep: () => void;
  onDiscard: () => void;
}

export default function UnsavedDialog({ onKeep, onDiscard }: UnsavedDialogProps) {
  const t = useTranslations('common');
  return (
    <DialogFrame title={t('unsavedTitle')} onClose={onKeep}>
      <Stack gap="md">
        <p>{t('unsavedLead')}</p>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onKeep}>
            {t('keepEditing')}
          </Button>
          <Button color="danger" onClick={onDiscard}>
            {t('discard')}
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}
