import { ActionIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { IconButton } from '../../../parts/icon-button.tsx';
import { refreshMessage } from '../../../queries/conversations/conversation-items.ts';
import type { ChatMessage } from '../chat/timeline/timeline-rows.ts';
import classes from './bubble.module.css';

const quick = ['👍', '❤️', '😂', '😮', '🙏'] as const;
const editableMs = 15 * 60_000;
const deletableMs = 48 * 3_600_000;

interface BubbleActionsProps {
  message: ChatMessage;
  onReply: () => void;
  onEdit: () => void;
}

/** What can be done to a message: shown when it is pointed at, or reached by keyboard. */
export default function BubbleActions({ message, onReply, onEdit }: BubbleActionsProps) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const [shown, setShown] = useState<'reactions' | 'delete' | null>(null);
  const { messageId, direction, text, messageType, sentAt, sender, reactions = [], to } = message;
  const own = direction === 'inbound' ? to : sender?.phoneNumber;
  const given = reactions.find(({ from }) => from === own)?.emoji;
  const refresh = () => refreshMessage(messageId);
  const react = useMutation({
    mutationFn: (emoji: string) =>
      emoji === given ? gateway.messages.unreact(messageId) : gateway.messages.react(messageId, emoji),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: () => gateway.messages.delete(messageId), onSettled: refresh });
  const age = sentAt === null ? null : Date.now() - Date.parse(sentAt);
  const isOwn = direction === 'outbound' && age !== null;
  return (
    <fieldset className={classes.actions} data-shown={shown !== null} aria-label={t('actions')}>
      {shown === 'reactions' &&
        quick.map((emoji) => (
          <ActionIcon
            key={emoji}
            variant="subtle"
            size={28}
            aria-pressed={emoji === given}
            aria-label={t('reactWith', { emoji })}
            onClick={() => {
              react.mutate(emoji);
              setShown(null);
            }}
          >
            {emoji}
          </ActionIcon>
        ))}
      {shown === 'delete' && (
        <>
          <button type="button" className={classes.sure} onClick={() => remove.mutate()}>
            {t('takeBackNow')}
          </button>
          <button type="button" className={classes.sure} onClick={() => setShown(null)}>
            {common('cancel')}
          </button>
        </>
      )}
      {shown === null && (
        <>
          <Action icon="reply" name={t('reply')} onClick={onReply} />
          <Action icon="smile" name={t('react')} onClick={() => setShown('reactions')} />
          {text !== '' && (
            <Action
              icon="copy"
              name={common('copy')}
              onClick={() => void navigator.clipboard.writeText(text)}
            />
          )}
          {isOwn && messageType === 'text' && age < editableMs && (
            <Action icon="pencil" name={t('edit')} onClick={onEdit} />
          )}
          {isOwn && age < deletableMs && (
            <Action icon="trash" name={common('delete')} onClick={() => setShown('delete')} />
          )}
        </>
      )}
    </fieldset>
  );
}

function Action(props: ComponentProps<typeof IconButton>) {
  return <IconButton size={28} iconSize={16} {...props} />;
}
