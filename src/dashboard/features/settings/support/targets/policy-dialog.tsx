import { Checkbox, Group, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SlaPolicy } from '../../../../../sdk/index.ts';
import { gateway } from '../../../../gateway/client.ts';
import { changedFields } from '../../../../parts/fields/changed-fields.ts';
import { checkOf, inputOf } from '../../../../parts/fields/input.ts';
import { SaveDialog } from '../../../../parts/frames/dialog-form.tsx';
import { supportChanged } from '../../../../queries/support.ts';
import { useDialogDraft } from '../../draft.ts';
import { ChosenNumbers } from '../chosen-numbers.tsx';
import { splitOf, type Unit, units } from '../times.ts';

type Draft = Omit<SlaPolicy, 'policyId' | 'createdAt'>;

const fresh: Draft = {
  name: '',
  firstResponseSeconds: 3600,
  nextResponseSeconds: null,
  resolutionSeconds: null,
  businessHoursOnly: true,
  numberIds: 'all',
  labels: [],
};

function draftOf({ policyId: _, createdAt: __, ...draft }: SlaPolicy): Draft {
  return draft;
}

/** A new SLA policy, or one that is there. */
export default function PolicyDialog({ policy, onClose }: { policy: SlaPolicy | null; onClose: () => void }) {
  const t = useTranslations('support.policies');
  const common = useTranslations('common');
  const { first, draft, change, isDirty } = useDialogDraft<Draft>(policy === null ? fresh : draftOf(policy));
  const save = async () => {
    if (policy === null) await gateway.slaPolicies.create(draft);
    else await gateway.slaPolicies.update(policy.policyId, changedFields(draft, first));
    await supportChanged();
  };
  const { firstResponseSeconds, nextResponseSeconds, resolutionSeconds } = draft;
  const hasTarget = [firstResponseSeconds, nextResponseSeconds, resolutionSeconds].some((it) => it !== null);
  return (
    <SaveDialog
      title={policy === null ? t('add') : t('title')}
      isLarge
      save={save}
      isDirty={isDirty}
      canSubmit={hasTarget}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={common('name')}
        placeholder={t('nameExample')}
        maxLength={100}
        {...inputOf(draft.name, (name) => change({ name }))}
      />
      <DurationInput
        label={t('first')}
        hint={t('firstHint')}
        value={firstResponseSeconds}
        onChange={(seconds) => change({ firstResponseSeconds: seconds })}
      />
      <DurationInput
        label={t('next')}
        hint={t('nextHint')}
        value={nextResponseSeconds}
        onChange={(seconds) => change({ nextResponseSeconds: seconds })}
      />
      <DurationInput
        label={t('resolution')}
        hint={t('resolutionHint')}
        value={resolutionSeconds}
        onChange={(seconds) => change({ resolutionSeconds: seconds })}
      />
      <Checkbox
        label={t('hoursOnly')}
        description={t('hoursOnlyHint')}
        {...checkOf(draft.businessHoursOnly, (businessHoursOnly) => change({ businessHoursOnly }))}
      />
      <ChosenNumbers value={draft.numberIds} onChange={(numberIds) => change({ numberIds })} />
      <TagsInput
        label={t('labels')}
        description={t('labelsHint')}
        value={draft.labels}
        onChange={(labels) => change({ labels })}
      />
    </SaveDialog>
  );
}

interface DurationInputProps {
  label: string;
  hint: string;
  /** Seconds; null: none. */
  value: number | null;
  onChange: (seconds: number | null) => void;
}

const unitNames = Object.keys(units) as Unit[];

/** A length of time in minutes, hours or days; empty for none. */
function DurationInput({ label, hint, value, onChange }: DurationInputProps) {
  const t = useTranslations('support.policies');
  const [unit, setUnit] = useState<Unit>(() => (value === null ? 'hours' : splitOf(value).unit));
  const amount = value === null ? '' : value / units[unit];
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <NumberInput
        flex={1}
        label={label}
        description={hint}
        placeholder={t('noTarget')}
        min={1}
        max={(90 * 86_400) / units[unit]}
        hideControls
        value={amount}
        onChange={(entered) => onChange(entered === '' ? null : Number(entered) * units[unit])}
      />
      <NativeSelect
        mt={22}
        w={110}
        aria-label={t('unitOf', { label })}
        data={unitNames.map((name) => ({ value: name, label: t(`units.${name}`) }))}
        value={unit}
        onChange={({ currentTarget }) => {
          const next = unitNames.find((name) => name === currentTarget.value) ?? 'hours';
          setUnit(next);
          if (value !== null) onChange((value / units[unit]) * units[next]);
        }}
      />
    </Group>
  );
}
