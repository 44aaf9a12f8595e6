import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { RotateSecret } from '../../parts/asking/rotate-secret.tsx';
import { showWebhook } from '../../queries/webhooks.ts';

interface RotateWebhookSecretProps {
  webhookId: string;
  onClose: () => void;
}

export default function RotateWebhookSecret({ webhookId, onClose }: RotateWebhookSecretProps) {
  const t = useTranslations('webhooks');
  const words = {
    title: t('rotateTitle'),
    lead: t('rotateLead'),
    name: t('secretName'),
    warning: t('shownOnce'),
    submit: t('rotateSubmit'),
    done: t('done'),
  };
  const rotate = async () => {
    const { secret, ...shown } = await gateway.webhooks.rotateSecret(webhookId);
    showWebhook(shown);
    return secret;
  };
  return <RotateSecret words={words} rotate={rotate} onClose={onClose} />;
}
