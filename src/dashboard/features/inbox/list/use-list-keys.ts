import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { type Command, usePageCommands } from '../../../shell/commands/page-commands.ts';
import { keepFilters } from '../inbox-search.ts';

/** Up and down the list by keys. */
export function useListKeys(
  conversations: readonly Conversation[],
  openId: string | undefined,
  onNew: () => void,
) {
  const t = useTranslations('inbox');
  const navigate = useNavigate();
  const now = useRef({ conversations, openId, onNew });
  now.current = { conversations, openId, onNew };
  const commands = useMemo((): Command[] => {
    const step = (by: 1 | -1) => () => {
      const { conversations: listed, openId: open } = now.current;
      const place = listed.findIndex(({ conversationId }) => conversationId === open);
      const next = listed[place === -1 ? 0 : place + by];
      if (next === undefined) return;
      void navigate({
        to: '/inbox/$conversationId',
        params: { conversationId: next.conversationId },
        search: keepFilters,
      });
    };
    return [
      { id: 'inbox-next', name: t('keys.next'), icon: 'forward', keys: ['j'], run: step(1) },
      { id: 'inbox-previous', name: t('keys.previous'), icon: 'back', keys: ['k'], run: step(-1) },
      { id: 'inbox-new', name: t('newChat'), icon: 'plus', keys: ['c'], run: () => now.current.onNew() },
    ];
  }, [t, navigate]);
  usePageCommands(commands);
}
