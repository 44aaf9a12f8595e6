import { ColorSwatch, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import {
  cannedRepliesQuery,
  inboxSettingsChanged,
  labelsQuery,
  teamsQuery,
} from '../../../queries/conversations/conversation-details.ts';
import { Definitions } from '../definitions.tsx';

const LabelDialog = lazy(() => import('./label-dialog.tsx'));
const ReplyDialog = lazy(() => import('./reply-dialog.tsx'));

/** What people have at hand in the inbox. */
export default function InboxSettingsPage() {
  return (
    <Stack gap="xl" maw={860}>
      <Labels />
      <Replies />
    </Stack>
  );
}

function Labels() {
  const t = useTranslations('teams.labels');
  const common = useTranslations('common');
  const labels = useQuery(labelsQuery);
  return (
    <Definitions
      of="teams.labels"
      icon="flag"
      found={labels}
      idOf={({ labelId }) => labelId}
      nameOf={({ name }) => name}
      remove={(labelId) => gateway.labels.delete(labelId).then(inboxSettingsChanged)}
      columns={[
        {
          head: common('name'),
          isLongWord: true,
          cell: ({ name, color }) => (
            <Group component="span" display="inline-flex" gap={8} wrap="nowrap">
              <ColorSwatch component="span" color={color} size={10} withShadow={false} />
              <span dir="auto">{name}</span>
            </Group>
          ),
        },
        {
          head: t('description'),
          isWide: true,
          cell: ({ description }) => <span dir="auto">{description}</span>,
        },
      ]}
      dialog={(label, onClose) => <LabelDialog label={label} onClose={onClose} />}
    />
  );
}

function Replies() {
  const t = useTranslations('teams.replies');
  const common = useTranslations('common');
  const replies = useQuery(cannedRepliesQuery);
  const { data: teams = [] } = useQuery(teamsQuery);
  return (
    <Definitions
      of="teams.replies"
      icon="reply"
      found={replies}
      idOf={({ cannedReplyId }) => cannedReplyId}
      nameOf={({ shortcut }) => `/${shortcut}`}
      remove={(id) => gateway.cannedReplies.delete(id).then(inboxSettingsChanged)}
      columns={[
        { head: t('shortcut'), cell: ({ shortcut }) => <code>{`/${shortcut}`}</code> },
        {
          head: common('text'),
          cell: ({ text }) => (
            <Text span lineClamp={2} dir="auto" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
          ),
        },
        {
          head: t('team'),
          isWide: true,
          cell: ({ teamId }) => teams.find((team) => team.teamId === teamId)?.name ?? t('everybody'),
        },
      ]}
      dialog={(reply, onClose) => <ReplyDialog reply={reply} onClose={onClose} />}
    />
  );
}
