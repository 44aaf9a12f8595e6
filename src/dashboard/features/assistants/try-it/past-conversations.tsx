import { Stack, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { cutText } from '../../../../contract/texts/text.ts';
import type { TryAssistantRequest } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem, Waiting } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { Hint } from '../../../parts/hint.tsx';
import type { ChatItem } from '../../../queries/conversations/chat-items.ts';
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

const messagesMax = 20;

/** The conversation up to what the customer wrote last. */
function upToTheQuestion(items: readonly ChatItem[]): TrialMessage[] {
  const messages = items.flatMap((item): TrialMessage[] => {
    if (item.kind === 'note') return [];
    const { message } = item;
    const text = cutText(message.text ?? '', 4096);
    if (text === '') return [];
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
      const page = await gateway.conversations.list({}, { limit: 50 }).page();
      return page.data.filter(({ contact }) => contact !== null);
    },
  });
  const load = useMutation({
    mutationFn: async (conversationId: string) => {
      const page = await gateway.conversations.messages(conversationId, {}, { limit: 50 }).page();
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
      <Stack component="ul" gap={4} mah="60vh" style={{ overflowY: 'auto' }}>
        {conversations.data?.map(({ conversationId, contact, lastMessage }) => (
          <li key={conversationId}>
            <UnstyledButton
              className={classes.choice}
              disabled={load.isPending}
              onClick={() => load.mutate(conversationId)}
            >
              {contact?.name ?? contact?.pushName ?? contact?.phoneNumber ?? conversationId}
              <Hint component="div">{lastMessage?.text}</Hint>
            </UnstyledButton>
          </li>
        ))}
      </Stack>
    </>
  );
}
