import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Label } from '../../../../sdk/index.ts';
import { IconButton } from '../../../parts/icon-button.tsx';
import classes from './panel.module.css';

interface LabelPickerProps {
  chosen: readonly string[];
  known: readonly Label[];
  onChange: (labels: string[]) => void;
}

/** The labels of a conversation: each goes at a press, and one more is chosen below. */
export function LabelPicker({ chosen, known, onChange }: LabelPickerProps) {
  const t = useTranslations('inbox');
  const colours = new Map(known.map(({ name, color }) => [name, color]));
  const others = known.filter(({ name }) => !chosen.includes(name));
  return (
    <Stack gap={8}>
      {chosen.length > 0 && (
        <Group component="ul" gap={5} className={classes.labels} aria-label={t('labels')}>
          {chosen.map((name) => (
            <li key={name}>
              <i style={{ background: colours.get(name) ?? 'var(--grey)' }} />
              <Text span truncate dir="auto">
                {name}
              </Text>
              <IconButton
                icon="close"
                iconSize={12}
                name={t('removeLabel', { name })}
                size={18}
                onClick={() => onChange(chosen.filter((one) => one !== name))}
              />
            </li>
          ))}
        </Group>
      )}
      {others.length > 0 && (
        <NativeSelect
          size="xs"
          label={t('addLabel')}
          value=""
          onChange={(event) => {
            if (event.currentTarget.value !== '') onChange([...chosen, event.currentTarget.value]);
          }}
          data={[
            { value: '', label: t('choose') },
            ...others.map(({ name }) => ({ value: name, label: name })),
          ]}
        />
      )}
    </Stack>
  );
}
