import { Box, Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Conversation, OrderConversationAssistantRequest } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { detailsOutdated, standingQuery } from '../../../queries/conversations/conversation-details.ts';
import { conversationQuery } from '../../../queries/conversations/conversation-lists.ts';
import classes from './assistant.module.css';

/** Whose the conversation is: the assistant's, or people's; each is one click away. */
export default function AssistantBar({ conversation }: { conversation: Conversation }) {
  const t = useTranslations('inboxAssistant');
  const client = useQueryClient();
  const { conversationId, botState } = conversation;
  const standing = useQuery(standingQuery(conversationId));
  const order = useMutation({
    mutationFn: (asked: OrderConversationAssistantRequest) =>
      gateway.conversationAssistants.order(conversationId, asked),
    onSettled: () =>
      Promise.all([
        detailsOutdated(conversationId),
        client.invalidateQueries({ queryKey: conversationQuery(conversationId).queryKey }),
      ]),
  });
  const { data } = standing;
  if (data === undefined || (botState === 'off' && data.available.length === 0)) return null;
  const name = data.assistant?.name ?? data.available[0]?.name ?? t('assistant');
  const isActive = botState === 'active';
  // Whoever could answer, where nobody does.
  const canAnswer = data.available.length > 0;
  const says = isActive
    ? t(data.isAnswering ? 'answering' : 'active', { name })
    : t(botState === 'paused' ? 'paused' : 'off', { name });
  const button = (action: OrderConversationAssistantRequest['action'], isMain = false) => (
    <Button
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      loading={order.isPending && order.variables.action === action}
      disabled={order.isPending}
      onClick={() => order.mutate({ action })}
    >
      {t(`actions.${action}`)}
    </Button>
  );
  return (
    <section className={classes.bar} data-state={botState} aria-label={t('assistant')}>
      <Icon name="assistant" size={16} />
      <p className={classes.says} role="status">
        {says}
      </p>
      <Group gap={8} align="stretch">
        {isActive && button('take_over', true)}
        {isActive && button('pause')}
        {isActive && button('hand_off')}
        {!isActive && canAnswer && button('resume')}
      </Group>
      {order.error !== null && (
        <Box flex="1 0 100%">
          <Problem error={order.error} />
        </Box>
      )}
    </section>
  );
}
