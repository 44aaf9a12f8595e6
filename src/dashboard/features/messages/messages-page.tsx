import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { memo, useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Message } from '../../../sdk/index.ts';
import { Empty, nextPage, QueryState } from '../../parts/feedback.tsx';
import { Filter, TypedFilter } from '../../parts/fields/filters.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListWithPanel } from '../../parts/lists/list-page.tsx';
import { LongTable, rowClass, useLongTable } from '../../parts/lists/long-table.tsx';
import { MessagePath } from '../../parts/values/message-path.tsx';
import { useMessageText } from '../../parts/values/message-text.ts';
import { Moment } from '../../parts/values/moment.tsx';
import { otherSide } from '../../parts/values/phone-numbers.ts';
import { messagesQuery } from '../../queries/messages.ts';
import { useNumberOptions } from '../../queries/numbers.ts';
import { useLiveTail } from './live-tail.ts';
import { directions, type MessageSearch, statuses } from './message-filter.ts';
import classes from './messages.module.css';

type Changes = { [Name in keyof MessageSearch]?: MessageSearch[Name] | undefined };

/** Every message of the account; the filters stand in the address. */
export default function MessagesPage() {
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

interface MessageTableProps {
  messages: readonly Message[];
  filter: MessageSearch;
  onEnd: () => void;
}

const idOf = ({ messageId }: Message) => messageId;

function MessageTable({ messages, filter, onEnd }: MessageTableProps) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const table = useLongTable(messages, idOf, onEnd);
  const tail = useLiveTail(filter, table.isAtTop);
  const head = (
    <>
      <span>{common('state')}</span>
      <span>{t('columnWith')}</span>
      <span className={classes.text}>{common('text')}</span>
      <span className={classes.time}>{common('time')}</span>
    </>
  );
  return (
    <LongTable
      table={table}
      name={t('title')}
      className={classes.table}
      head={head}
      row={(message) => (
        <Row message={message} isNew={tail.fresh.has(message.messageId)} isNarrow={isNarrow} />
      )}
    >
      {tail.waiting > 0 && (
        <Button
          className={classes.more}
          size="xs"
          onClick={() => {
            table.virtual.scrollToOffset(0);
            tail.show();
          }}
        >
          {t('newOnes', { count: tail.waiting })}
        </Button>
      )}
    </LongTable>
  );
}

interface RowProps {
  message: Message;
  isNew: boolean;
  /** On a phone the other side has the room. */
  isNarrow: boolean;
}

const Row = memo(function Row({ message, isNew, isNarrow }: RowProps) {
  const t = useTranslations('messages');
  const common = useTranslations('common');
  const textOf = useMessageText();
  const search = useSearch({ from: '/signed-in/messages' });
  const { messageId: openId } = useParams({ strict: false });
  const { messageId, direction, chatType } = message;
  const at = message.queuedAt ?? message.receivedAt;
  return (
    <Link
      to="/messages/$messageId"
      params={{ messageId }}
      search={search}
      className={rowClass}
      data-open={messageId === openId}
      data-new={isNew}
    >
      <MessagePath message={message} />
      <span className={classes.other} title={t(`directions.${direction}`)}>
        <Icon name={direction} size={14} />
        {chatType === 'group' ? common('group') : otherSide(message)}
      </span>
      <span className={classes.text}>{textOf(message)}</span>
      <span className={classes.time}>
        <Moment at={at} brief={isNarrow} />
      </span>
    </Link>
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
