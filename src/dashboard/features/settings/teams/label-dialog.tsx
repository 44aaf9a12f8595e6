import { TextInput, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Label } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { useIsChanged } from '../../../parts/fields/is-changed.ts';
import { SaveDialog } from '../../../parts/frames/dialog-form.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { inboxSettingsChanged } from '../../../queries/conversations/conversation-details.ts';
import classes from './teams.module.css';

const colors = {
  blue: '#1f6feb',
  green: '#2da44e',
  amber: '#bf8700',
  red: '#cf222e',
  violet: '#8250df',
  teal: '#1b7c83',
  pink: '#bf3989',
  grey: '#6e7781',
} as const;
const colorNames = Object.keys(colors) as (keyof typeof colors)[];

/** A new label, or one that is there. */
export default function LabelDialog({ label, onClose }: { label: Label | null; onClose: () => void }) {
  const t = useTranslations('teams.labels');
  const common = useTranslations('common');
  const [name, setName] = useState(label?.name ?? '');
  const [description, setDescription] = useState(label?.description ?? '');
  const [color, setColor] = useState<string>(label?.color ?? colors.blue);
  const isDirty = useIsChanged([name, description, color]);
  const [first] = useState({ color, description: label?.description ?? null });
  const save = async () => {
    const fields = { color, description: description.trim() || null };
    if (label === null) await gateway.labels.create({ name, ...fields });
    else await gateway.labels.update(label.labelId, changedFields(fields, first));
    await inboxSettingsChanged();
  };
  return (
    <SaveDialog title={label === null ? t('add') : t('edit')} save={save} isDirty={isDirty} onClose={onClose}>
      <TextInput
        data-autofocus
        required
        label={common('name')}
        placeholder={t('nameExample')}
        maxLength={50}
        disabled={label !== null}
        description={label !== null && t('nameStays')}
        {...inputOf(name, setName)}
      />
      <fieldset className={classes.colors}>
        <legend>{t('color')}</legend>
        {colorNames.map((one) => (
          <UnstyledButton
            key={one}
            style={{ background: colors[one] }}
            aria-label={t(`colors.${one}`)}
            title={t(`colors.${one}`)}
            aria-pressed={color === colors[one]}
            onClick={() => setColor(colors[one])}
          >
            {color === colors[one] && <Icon name="check" size={16} />}
          </UnstyledButton>
        ))}
      </fieldset>
      <TextInput label={t('description')} maxLength={500} {...inputOf(description, setDescription)} />
    </SaveDialog>
  );
}
