import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListWithPanel } from '../../parts/lists/list-with-panel.tsx';
import { messagesQuery } from '../../queries/messages.ts';
import { useLiveTail } from './table/live-tail.ts';
import type { MessageSearch } from './table/message-filter.ts';
import { MessageFilters } from './table/message-filters.tsx';
import { MessageTable } from './table/message-table.tsx';

/** Every message of the account; the filters stand in the address. */
export function MessagesPage() {
  const t = useTranslations('messages');
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const change = useCallback(
    (changes: MessageSearch) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, ...changes }),
        replace: true,
      }),
    [navigate],
  );
  const query = useInfiniteQuery(messagesQuery(search));
  // Read while it is drawn, so that it is drawn again, and its end looked for again, when the list has been asked for.
  const mayLoadMore = query.hasNextPage && !query.isFetching;
  const messages = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  const send = (
    <Button component={Link} to="/messages/send" leftSection={<Icon name="send" size={16} />}>
      {t('sendTest')}
    </Button>
  );
  const list = (
    <Page title={t('title')} lead={t('lead')} actions={send}>
      <MessageFilters search={search} onChange={change} />
      {query.isPending && <Waiting rows={8} />}
      <Problem error={query.error} onRetry={() => void query.refetch()} />
      {messages?.length === 0 && <NoMessages filter={search} />}
      {messages !== undefined && messages.length > 0 && (
        <MessageTable
          messages={messages}
          filter={search}
          onEnd={() => {
            if (mayLoadMore) void query.fetchNextPage();
          }}
        />
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
