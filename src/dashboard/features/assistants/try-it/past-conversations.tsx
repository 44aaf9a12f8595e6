import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { cutText } from '../../../../contract/texts/text.ts';
import type { TryAssistantRequest } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem, Waiting } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import classes from './try-it.module.css';

/** A message of a conversation that is tried. */
export type TrialMessage = TryAssistantRequest['messages'][number];

interface Props {
  onClose: () => void;
  onChoose: (messages: TrialMessage[]) => void;
}

/** Conversations that there were, to see what it would have answered. */
export default function PastConversations({ onClose, onChoose }: Props) {
  const t = useTranslations('assistants');
  return (
    <Dialog title={t('try.past')} onClose={onClose}>
      <Choices onChoose={onChoose} />
    </Dialog>
  );
}

interface Listed {
  conversationId: string;
  contact: { name: string | null; pushName: string | null; phoneNumber: string | null } | null;
  lastMessage: { text: string } | null;
}
interface Item {
  kind: 'message' | 'note';
  message?: {
    direction: 'inbound' | 'outbound';
    text: string | null;
    origin?: { kind: string } | null;
  };
}

const messagesMax = 20;

/** The conversation up to what the customer wrote last. */
function upToTheQuestion(items: readonly Item[]): TrialMessage[] {
  const messages = items.flatMap(({ message }): TrialMessage[] => {
    const text = cutText(message?.text ?? '', 4096);
    if (message === undefined || text === '') return [];
    if (message.direction === 'inbound') return [{ from: 'contact', text }];
    return [{ from: message.origin?.kind === 'assistant' ? 'assistant' : 'business', text }];
  });
  // Newest first: what was answered since is left out.
  const question = messages.findIndex(({ from }) => from === 'contact');
  return question < 0 ? [] : messages.slice(question, question + messagesMax).reverse();
}

function Choices({ onChoose }: Pick<Props, 'onChoose'>) {
  const t = useTranslations('assistants');
  const conversations = useQuery({
    queryKey: ['assistants', 'past'],
    staleTime: 0,
    queryFn: async () => {
      const query = { limit: 50 };
      const page = await gateway.request<{ data: Listed[] }>({
        method: 'GET',
        path: '/v1/conversations',
        query,
      });
      return page.data.filter(({ contact }) => contact !== null);
    },
  });
  const load = useMutation({
    mutationFn: async (conversationId: string) => {
      const path = `/v1/conversations/${conversationId}/messages`;
      const page = await gateway.request<{ data: Item[] }>({ method: 'GET', path, query: { limit: 50 } });
      return upToTheQuestion(page.data);
    },
    onSuccess: (messages) => {
      if (messages.length > 0) onChoose(messages);
    },
  });
  return (
    <>
      {conversations.isPending && <Waiting />}
      <Problem error={conversations.error ?? load.error} />
      {conversations.data?.length === 0 && <p>{t('try.noPast')}</p>}
      {load.data?.length === 0 && <p>{t('try.noQuestion')}</p>}
      <ul className={classes.choices}>
        {conversations.data?.map(({ conversationId, contact, lastMessage }) => (
          <li key={conversationId}>
            <button
              type="button"
              className={classes.choice}
              disabled={load.isPending}
              onClick={() => load.mutate(conversationId)}
            >
              {contact?.name ?? contact?.pushName ?? contact?.phoneNumber ?? conversationId}
              <span>{lastMessage?.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
