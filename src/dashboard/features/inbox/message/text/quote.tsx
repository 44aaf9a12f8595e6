import { UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { messageOfChatQuery } from '../../../../queries/conversations/conversation-items.ts';
import classes from './quote.module.css';

interface QuoteProps {
  messageId: string;
  chatName: string;
  onJump: (messageId: string) => void;
}

/** What a message answers; a press goes there. */
export function Quote({ messageId, chatName, onJump }: QuoteProps) {
  const t = useTranslations('inbox');
  const { data } = useQuery(messageOfChatQuery(messageId));
  const who = data?.direction === 'outbound' ? t('you') : chatName;
  const text =
    data === undefined
      ? ''
      : data.deletedAt !== undefined
        ? t('deleted')
        : data.text !== ''
          ? data.text
          : t('kind', { type: data.messageType });
  return (
    <UnstyledButton className={classes.quote} onClick={() => onJump(messageId)} title={t('toQuoted')}>
      <b>{data === undefined ? t('quoted') : who}</b>
      <span dir="auto">{text}</span>
    </UnstyledButton>
  );
}
