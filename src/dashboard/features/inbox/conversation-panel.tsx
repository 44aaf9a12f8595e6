import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { NotFoundError } from '../../../sdk/index.ts';
import { Problem, Waiting } from '../../parts/feedback.tsx';
import { conversationQuery } from '../../queries/conversations/conversation-lists.ts';
import { Chat } from './chat/chat.tsx';

/** One conversation under its address. */
export default function ConversationPanel() {
  const { conversationId } = useParams({ from: '/signed-in/inbox/$conversationId' });
  const { data, error, refetch, isPending } = useQuery(conversationQuery(conversationId));
  if (data !== undefined) return <Chat key={conversationId} conversation={data} />;
  return (
    <Box p="lg">
      {isPending && <Waiting rows={6} height={44} />}
      {error instanceof NotFoundError ? (
        <Problem error={error} />
      ) : (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
    </Box>
  );
}
