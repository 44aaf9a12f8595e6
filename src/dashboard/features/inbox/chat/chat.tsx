import { Box, Flex, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { patchConversation } from '../../../queries/conversations/conversation-lists.ts';
import { openChatIs } from '../../../queries/conversations/inbox-updates.ts';
import { withWords } from '../../../words/language.ts';
import { useDraft } from '../composer/drafts.ts';
import { jumpTo, keepFilters } from '../inbox-search.ts';
import { useChatName, useOwnId } from '../people/names.ts';
import { ChatHeader } from './head/chat-header.tsx';
import { usePresence } from './presence.ts';
import { Timeline } from './timeline/timeline.tsx';
import type { ChatMessage } from './timeline/timeline-rows.ts';

/** Asked for at once, beside the messages: it is needed in a moment. */
const composer = import('../composer/composer.tsx');
const Composer = lazy(() => composer);
const PendingSends = lazy(() => import('../composer/sending/pending-sends.tsx'));
const AssistantBar = lazy(withWords(['inbox/assistant'], () => import('../assistant/assistant-bar.tsx')));
const ContactPanel = lazy(() => import('../panel/contact-panel.tsx'));

/** Header, messages and composer of a conversation, and beside them who it is with. */
export function Chat({ conversation }: { conversation: Conversation }) {
  const { conversationId, group } = conversation;
  const chatName = useChatName()(conversation);
  const search = useSearch({ from: '/signed-in/inbox/$conversationId' });
  const navigate = useNavigate({ from: '/inbox/$conversationId' });
  const isWide = useMediaQuery('(min-width: 1280px)', true, { getInitialValueInEffect: false });
  const [isPanelAsked, setPanelAsked] = useState<boolean | null>(null);
  const isPanelOpen = isPanelAsked ?? isWide;
  const draft = useDraft(conversationId);
  const input = useRef<HTMLTextAreaElement>(null);
  const [isTyping, setTyping] = useState(false);
  const people = usePresence(conversationId, isTyping);
  useMarkRead(conversation);
  useEffect(() => openChatIs(conversationId), [conversationId]);
  const { change } = draft;
  const reply = useCallback(
    (message: ChatMessage) => {
      change({ quoted: { messageId: message.messageId, text: message.text, direction: message.direction } });
      input.current?.focus();
    },
    [change],
  );
  const jumpAway = useCallback(
    async (messageId: string) => {
      const message = await gateway.messages.get(messageId);
      const at = message.receivedAt ?? message.queuedAt ?? undefined;
      void navigate({ to: '.', search: jumpTo({ at, message: messageId }) });
    },
    [navigate],
  );
  const toNewest = () => void navigate({ to: '.', search: keepFilters });
  return (
    <Flex miw={0} mih={0} h="100%">
      <Stack component="section" gap={0} flex={1} miw={0} mih={0} bg="var(--ground)" aria-label={chatName}>
        <ChatHeader
          conversation={conversation}
          people={people}
          isPanelOpen={isPanelOpen}
          onPanel={() => setPanelAsked(!isPanelOpen)}
        />
        <Timeline
          key={`${search.at} ${search.message}`}
          conversation={conversation}
          chatName={chatName}
          until={search.at === undefined ? null : behind(search.at)}
          messageId={search.message}
          onReply={reply}
          onJumpAway={(messageId) => void jumpAway(messageId).catch(() => {})}
          onNewest={toNewest}
          pending={
            <Suspense fallback={null}>
              <PendingSends conversationId={conversationId} />
            </Suspense>
          }
        />
        <Suspense fallback={null}>{group === null && <AssistantBar conversation={conversation} />}</Suspense>
        <Suspense fallback={<Box h={104} />}>
          <Composer
            key={conversationId}
            conversation={conversation}
            chatName={chatName}
            draft={draft}
            input={input}
            people={people}
            onTyping={setTyping}
            onPanel={() => setPanelAsked(!isPanelOpen)}
          />
        </Suspense>
      </Stack>
      <Suspense fallback={null}>
        {isPanelOpen && (
          <ContactPanel
            conversation={conversation}
            chatName={chatName}
            isOver={!isWide}
            onClose={() => setPanelAsked(false)}
          />
        )}
      </Suspense>
    </Flex>
  );
}

/** A little behind a time, so that what was written then is in the window, and something below it. */
const behind = (at: string) => new Date(Date.parse(at) + 1).toISOString();

/** What is on screen is read, here and on the network as the number is set; not while the tab is in the background. */
function useMarkRead({ conversationId, unreadCount }: Conversation): void {
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
