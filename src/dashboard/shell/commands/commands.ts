import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { type navigation, navigationOf } from '../navigation.ts';
import type { Command } from './command.ts';
import { useOpenPageCommands } from './page-commands.ts';

/** The second key after `g`, for "go to". */
const goKeys: Partial<Record<(typeof navigation)[number]['name'], string>> = {
  overview: 'o',
  inbox: 'i',
  numbers: 'n',
  messages: 'm',
  apiKeys: 'k',
  webhooks: 'w',
  events: 'e',
  alerts: 'a',
  settings: 's',
};

/** All that can be done from anywhere: the palette, the list of shortcuts and the shortcuts themselves come from here. */
export function useCommands(): Command[] {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  const who = useStore(session.current);
  const role = who?.account.role;
  const own = useOpenPageCommands();
  const pages = navigationOf(who).map(({ name, to, icon }): Command => {
    const key = goKeys[name];
    return {
      id: to,
      name: t(name),
      icon,
      ...(key !== undefined && { keys: ['g', key] as const }),
      run: () => void navigate({ to }),
    };
  });
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
