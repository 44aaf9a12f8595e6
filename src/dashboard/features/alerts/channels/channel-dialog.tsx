import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { SecretOnce } from '../../../parts/asking/secrets.tsx';
import { FieldsDialog } from '../../../parts/frames/dialog-form.tsx';
import { showChannel } from '../../../queries/alerts.ts';
import { ChannelFields } from './channel-fields.tsx';
import { createRequest, fieldsOf, newFields, updateRequest } from './channel-form.ts';
import { TestButton, TestResult, useTest } from './test-channel.tsx';

/** Adds a channel, or edits one. */
export default function ChannelDialog({ channel, onClose }: { channel?: AlertChannel; onClose: () => void }) {
  if (channel === undefined) return <AddChannel onClose={onClose} />;
  return <EditChannel channel={channel} onClose={onClose} />;
}

/** Where alerts go too; of a webhook, its secret, which is never shown again. */
function AddChannel({ onClose }: { onClose: () => void }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const open = (channelId: string) => {
    onClose();
    void navigate({ to: '/alerts/channels/$channelId', params: { channelId } });
  };
  return (
    <FieldsDialog
      title={t('add')}
      create={common('add')}
      first={newFields()}
      save={(fields) => gateway.alertChannels.create(createRequest(fields))}
      onSaved={({ secret, ...shown }) => {
        showChannel(shown);
        if (secret === undefined) open(shown.channelId);
      }}
      saved={({ secret, channelId }) =>
        secret === undefined
          ? null
          : {
              title: t('createdTitle'),
              content: <Created channelId={channelId} secret={secret} onDone={() => open(channelId)} />,
            }
      }
      onClose={onClose}
    >
      <ChannelFields />
    </FieldsDialog>
  );
}

function Created(props: { channelId: string; secret: string; onDone: () => void }) {
  const common = useTranslations('common');
  const test = useTest(props.channelId);
  return (
    <Stack gap="md">
      <SecretOnce name={common('secretName')} secret={props.secret} warning={common('secretOnce')} />
      <Group>
        <TestButton test={test} />
      </Group>
      <TestResult test={test} />
      <Group justify="flex-end">
        <Button onClick={props.onDone}>{common('done')}</Button>
      </Group>
    </Stack>
  );
}

function EditChannel({ channel, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const t = useTranslations('alerts.channels');
  return (
    <FieldsDialog
      title={t('editTitle')}
      first={fieldsOf(channel)}
      save={(fields, first) =>
        gateway.alertChannels.update(channel.channelId, updateRequest(fields, first, channel))
      }
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
