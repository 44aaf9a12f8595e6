import { Box, Flex, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import { Empty, nextPage, Problem, Waiting } from '../../../parts/feedback.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { conversationsQuery, countsQuery } from '../../../queries/conversations/conversation-lists.ts';
import { type Command, usePageCommands } from '../../../shell/commands/page-commands.ts';
import { filterOf, filtersSet, type InboxSearch, keepFilters } from '../inbox-search.ts';
import { useNotificationSwitch } from '../notifications.ts';
import classes from './conversation-list.module.css';
import { ConversationRows } from './conversation-rows.tsx';
import { ListSearch, StatusChoice } from './list-filters.tsx';

const FilterPanel = lazy(() => import('./filter-panel.tsx'));
const NewChat = lazy(() => import('./new-chat.tsx'));

const views = ['mine', 'unassigned', 'all', 'mentioned'] as const;

/** Conversations behind the filters of the address. */
export function ConversationList({ openId }: { openId: string | undefined }) {
  const t = useTranslations('inbox');
  const search = useSearch({ from: '/signed-in/inbox' });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: InboxSearch) => {
      const filters = (before: object) => ({ ...before, ...changes }) as InboxSearch;
      if (openId === undefined) void navigate({ to: '/inbox', search: filters, replace: true });
      else {
        const params = { conversationId: openId };
        void navigate({ to: '/inbox/$conversationId', params, search: filters, replace: true });
      }
    },
    [navigate, openId],
  );
  const query = useInfiniteQuery(conversationsQuery(filterOf(search)));
  const { data: counts } = useQuery(countsQuery);
  const conversations = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const [shown, setShown] = useState<'filters' | 'new' | null>(null);
  const notices = useNotificationSwitch();
  useListKeys(conversations, openId, () => setShown('new'));
  const set = filtersSet(search);
  const number = {
    mine: counts?.mine,
    unassigned: counts?.unassigned,
    all: counts?.open,
    mentioned: counts?.mentioned,
  };
  return (
    <section className={classes.column} aria-label={t('list')}>
      <header className={classes.header}>
        <Flex gap={2} align="center">
          <Box component="h1" flex={1} className={classes.title}>
            {t('title')}
          </Box>
          {notices.state !== 'missing' && (
            <IconButton
              icon={notices.state === 'on' ? 'bell' : 'bellOff'}
              name={t('notices')}
              onClick={notices.toggle}
              disabled={notices.state === 'denied'}
              aria-pressed={notices.state === 'on'}
              title={t(`noticesNow.${notices.state}`)}
            />
          )}
          <IconButton
            icon="settings"
            name={set > 0 ? t('filtersSet', { count: set }) : t('filters')}
            onClick={() => setShown(shown === 'filters' ? null : 'filters')}
            aria-expanded={shown === 'filters'}
            title={t('filters')}
            data-set={set > 0}
            className={classes.filter}
          />
          <IconButton icon="plus" name={t('newChat')} onClick={() => setShown('new')} />
        </Flex>
        <ListSearch value={search.q} onChange={(q) => change({ q })} />
        <nav className={classes.views} aria-label={t('views')}>
          {views.map((view) => (
            <UnstyledButton
              key={view}
              className={classes.view}
              aria-current={(search.view ?? 'all') === view}
              onClick={() => change({ view: view === 'all' ? undefined : view })}
            >
              {t(`view.${view}`)}
              {number[view] !== undefined && number[view] > 0 && <small>{number[view]}</small>}
            </UnstyledButton>
          ))}
        </nav>
        <Flex gap={4} justify="space-between">
          <StatusChoice search={search} onChange={change} />
        </Flex>
        <Suspense fallback={null}>
          {shown === 'filters' && <FilterPanel search={search} onChange={change} />}
        </Suspense>
      </header>
      {query.isPending && (
        <Box p={14}>
          <Waiting rows={7} height={60} />
        </Box>
      )}
      {query.error !== null && (
        <Box p={14}>
          <Problem error={query.error} onRetry={() => void query.refetch()} />
        </Box>
      )}
      {query.isSuccess && conversations.length === 0 && search.q === undefined && (
        <NoneHere search={search} />
      )}
      {query.isSuccess && (conversations.length > 0 || search.q !== undefined) && (
        <ConversationRows
          conversations={conversations}
          openId={openId}
          q={search.q}
          numberId={search.number}
          onEnd={nextPage(query)}
        />
      )}
      <Suspense fallback={null}>{shown === 'new' && <NewChat onClose={() => setShown(null)} />}</Suspense>
    </section>
  );
}

function NoneHere({ search }: { search: InboxSearch }) {
  const t = useTranslations('inbox');
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <Box p="24px 14px">
      <Empty
        icon="inbox"
        title={isFiltered ? t('noneFitTitle') : t('emptyTitle')}
        lead={isFiltered ? t('noneFitLead') : t('emptyLead')}
      />
    </Box>
  );
}

/** Up and down the list by keys. */
function useListKeys(conversations: readonly Conversation[], openId: string | undefined, onNew: () => void) {
  const t = useTranslations('inbox');
  const navigate = useNavigate();
  const now = useRef({ conversations, openId, onNew });
  now.current = { conversations, openId, onNew };
  const commands = useMemo((): Command[] => {
    const step = (by: 1 | -1) => () => {
      const { conversations: listed, openId: open } = now.current;
      const place = listed.findIndex(({ conversationId }) => conversationId === open);
      const next = listed[place === -1 ? 0 : place + by];
      if (next === undefined) return;
      void navigate({
        to: '/inbox/$conversationId',
        params: { conversationId: next.conversationId },
        search: keepFilters,
      });
    };
    return [
      { id: 'inbox-next', name: t('keys.next'), icon: 'forward', keys: ['j'], run: step(1) },
      { id: 'inbox-previous', name: t('keys.previous'), icon: 'back', keys: ['k'], run: step(-1) },
      { id: 'inbox-new', name: t('newChat'), icon: 'plus', keys: ['c'], run: () => now.current.onNew() },
    ];
  }, [t, navigate]);
  usePageCommands(commands);
}
