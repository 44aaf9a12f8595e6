import { useTranslations } from 'use-intl';
import type { Webhook } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showWebhook } from '../../../queries/developers/webhooks.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { fieldsOf, updateRequest } from './webhook-form.ts';

export default function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTranslations('webhooks');
  return (
    <FieldsDialog
      title={t('editTitle')}
      first={fieldsOf(webhook)}
      save={(fields) => gateway.webhooks.update(webhook.id, updateRequest(fields, webhook))}
      onSaved={(stored) => {
        showWebhook(stored);
        onClose();
      }}
      onClose={onClose}
    >
      <WebhookFields />
    </FieldsDialog>
  );
}
