import { UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Icon } from '../../parts/icon.tsx';
import { openPalette } from './command-keys.tsx';
import classes from './commands.module.css';
import { Keys, paletteKeys } from './keys.tsx';

/** Opens the palette, and shows which keys do the same. */
export function PaletteButton({ isFolded }: { isFolded: boolean }) {
  const t = useTranslations('shell.commands');
  if (isFolded) {
    return (
      <UnstyledButton
        className={classes.button}
        onClick={openPalette}
        title={t('find')}
        aria-label={t('find')}
      >
        <Icon name="search" size={16} />
      </UnstyledButton>
    );
  }
  return (
    <UnstyledButton className={classes.button} onClick={openPalette}>
      <Icon name="search" size={16} />
      <span>{t('find')}</span>
      <Keys keys={paletteKeys} />
    </UnstyledButton>
  );
}
