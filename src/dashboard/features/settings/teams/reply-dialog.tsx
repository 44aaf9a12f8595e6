import { Box, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { CannedReply } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { session } from '../../../gateway/session.ts';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { withWord } from '../../../parts/fields/insert.ts';
import { SaveDialog } from '../../../parts/frames/dialog-form.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { filledIn } from '../../../parts/values/canned-variables.ts';
import { inboxSettingsChanged, teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import { useDialogDraft } from '../draft.ts';

const variables = {
  contactName: '{{contact.name}}',
  contactPhone: '{{contact.phoneNumber}}',
  agentName: '{{agent.name}}',
} as const;
const variableNames = Object.keys(variables) as (keyof typeof variables)[];
const textMost = 4_096;
const preview = { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
const examplePhone = '628123456789';

/** A new canned reply, or one that is there. */
export default function ReplyDialog({ reply, onClose }: { reply: CannedReply | null; onClose: () => void }) {
  const t = useTranslations('teams.replies');
  const common = useTranslations('common');
  const { data: teams = [] } = useQuery(teamsQuery);
  const { first, draft, change, isDirty } = useDialogDraft({
    shortcut: reply?.shortcut ?? '',
    text: reply?.text ?? '',
    teamId: reply?.teamId ?? null,
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const save = async () => {
    if (reply === null) await gateway.cannedReplies.create(draft);
    else await gateway.cannedReplies.update(reply.cannedReplyId, changedFields(draft, first));
    await inboxSettingsChanged();
  };
  const shown = filledIn(draft.text, {
    contact: { name: t('previewName'), pushName: null, phoneNumber: examplePhone, attributes: {} },
    agent: session.current.value?.user.name ?? '',
  });
  return (
    <SaveDialog
      title={reply === null ? t('add') : t('edit')}
      isLarge
      save={save}
      isDirty={isDirty}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('shortcut')}
        description={t('shortcutHint')}
        placeholder={t('shortcutExample')}
        leftSection="/"
        maxLength={40}
        {...inputOf(draft.shortcut, (value) => change({ shortcut: value.replace(/^\//, '') }))}
      />
      <Textarea
        ref={field}
        required
        label={common('text')}
        placeholder={t('textExample')}
        minRows={3}
        maxRows={10}
        maxLength={textMost}
        {...inputOf(draft.text, (text) => change({ text }))}
      />
      <Group gap={6} role="group" aria-label={common('insert')}>
        <Hint span>{common('insert')}</Hint>
        {variableNames.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            onClick={() => change({ text: withWord(field.current, draft.text, variables[name]) })}
          >
            {t(`variable.${name}`)}
          </Button>
        ))}
      </Group>
      {draft.text.trim() !== '' && (
        <Stack component="figure" gap={6} m={0}>
          <Hint component="figcaption">{common('preview')}</Hint>
          <Box p="10px 12px" bg="var(--sunken)" bdrs="lg" dir="auto" style={preview}>
            {shown}
          </Box>
        </Stack>
      )}
      {teams.length > 0 && (
        <NativeSelect
          label={t('team')}
          {...inputOf(draft.teamId ?? '', (value) => change({ teamId: value === '' ? null : value }))}
          data={[
            { value: '', label: t('everybody') },
            ...teams.map(({ teamId, name }) => ({ value: teamId, label: name })),
          ]}
        />
      )}
    </SaveDialog>
  );
}
