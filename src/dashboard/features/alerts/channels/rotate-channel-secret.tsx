import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { RotateSecret } from '../../../parts/asking/rotate-secret.tsx';
import { showChannel } from '../../../queries/alerts.ts';

interface RotateChannelSecretProps {
  channelId: string;
  onClose: () => void;
}

export default function RotateChannelSecret({ channelId, onClose }: RotateChannelSecretProps) {
  const t = useTranslations('alerts.channels');
  const words = {
    title: t('rotateTitle'),
    lead: t('rotateLead'),
    name: t('secretName'),
    warning: t('shownOnce'),
    submit: t('rotateSubmit'),
    done: t('done'),
  };
  const rotate = async () => {
    const { secret, ...shown } = await gateway.alertChannels.rotateSecret(channelId);
    showChannel(shown);
    return secret;
  };
  return <RotateSecret words={words} rotate={rotate} onClose={onClose} />;
}
