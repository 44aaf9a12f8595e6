import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { cutText } from '../../../../contract/texts/text.ts';
import { Icon } from '../../../parts/icon.tsx';
import { otherSide } from '../../../parts/values/phone-numbers.ts';
import type { FoundMessage } from '../../../queries/conversations/chat-items.ts';
import { jumpTo } from '../inbox-search.ts';
import classes from './conversation-row.module.css';
import { ShortTime } from './short-time.tsx';

/** Letters before the word that was found. */
const before = 30;

/** A message with the words that were searched for; it is shown in its chat. */
export default function FoundRow({
  found: { conversationId, message },
  q,
}: {
  found: FoundMessage;
  q: string;
}) {
  const t = useTranslations('common');
  const { text, direction, messageId } = message;
  const at = message.receivedAt ?? message.queuedAt ?? '';
  const content = (
    <>
      <Icon name={direction} size={16} />
      <Stack component="span" gap={1} flex={1} miw={0}>
        <span className={classes.line}>
          <span className={classes.name}>
            {message.chatType === 'group' ? t('group') : otherSide(message)}
          </span>
          {at !== '' && <ShortTime at={at} />}
        </span>
        <span className={classes.found} dir="auto">
          {around(text, q)}
        </span>
      </Stack>
    </>
  );
  if (conversationId === null) {
    return (
      <Link to="/messages/$messageId" params={{ messageId }} className={classes.row}>
        {content}
      </Link>
    );
  }
  return (
    <Link
      to="/inbox/$conversationId"
      params={{ conversationId }}
      search={jumpTo({ at, message: messageId })}
      className={classes.row}
    >
      {content}
    </Link>
  );
}

function around(text: string, q: string): string {
  const [word = ''] = q.trim().split(/\s+/);
  const place = text.toLowerCase().indexOf(word.toLowerCase());
  return place > before ? `…${text.slice(cutText(text, place - before).length)}` : text;
}
