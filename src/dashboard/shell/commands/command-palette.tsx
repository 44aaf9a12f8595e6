import { Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../parts/frames/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import classes from './commands.module.css';
import { useFoundPeople } from './found-people.ts';
import { Keys } from './keys.tsx';
import type { Command } from './page-commands.ts';

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Find by name and press Enter. */
export default function CommandPalette(props: { commands: readonly Command[]; onClose: () => void }) {
  const t = useTranslations('shell.commands');
  const common = useTranslations('common');
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const listId = useId();
  const { people, isSearching } = useFoundPeople(typed.trim());
  const named = props.commands.filter(({ name }) => folded(name).includes(folded(typed.trim())));
  const found = [...named, ...people];
  const chosen = found[Math.min(place, found.length - 1)];
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    props.onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPlace((before) => (before + step + found.length) % Math.max(1, found.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(chosen);
    }
  };
  return (
    <Dialog onClose={props.onClose} title={t('title')}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${chosen.id}`}
        aria-label={t('find')}
        placeholder={t('find')}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPlace(0);
        }}
        onKeyDown={onKey}
        leftSection={<Icon name="search" size={16} />}
      />
      {found.length === 0 && (
        <Text mt={14} c="dimmed">
          {isSearching ? common('loading') : t('none')}
        </Text>
      )}
      <div role="listbox" id={listId} aria-label={t('title')} className={classes.list}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys.
          <div
            key={command.id}
            id={`${listId}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className={classes.option}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span dir="auto">{command.name}</span>
            {command.kind !== undefined && <small>{command.kind}</small>}
            {command.keys !== undefined && <Keys keys={command.keys} />}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
