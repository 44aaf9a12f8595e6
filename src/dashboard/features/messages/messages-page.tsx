import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../sdk/index.ts';
import { Empty, nextPage, QueryState } from '../../parts/feedback.tsx';
import { Filter, TypedFilter } from '../../parts/fields/filters.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListWithPanel } from '../../parts/lists/list-page.tsx';
import { MessagePath } from '../../parts/values/message-path.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { otherSide } from '../../parts/values/phone-numbers.ts';
import { messagesQuery } from '../../queries/messages.ts';
import { useNumberOptions } from '../../queries/numbers.ts';
import { useLiveTail } from './live-tail.ts';
import { directions, type MessageSearch, statuses } from './message-filter.ts';
import classes from './messages.module.css';

type Changes = { [Name in keyof MessageSearch]?: MessageSearch[Name] | undefined };

/** Every message of the account; the filters stand in the address. */
export function MessagesPage() {
  const t = useTranslations('messages');
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const change = useCallback(
    (changes: Changes) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, ...changes }) as MessageSearch,
        replace: true,
      }),
    [navigate],
  );
  const query = useInfiniteQuery(messagesQuery(search));
  const messages = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  const send = (
    <Button component={Link} to="/messages/send" leftSection={<Icon name="send" size={16} />}>
      {t('sendTest')}
    </Button>
  );
  const list = (
    <Page title={t('title')} lead={t('lead')} actions={send}>
      <MessageFilters search={search} onChange={change} />
      <QueryState query={query} rows={8} />
      {messages?.length === 0 && <NoMessages filter={search} />}
      {messages !== undefined && messages.length > 0 && (
        <MessageTable messages={messages} filter={search} onEnd={nextPage(query)} />
      )}
    </Page>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function NoMessages({ filter }: { filter: MessageSearch }) {
  const t = useTranslations('messages');
  // The first one comes in by itself too.
  useLiveTail(filter, true);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Empty
      icon="messages"
      title={isFiltered ? t('noneFound') : t('emptyTitle')}
      lead={isFiltered ? t('noneFoundLead') : t('emptyLead')}
    />
  );
}

const rowHeight = 36;
/** So many rows before the end the next page is asked for. */
const rowsAhead = 40;

interface MessageTableProps {
  messages: readonly Message[];
  filter: MessageSearch;
  onEnd: () => void;
}

/** However many there are, only those on screen are drawn. */
function MessageTable({ messages, filter, onEnd }: MessageTableProps) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
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
        <span>{common('state')}</span>
        <span>{t('columnWith')}</span>
        <span className={classes.text}>{common('text')}</span>
        <span className={classes.time}>{common('time')}</span>
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
  const common = useTranslations('common');
  const search = useSearch({ from: '/signed-in/messages' });
  const { messageId: openId } = useParams({ strict: false });
  const { messageId, direction, text, messageType, chatType } = message;
  const at = message.queuedAt ?? message.receivedAt;
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
          {chatType === 'group' ? common('group') : otherSide(message)}
        </span>
        <span className={classes.text}>{text ?? common('messageOf', { type: messageType })}</span>
        <span className={classes.time}>
          <Moment at={at} brief={isNarrow} />
        </span>
      </Link>
    </li>
  );
});

interface MessageFiltersProps {
  search: MessageSearch;
  onChange: (changes: Changes) => void;
}

function MessageFilters({ search, onChange }: MessageFiltersProps) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const status = useTranslations('common.status');
  const numbers = useNumberOptions();
  return (
    <search className={classes.filters}>
      <TypedFilter isSearch label={t('search')} value={search.q} onChange={(q) => onChange({ q })} />
      <Filter
        aria-label={common('state')}
        any={t('anyStatus')}
        choices={statuses.map((value) => ({ value, label: status(value) }))}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      <Filter
        aria-label={t('direction')}
        any={t('anyDirection')}
        choices={directions.map((value) => ({ value, label: t(`directions.${value}`) }))}
        value={search.direction}
        onChange={(direction) => onChange({ direction })}
      />
      <Filter
        aria-label={common('number')}
        any={common('anyNumber')}
        choices={numbers}
        value={search.numberId}
        onChange={(numberId) => onChange({ numberId })}
      />
    </search>
  );
}
