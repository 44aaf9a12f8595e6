import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { SecretOnce } from '../../../parts/asking/secret-once.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { showChannel } from '../../../queries/alerts.ts';

interface RotateChannelSecretProps {
  channelId: string;
  onClose: () => void;
}

/** Says first what a new secret means; then shows it, this once. */
export default function RotateChannelSecret({ channelId, onClose }: RotateChannelSecretProps) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const rotate = useMutation({
    mutationFn: () => gateway.alertChannels.rotateSecret(channelId),
    onSuccess: ({ secret: _secret, ...shown }) => showChannel(shown),
    gcTime: 0,
  });
  const rotated = rotate.data;
  return (
    <Dialog title={t('rotateTitle')} onClose={onClose} isKept={rotated !== undefined}>
      <Stack gap="md">
        <p>{t('rotateLead')}</p>
        {rotated?.secret !== undefined && (
          <SecretOnce name={t('secretName')} secret={rotated.secret} warning={t('shownOnce')} />
        )}
        <Problem error={rotate.error} />
        <Group justify="flex-end" gap="xs">
          {rotated === undefined ? (
            <>
              <Button variant="default" onClick={onClose}>
                {common('cancel')}
              </Button>
              <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
                {t('rotateSubmit')}
              </Button>
            </>
          ) : (
            <Button onClick={onClose}>{t('done')}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
