import { Flex } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../../../sdk/index.ts';
import { gateway } from '../../../../gateway/client.ts';
import { Problem } from '../../../../parts/feedback.tsx';
import { Dialog } from '../../../../parts/frames/dialog.tsx';
import { IconButton } from '../../../../parts/icon-button.tsx';
import { useMessageText } from '../../../../parts/values/message-text.ts';
import { Moment } from '../../../../parts/values/moment.tsx';
import { detailsOutdated } from '../../../../queries/conversations/conversation-details.ts';
import classes from './sending.module.css';

interface ScheduledProps {
  conversationId: string;
  messages: readonly Message[];
  onClose: () => void;
}

/** What waits for its time, and can still be called off. */
export default function Scheduled({ conversationId, messages, onClose }: ScheduledProps) {
  const t = useTranslations('inbox');
  const textOf = useMessageText();
  const cancel = useMutation({
    mutationFn: (messageId: string) => gateway.conversations.cancelScheduled(conversationId, messageId),
    onSettled: () => detailsOutdated(conversationId),
  });
  return (
    <Dialog title={t('scheduled')} onClose={onClose}>
      <Problem error={cancel.error} />
      <ul className={classes.list}>
        {messages.map(({ messageId, text, sendAt, messageType }) => (
          <Flex
            component="li"
            gap="sm"
            align="flex-start"
            p="10px 12px"
            bg="var(--ground)"
            bdrs="md"
            key={messageId}
          >
            <span>
              <b>
                <Moment at={sendAt} />
              </b>
              <span dir="auto">{textOf({ text, messageType })}</span>
            </span>
            <IconButton
              icon="trash"
              iconSize={17}
              name={t('callOff')}
              onClick={() => cancel.mutate(messageId)}
              loading={cancel.isPending && cancel.variables === messageId}
            />
          </Flex>
        ))}
      </ul>
    </Dialog>
  );
}
