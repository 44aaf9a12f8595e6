import { Button, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Problem } from '../../../parts/feedback/problem.tsx';

/** The end of a form in a dialog: why it was not saved, and the way out. */
export function SaveRow({
  error,
  isBusy,
  onCancel,
}: {
  error: unknown;
  isBusy: boolean;
  onCancel: () => void;
}) {
  const common = useTranslations('common');
  return (
    <>
      <Problem error={error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {common('save')}
        </Button>
      </Group>
    </>
  );
}
