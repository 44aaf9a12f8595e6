import { type RefObject, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { type Command, usePageCommands } from '../../../shell/commands/page-commands.ts';
import type { DraftOf } from '../composer/drafts.ts';
import { useOwnId } from '../people/names.ts';
import { useUpdate } from '../use-update.ts';

interface ChatKeys {
  conversation: Conversation;
  input: RefObject<HTMLTextAreaElement | null>;
  draft: DraftOf;
  onPanel: () => void;
}

/** What is done in a chat by keys. */
export function useChatKeys(given: ChatKeys): void {
  const t = useTranslations('inbox');
  const ownId = useOwnId();
  const { mutate } = useUpdate(given.conversation.conversationId);
  const now = useRef(given);
  now.current = given;
  const { status, assigneeId } = given.conversation;
  const commands = useMemo((): Command[] => {
    const write = (isNote: boolean) => () => {
      now.current.draft.change({ isNote });
      now.current.input.current?.focus();
    };
    const isDone = status === 'resolved';
    return [
      { id: 'chat-reply', name: t('reply'), icon: 'reply', keys: ['r'], run: write(false) },
      { id: 'chat-note', name: t('writeNote'), icon: 'lock', keys: ['n'], run: write(true) },
      {
        id: 'chat-assign',
        name: assigneeId === ownId ? t('letGo') : t('takeIt'),
        icon: 'person',
        keys: ['a'],
        run: () => mutate({ assigneeId: assigneeId === ownId ? null : ownId }),
      },
      {
        id: 'chat-resolve',
        name: isDone ? t('reopen') : t('resolve'),
        icon: 'check',
        keys: ['e'],
        run: () => mutate({ status: isDone ? 'open' : 'resolved' }),
      },
      {
        id: 'chat-snooze',
        name: t('snooze'),
        icon: 'clock',
        keys: ['s'],
        run: () => document.querySelector<HTMLElement>('[data-action="snooze"]')?.click(),
      },
      { id: 'chat-details', name: t('details'), icon: 'info', keys: ['i'], run: () => now.current.onPanel() },
    ];
  }, [t, ownId, mutate, status, assigneeId]);
  usePageCommands(commands);
}
