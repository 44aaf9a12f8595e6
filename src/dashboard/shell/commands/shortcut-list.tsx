import { Flex } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../parts/frames/dialog.tsx';
import classes from './commands.module.css';
import { Keys, paletteKeys } from './keys.tsx';
import type { Command } from './page-commands.ts';

/** Every shortcut there is. */
export default function ShortcutList(props: { commands: readonly Command[]; onClose: () => void }) {
  const t = useTranslations('shell.commands');
  const general = [
    [t('title'), paletteKeys],
    [t('search'), ['/']],
    [t('shortcuts'), ['?']],
    [t('closePanel'), ['Esc']],
  ] as const;
  const own = props.commands.flatMap(({ name, keys }) => (keys === undefined ? [] : [[name, keys] as const]));
  return (
    <Dialog onClose={props.onClose} title={t('shortcuts')}>
      <dl className={classes.shortcuts}>
        {[...general, ...own].map(([name, keys]) => (
          <Flex align="center" justify="space-between" mih={34} key={name}>
            <dt>{name}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </Flex>
        ))}
      </dl>
    </Dialog>
  );
}
