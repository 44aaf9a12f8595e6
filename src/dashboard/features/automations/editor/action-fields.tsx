import { NativeSelect, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { membersQuery } from '../../../queries/account/people.ts';
import { assistantsQuery } from '../../../queries/assistants.ts';
import { teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import classes from '../automations.module.css';
import type { DraftAction } from './draft.ts';
import { ReplyFields } from './reply-fields.tsx';

interface ActionFieldsProps {
  action: DraftAction;
  onChange: (changes: Partial<DraftAction>) => void;
}

/** What there is to say about an action. */
export function ActionFields({ action, onChange }: ActionFieldsProps) {
  const t = useTranslations('automations');
  switch (action.type) {
    case 'reply':
      return <ReplyFields action={action} onChange={onChange} />;
    case 'assign':
      return <Assignee action={action} onChange={onChange} />;
    case 'label':
      return (
        <Stack gap="xs">
          <TagsInput
            label={t('addLabels')}
            value={action.add}
            onChange={(add) => onChange({ add })}
            acceptValueOnBlur
          />
          <TagsInput
            label={t('removeLabels')}
            value={action.remove}
            onChange={(remove) => onChange({ remove })}
            acceptValueOnBlur
          />
        </Stack>
      );
    case 'set_status':
      return (
        <NativeSelect
          aria-label={t('action.set_status')}
          data={(['open', 'pending', 'resolved'] as const).map((value) => ({
            value,
            label: t(`status.${value}`),
          }))}
          value={action.status}
          onChange={({ currentTarget }) => onChange({ status: currentTarget.value as DraftAction['status'] })}
        />
      );
    case 'set_priority':
      return (
        <NativeSelect
          aria-label={t('action.set_priority')}
          data={(['low', 'normal', 'high', 'urgent'] as const).map((value) => ({
            value,
            label: t(`priority.${value}`),
          }))}
          value={action.priority}
          onChange={({ currentTarget }) =>
            onChange({ priority: currentTarget.value as DraftAction['priority'] })
          }
        />
      );
    case 'note':
      return (
        <Textarea
          aria-label={t('action.note')}
          autosize
          minRows={2}
          maxRows={8}
          value={action.text}
          onChange={({ currentTarget }) => onChange({ text: currentTarget.value })}
        />
      );
    case 'call_webhook':
      return (
        <TextInput
          type="url"
          label={t('url')}
          description={t('urlHint')}
          inputWrapperOrder={['label', 'input', 'description']}
          placeholder={exampleUrl}
          value={action.url}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
          autoComplete="off"
        />
      );
    case 'start_assistant':
      return <AssistantChoice action={action} onChange={onChange} />;
    case 'stop':
      return <p className={classes.quiet}>{t('stopHint')}</p>;
  }
}

const exampleUrl = 'https://example.com/hooks/automation';

function Assignee({ action, onChange }: ActionFieldsProps) {
  const t = useTranslations('automations');
  const members = useQuery(membersQuery);
  const teams = useQuery(teamsQuery);
  const people = (members.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }));
  const groups = (teams.data ?? []).map(({ teamId, name }) => ({ value: teamId, label: name }));
  const choose = (id: string) =>
    onChange(
      groups.some(({ value }) => value === id)
        ? { teamId: id, assigneeId: '' }
        : { assigneeId: id, teamId: '' },
    );
  return (
    <NativeSelect
      aria-label={t('action.assign')}
      data={[
        { value: '', label: t('nobody') },
        { group: t('people'), items: people },
        ...(groups.length > 0 ? [{ group: t('teams'), items: groups }] : []),
      ]}
      value={action.teamId || action.assigneeId}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

function AssistantChoice({ action, onChange }: ActionFieldsProps) {
  const t = useTranslations('automations');
  const assistants = useQuery(assistantsQuery);
  return (
    <Stack gap="xs">
      <NativeSelect
        aria-label={t('action.start_assistant')}
        data={[
          { value: '', label: t('ofTheNumber') },
          ...(assistants.data ?? []).map(({ assistantId, name }) => ({ value: assistantId, label: name })),
        ]}
        value={action.assistantId}
        onChange={({ currentTarget }) => onChange({ assistantId: currentTarget.value })}
      />
      <p className={classes.quiet}>{t('assistantHint')}</p>
    </Stack>
  );
}
