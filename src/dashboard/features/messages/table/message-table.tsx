import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../../sdk/index.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MessagePath } from '../../../parts/values/message-path.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/readable-phone.ts';
import { useLiveTail } from './live-tail.ts';
import type { MessageSearch } from './message-filter.ts';
import classes from './message-table.module.css';

const rowHeight = 36;
/** So many rows before the end the next page is asked for. */
const rowsAhead = 40;

interface MessageTableProps {
  messages: readonly Message[];
  filter: MessageSearch;
  onEnd: () => void;
}

/** However many there are, only those on screen are drawn. */
export function MessageTable({ messages, filter, onEnd }: MessageTableProps) {
  const t = useTranslations('messages');
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= messages.length - rowsAhead) onEnd();
  }, [last, messages.length, onEnd]);
  const isAtTop = (rows.scrollOffset ?? 0) < rowHeight;
  const tail = useLiveTail(filter, isAtTop);
  return (
    <div className={classes.frame}>
      <div className={classes.head} aria-hidden="true">
        <span>{t('columnStatus')}</span>
        <span>{t('columnWith')}</span>
        <span className={classes.text}>{t('columnText')}</span>
        <span className={classes.time}>{t('columnTime')}</span>
      </div>
      {tail.waiting > 0 && (
        <Button
          className={classes.more}
          size="xs"
          onClick={() => {
            rows.scrollToOffset(0);
            tail.show();
          }}
        >
          {t('newOnes', { count: tail.waiting })}
        </Button>
      )}
      <div className={classes.scroller} ref={scroller}>
        <ul className={classes.rows} style={{ height: rows.getTotalSize() }} aria-label={t('title')}>
          {shown.map(({ index, start }) => {
            const message = messages[index];
            return message === undefined ? null : (
              <Row
                key={message.messageId}
                message={message}
                top={start}
                isNew={tail.fresh.has(message.messageId)}
                isNarrow={isNarrow}
              />
            );
          })}
        </ul>
      </div>
    </div>
  );
}

interface RowProps {
  message: Message;
  top: number;
  isNew: boolean;
  /** On a phone the other side has the room. */
  isNarrow: boolean;
}

const Row = memo(function Row({ message, top, isNew, isNarrow }: RowProps) {
  const t = useTranslations('messages');
  const search = useSearch({ from: '/signed-in/messages' });
  const { messageId: openId } = useParams({ strict: false });
  const { messageId, direction, text, messageType, chatType } = message;
  const at = message.queuedAt ?? message.receivedAt;
  const other = direction === 'inbound' ? (message.from ?? '') : (message.to ?? '–');
  return (
    <li className={classes.place} style={{ transform: `translateY(${top}px)` }}>
      <Link
        to="/messages/$messageId"
        params={{ messageId }}
        search={search}
        className={classes.row}
        data-open={messageId === openId}
        data-new={isNew}
      >
        <MessagePath message={message} />
        <span className={classes.other} title={t(`directions.${direction}`)}>
          <Icon name={direction} size={14} />
          {chatType === 'group' ? t('group') : readable(other)}
        </span>
        <span className={classes.text}>{text ?? t('type', { type: messageType })}</span>
        <span className={classes.time}>
          <Moment at={at} brief={isNarrow} />
        </span>
      </Link>
    </li>
  );
});
