import { queryOptions } from '@tanstack/react-query';
import { gateway } from '../../gateway/client.ts';

/** An answer is made within seconds, and no event tells when it begins. */
const answeringMs = 3_000;

/** How assistants stand in a conversation; outdated as its details are. */
export const standingQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['conversation-details', conversationId, 'assistant'],
    queryFn: ({ signal }) => gateway.conversationAssistants.get(conversationId, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.isAnswering === true ? answeringMs : false),
  });

/** How an assistant came to a message. It is over once there is a message, so it stays as it is. */
export const answerQuery = (conversationId: string, turnId: string) =>
  queryOptions({
    queryKey: ['conversation-answers', conversationId, turnId],
    queryFn: ({ signal }) => gateway.conversationAssistants.run(conversationId, turnId, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
