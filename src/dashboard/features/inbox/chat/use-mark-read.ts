import { useEffect } from 'react';
import type { Conversation } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { patchConversation } from '../../../queries/conversations/conversation-lists.ts';
import { useOwnId } from '../people/names.ts';

/** What is on screen is read, here and on the network as the number is set; not while the tab is in the background. */
export function useMarkRead({ conversationId, unreadCount }: Conversation): void {
  const ownId = useOwnId();
  useEffect(() => {
    if (unreadCount === 0) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      patchConversation(conversationId, { unreadCount: 0 }, ownId);
      void gateway.conversations.markRead(conversationId).catch(() => {});
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [conversationId, unreadCount, ownId]);
}
