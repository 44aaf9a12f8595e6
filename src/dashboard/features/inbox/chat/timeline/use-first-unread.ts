import { useMemo, useRef } from 'react';
import type { Conversation } from '../../../../../sdk/index.ts';
import { type ChatItem, idOf } from '../../../../queries/conversations/chat-items.ts';

/** The first of the messages that nobody had read when the chat was opened: the line above it stays while it is open. */
export function useFirstUnread(conversation: Conversation, items: readonly ChatItem[]) {
  const opened = useRef({ id: conversation.conversationId, count: conversation.unreadCount });
  if (opened.current.id !== conversation.conversationId) {
    opened.current = { id: conversation.conversationId, count: conversation.unreadCount };
  }
  const found = useRef<{ chat: string; id: string; count: number } | null>(null);
  return useMemo(() => {
    const { id: chat, count } = opened.current;
    if (found.current?.chat === chat) return found.current;
    if (count === 0) return null;
    let left = count;
    for (const item of items) {
      if (item.kind !== 'message' || item.message.direction !== 'inbound') continue;
      left -= 1;
      if (left > 0) continue;
      found.current = { chat, id: idOf(item), count };
      return found.current;
    }
    return null;
  }, [items]);
}
