import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showChannel } from '../../../queries/alerts.ts';
import { ChannelFields } from './channel-fields.tsx';
import { fieldsOf, updateRequest } from './channel-form.ts';

export default function EditChannel({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const t = useTranslations('alerts.channels');
  return (
    <FieldsDialog
      title={t('editTitle')}
      first={fieldsOf(channel)}
      save={(fields) => gateway.alertChannels.update(channel.channelId, updateRequest(fields, channel))}
      onSaved={(stored) => {
        showChannel(stored);
        onClose();
      }}
      onClose={onClose}
    >
      <ChannelFields isStored />
    </FieldsDialog>
  );
}
