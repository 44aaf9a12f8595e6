import { Box, Flex, Menu, NativeSelect, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputOf } from '../../../parts/fields/input.ts';
import { Card } from '../../../parts/frames/page.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { membersQuery } from '../../../queries/account.ts';
import { assistantsQuery } from '../../../queries/assistants.ts';
import { teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import { type Draft, type DraftAction, newAction } from './draft.ts';
import { type DraftProblems, FieldNote } from './draft-problems.tsx';
import { ReplyFields } from './reply-fields.tsx';

const types = [
  'reply',
  'label',
  'assign',
  'set_status',
  'set_priority',
  'note',
  'call_webhook',
  'start_assistant',
  'stop',
] as const;

interface ActionsCardProps {
  draft: Draft;
  problems: DraftProblems;
  onChange: (changes: Partial<Draft>) => void;
}

/** "Then": what is done, in order. */
export function ActionsCard({ draft, problems, onChange }: ActionsCardProps) {
  const t = useTranslations('automations');
  const { actions } = draft;
  const change = (key: number, changes: Partial<DraftAction>) =>
    onChange({ actions: actions.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  const move = (index: number, by: number) => {
    const moved = actions[index];
    if (moved === undefined) return;
    onChange({ actions: actions.toSpliced(index, 1).toSpliced(index + by, 0, moved) });
  };
  return (
    <Card title={t('thenDo')}>
      <Stack component="ol" gap={10}>
        {actions.map((action, index) => (
          <Stack component="li" key={action.key} gap={8} p="12px 14px" bd="1px solid var(--line)" bdrs="md">
            <Flex gap={8} align="center" justify="space-between">
              <Box component="h3" fz="sm" fw={600}>
                {t(`action.${action.type}`)}
              </Box>
              <Flex gap={2}>
                <IconButton
                  icon="up"
                  iconSize={16}
                  name={t('moveUp')}
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  icon="down"
                  iconSize={16}
                  name={t('moveDown')}
                  disabled={index === actions.length - 1}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  icon="close"
                  iconSize={16}
                  name={t('removeAction')}
                  onClick={() => onChange({ actions: actions.filter((one) => one !== action) })}
                />
              </Flex>
            </Flex>
            <ActionFields action={action} onChange={(changes) => change(action.key, changes)} />
            <FieldNote problem={problems.get(`action.${action.key}`)} />
          </Stack>
        ))}
      </Stack>
      <FieldNote problem={problems.get('actions')} />
      <div>
        <Menu position="bottom-start">
          <Menu.Target>
            <SmallButton leftSection={<Icon name="plus" size={14} />}>{t('addAction')}</SmallButton>
          </Menu.Target>
          <Menu.Dropdown>
            {types.map((type) => (
              <Menu.Item key={type} onClick={() => onChange({ actions: [...actions, newAction(type)] })}>
                {t(`action.${type}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
    </Card>
  );
}

interface ActionFieldsProps {
  action: DraftAction;
  onChange: (changes: Partial<DraftAction>) => void;
}

/** What there is to say about an action. */
function ActionFields({ action, onChange }: ActionFieldsProps) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
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
            label: common(`conversationStatus.${value}`),
          }))}
          {...inputOf(action.status, (status) => onChange({ status }))}
        />
      );
    case 'set_priority':
      return (
        <NativeSelect
          aria-label={t('action.set_priority')}
          data={(['low', 'normal', 'high', 'urgent'] as const).map((value) => ({
            value,
            label: common(`priorities.${value}`),
          }))}
          {...inputOf(action.priority, (priority) => onChange({ priority }))}
        />
      );
    case 'note':
      return (
        <Textarea
          aria-label={t('action.note')}
          minRows={2}
          maxRows={8}
          {...inputOf(action.text, (text) => onChange({ text }))}
        />
      );
    case 'call_webhook':
      return (
        <TextInput
          type="url"
          label={t('url')}
          description={t('urlHint')}
          placeholder={exampleUrl}
          {...inputOf(action.url, (url) => onChange({ url }))}
          autoComplete="off"
        />
      );
    case 'start_assistant':
      return <AssistantChoice action={action} onChange={onChange} />;
    case 'stop':
      return <Text c="dimmed">{t('stopHint')}</Text>;
  }
}

const exampleUrl = 'https://example.com/hooks/automation';

function Assignee({ action, onChange }: ActionFieldsProps) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
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
        { value: '', label: common('unassigned') },
        { group: t('people'), items: people },
        ...(groups.length > 0 ? [{ group: t('teams'), items: groups }] : []),
      ]}
      {...inputOf(action.teamId || action.assigneeId, choose)}
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
        {...inputOf(action.assistantId, (assistantId) => onChange({ assistantId }))}
      />
      <Text c="dimmed">{t('assistantHint')}</Text>
    </Stack>
  );
}
