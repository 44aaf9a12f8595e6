import { Button, Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SecretOnce } from '../../../parts/asking/secrets.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';

/** The secret that signs the callbacks of an automation: shown once. */
export default function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  return (
    <Dialog isLarge isKept title={t('secretTitle')} onClose={onClose}>
      <Stack gap="md">
        <SecretOnce name={common('secretName')} secret={secret} warning={common('secretOnce')} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{common('done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
