import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { session } from '../../gateway/session.ts';
import type { IconName } from '../../parts/icon.tsx';
import { navigation } from '../navigation.ts';

export interface Command {
  id: string;
  name: string;
  icon: IconName;
  /** Pressed one after the other. */
  keys?: readonly [string, string];
  run: () => void;
}

/** The second key after `g`, for "go to". */
const goKeys: Partial<Record<(typeof navigation)[number]['name'], string>> = {
  overview: 'o',
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
  const pages = navigation.map(({ name, to, icon }): Command => {
    const key = goKeys[name];
    return {
      id: to,
      name: t(name),
      icon,
      ...(key !== undefined && { keys: ['g', key] as const }),
      run: () => void navigate({ to }),
    };
  });
  return [
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
    {
      id: 'sign-out',
      name: t('signOut'),
      icon: 'person',
      run: () => void session.logout().catch(() => {}),
    },
  ];
}
