import { useMutation } from '@tanstack/react-query';
import type { UpdateConversationRequest } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { showConversations } from '../../queries/conversations/conversation-lists.ts';
import { useOwnId } from './people/names.ts';

/** Changes a conversation; what the gateway has stored is what is shown. */
export function useUpdate(conversationId: string) {
  const ownId = useOwnId();
  return useMutation({
    mutationFn: (changes: UpdateConversationRequest) => gateway.conversations.update(conversationId, changes),
    onSuccess: (conversation) => {
      showConversations([conversation], ownId);
    },
  });
}
