import { UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { Icon } from '../../parts/icon.tsx';
import { useNavigation } from '../navigation.ts';
import classes from './commands.module.css';
import { Keys, paletteKeys } from './keys.tsx';
import { type Command, useOpenPageCommands } from './page-commands.ts';

const CommandPalette = lazy(() => import('./command-palette.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

/** The second key follows within this time. */
const sequenceMs = 1_200;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** What the palette is opened with from elsewhere on the page. */
const openPalette = () => window.dispatchEvent(new Event('heliograph-palette'));

/** Listens for the shortcuts, and shows the palette (⌘K or Ctrl K) and the list of shortcuts (?). */
export function CommandKeys() {
  const commands = useCommands();
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const known = useRef(commands);
  known.current = commands;
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setShown('palette');
        return;
      }
      const isDialog = document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || isDialog) return;
      if (event.key === '?') {
        setShown('shortcuts');
        return;
      }
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (search !== null) event.preventDefault();
        search?.focus();
        return;
      }
      const begun = first !== null && event.timeStamp - first.at < sequenceMs ? first.key : null;
      first = { key: event.key, at: event.timeStamp };
      const command =
        known.current.find(({ keys }) => keys?.[0] === begun && keys?.[1] === event.key) ??
        known.current.find(({ keys }) => keys?.length === 1 && keys[0] === event.key);
      if (command === undefined) return;
      first = null;
      event.preventDefault();
      command.run();
    };
    const onAsked = () => setShown('palette');
    document.addEventListener('keydown', onKey);
    window.addEventListener('heliograph-palette', onAsked);
    return () => {
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('heliograph-palette', onAsked);
    };
  }, []);
  const close = () => setShown(null);
  return (
    <Suspense>
      {shown === 'palette' && <CommandPalette commands={commands} onClose={close} />}
      {shown === 'shortcuts' && <ShortcutList commands={commands} onClose={close} />}
    </Suspense>
  );
}

/** All that can be done from anywhere: the palette, the list of shortcuts and the shortcuts themselves come from here. */
function useCommands(): Command[] {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  const role = useStore(session.current)?.account.role;
  const own = useOpenPageCommands();
  const pages = useNavigation().map(
    ({ name, to, icon, goKey }): Command => ({
      id: to,
      name: t(`pages.${name}`),
      icon,
      ...(goKey !== undefined && { keys: ['g', goKey] as const }),
      run: () => void navigate({ to }),
    }),
  );
  const signOut: Command = {
    id: 'sign-out',
    name: t('signOut'),
    icon: 'person',
    run: () => void session.logout().catch(() => {}),
  };
  const general: Command[] =
    role === 'agent'
      ? [...pages, signOut]
      : [
          ...pages,
          {
            id: 'add-number',
            name: t('commands.addNumber'),
            icon: 'plus',
            keys: ['a', 'n'],
            run: () => void navigate({ to: '/numbers', search: { add: true } }),
          },
          {
            id: 'send-test',
            name: t('commands.sendTest'),
            icon: 'send',
            keys: ['a', 'm'],
            run: () => void navigate({ to: '/messages/send' }),
          },
          {
            id: 'reference',
            name: t('reference'),
            icon: 'book',
            run: () => window.location.assign('/docs'),
          },
          signOut,
        ];
  // A key of the page goes before the same as the first of two.
  const taken = new Set(own.flatMap(({ keys }) => (keys?.length === 1 ? keys : [])));
  const rest = general.map(
    ({ keys, ...command }): Command =>
      keys === undefined || taken.has(keys[0]) ? command : { ...command, keys },
  );
  return [...own, ...rest];
}

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
