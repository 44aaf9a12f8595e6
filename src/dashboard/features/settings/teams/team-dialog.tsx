import { MultiSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PhoneNumber, Team } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { queryClient } from '../../../gateway/query-client.ts';
import { Waiting } from '../../../parts/feedback.tsx';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { checkOf, inputOf } from '../../../parts/fields/input.ts';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { DialogForm } from '../../../parts/frames/dialog-form.tsx';
import { membersQuery } from '../../../queries/account.ts';
import { inboxSettingsChanged } from '../../../queries/conversations/conversation-details.ts';
import { numbersQuery } from '../../../queries/numbers.ts';
import { useDialogDraft } from '../draft.ts';

const capMost = 1_000;

/** A new team, or one that is there. */
export default function TeamDialog({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const t = useTranslations('teams.teams');
  const common = useTranslations('common');
  const { data: numbers } = useQuery(numbersQuery);
  return (
    <Dialog title={team === null ? t('add') : common('team')} onClose={onClose} isLarge>
      {numbers === undefined ? <Waiting /> : <TeamForm team={team} numbers={numbers} onDone={onClose} />}
    </Dialog>
  );
}

interface Draft extends Omit<Team, 'teamId' | 'createdAt' | 'description'> {
  description: string;
  numberIds: string[];
}

const requestOf = ({ numberIds: _, description, ...fields }: Draft) => ({
  ...fields,
  description: description.trim() || null,
});

interface TeamFormProps {
  team: Team | null;
  numbers: readonly PhoneNumber[];
  onDone: () => void;
}

function TeamForm({ team, numbers, onDone }: TeamFormProps) {
  const t = useTranslations('teams.teams');
  const common = useTranslations('common');
  const { data: members = [] } = useQuery(membersQuery);
  const { first, draft, change, isDirty } = useDialogDraft<Draft>({
    name: team?.name ?? '',
    description: team?.description ?? '',
    memberIds: team?.memberIds ?? [],
    autoAssign: team?.autoAssign ?? true,
    capPerAgent: team?.capPerAgent ?? null,
    numberIds: numbers
      .filter(({ teamIds }) => team !== null && teamIds?.includes(team.teamId))
      .map(({ numberId }) => numberId),
  });
  const [made, setMade] = useState(team);
  const save = useMutation({
    mutationFn: async (draft: Draft) => {
      const body = requestOf(draft);
      const saved =
        made === null
          ? await gateway.teams.create(body)
          : await gateway.teams.update(
              made.teamId,
              team === null ? body : changedFields(body, requestOf(first)),
            );
      // What follows may fail: then the team is there, and is changed the next time.
      setMade(saved);
      await limitNumbers(saved.teamId, draft.numberIds, numbers);
    },
    onSettled: async () => {
      await inboxSettingsChanged();
      await queryClient.invalidateQueries({ queryKey: numbersQuery.queryKey });
    },
    onSuccess: onDone,
  });
  return (
    <DialogForm step={save} isDirty={isDirty} onSubmit={() => save.mutate(draft)} onClose={onDone}>
      <TextInput
        data-autofocus
        required
        label={common('name')}
        placeholder={t('nameExample')}
        maxLength={100}
        {...inputOf(draft.name, (name) => change({ name }))}
      />
      <TextInput
        label={common('description')}
        maxLength={500}
        {...inputOf(draft.description, (description) => change({ description }))}
      />
      <MultiSelect
        label={common('members')}
        searchable
        data={members.map(({ userId, name, email }) => ({ value: userId, label: `${name} (${email})` }))}
        value={draft.memberIds}
        onChange={(memberIds) => change({ memberIds })}
      />
      <Switch
        label={t('autoAssign')}
        description={t('autoAssignHint')}
        {...checkOf(draft.autoAssign, (autoAssign) => change({ autoAssign }))}
      />
      {draft.autoAssign && (
        <NumberInput
          label={t('cap')}
          description={t('capHint')}
          min={1}
          max={capMost}
          value={draft.capPerAgent ?? ''}
          onChange={(value) => change({ capPerAgent: typeof value === 'number' ? value : null })}
        />
      )}
      <MultiSelect
        label={t('numbers')}
        description={t('numbersHint')}
        data={numbers.map(({ numberId, label }) => ({ value: numberId, label }))}
        value={draft.numberIds}
        onChange={(numberIds) => change({ numberIds })}
      />
    </DialogForm>
  );
}

/** Has exactly these numbers limited to a team, beside the other teams that they have. */
async function limitNumbers(teamId: string, wanted: readonly string[], numbers: readonly PhoneNumber[]) {
  for (const { numberId, teamIds } of numbers) {
    const known = teamIds ?? [];
    if (known.includes(teamId) === wanted.includes(numberId)) continue;
    const next = wanted.includes(numberId) ? [...known, teamId] : known.filter((id) => id !== teamId);
    await gateway.numbers.update(numberId, { teamIds: next.length === 0 ? null : next });
  }
}
