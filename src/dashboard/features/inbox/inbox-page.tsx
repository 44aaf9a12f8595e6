import { Center } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Empty } from '../../parts/feedback.tsx';
import { followInbox } from '../../queries/conversations/inbox-updates.ts';
import { followPresence } from '../../queries/conversations/presence.ts';
import classes from './inbox.module.css';
import { ConversationList } from './list/conversation-list.tsx';
import { useBadge, useNotifications } from './notifications.ts';
import { useOwnId } from './people/names.ts';

/** The list, and beside it the chat that is open; on a phone one of the two. */
export function InboxPage() {
  const { conversationId } = useParams({ strict: false });
  const ownId = useOwnId();
  const queryClient = useQueryClient();
  useEffect(() => {
    const endPresence = followPresence();
    const endUpdates = followInbox(ownId);
    return () => {
      endUpdates();
      endPresence();
      // What nobody follows does not stay true.
      void queryClient.invalidateQueries({ queryKey: ['conversations'], refetchType: 'none' });
      queryClient.removeQueries({ queryKey: ['conversation-items'] });
    };
  }, [ownId, queryClient]);
  useBadge();
  useNotifications();
  return (
    <div className={classes.inbox} data-open={conversationId !== undefined}>
      <ConversationList openId={conversationId} />
      <Outlet />
    </div>
  );
}

/** In the place of a chat, until one is chosen. */
export function NoConversation() {
  const t = useTranslations('inbox');
  return (
    <Center p={24}>
      <Empty icon="inbox" title={t('noneOpenTitle')} lead={t('noneOpenLead')} />
    </Center>
  );
}
