import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { NotFoundError } from '../../../sdk/index.ts';
import { Problem, Waiting } from '../../parts/feedback.tsx';
import { conversationQuery } from '../../queries/conversations/conversation-lists.ts';
import { Chat } from './chat/chat.tsx';
import classes from './inbox.module.css';

/** One conversation under its address. */
export function ConversationPanel() {
  const { conversationId } = useParams({ from: '/signed-in/inbox/$conversationId' });
  const { data, error, refetch, isPending } = useQuery(conversationQuery(conversationId));
  if (data !== undefined) return <Chat key={conversationId} conversation={data} />;
  return (
    <div className={classes.waiting}>
      {isPending && <Waiting rows={6} height={44} />}
      {error instanceof NotFoundError ? (
        <Problem error={error} />
      ) : (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}
