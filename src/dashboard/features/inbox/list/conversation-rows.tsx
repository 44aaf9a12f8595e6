import { Box } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../sdk/index.ts';
import type { FoundMessage } from '../../../queries/conversations/chat-items.ts';
import { foundMessagesQuery, labelsQuery } from '../../../queries/conversations/conversation-details.ts';
import classes from './conversation-list.module.css';
import { ConversationRow } from './conversation-row.tsx';

const FoundRow = lazy(() => import('./found-row.tsx'));

const rowHeight = 76;
const headingHeight = 34;
/** So many rows before the end the next page is asked for. */
const rowsAhead = 30;

interface ConversationRowsProps {
  conversations: readonly Conversation[];
  openId: string | undefined;
  /** The words that were searched for: messages with them stand below. */
  q: string | undefined;
  numberId: string | undefined;
  onEnd: () => void;
}

type Row =
  | { kind: 'conversation'; conversation: Conversation }
  | { kind: 'heading'; text: string }
  | { kind: 'found'; found: FoundMessage };

/** However many there are, only those on screen are drawn. */
export function ConversationRows({ conversations, openId, q, numberId, onEnd }: ConversationRowsProps) {
  const t = useTranslations('inbox');
  const scroller = useRef<HTMLDivElement>(null);
  const found = useInfiniteQuery({ ...foundMessagesQuery(q ?? '', numberId), enabled: q !== undefined });
  const { fetchNextPage: findMore } = found;
  const mayFindMore = found.hasNextPage && !found.isFetching;
  const { data: labels } = useQuery(labelsQuery);
  const colours = useMemo(() => new Map(labels?.map(({ name, color }) => [name, color])), [labels]);
  const rows = useMemo((): Row[] => {
    const listed = conversations.map((conversation): Row => ({ kind: 'conversation', conversation }));
    if (q === undefined) return listed;
    const messages = found.data?.pages.flatMap(({ data }) => data) ?? [];
    const heading =
      messages.length > 0 ? t('inMessages') : found.isPending ? t('searching') : t('inNoMessage');
    return [
      ...listed,
      { kind: 'heading', text: heading },
      ...messages.map((one): Row => ({ kind: 'found', found: one })),
    ];
  }, [conversations, q, found.data, found.isPending, t]);
  // The same one while the rows are: with another one all of them are measured anew.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]) ?? index, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? headingHeight : rowHeight),
    overscan: 8,
    getItemKey,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last < conversations.length - rowsAhead) return;
    onEnd();
    if (q !== undefined && last >= rows.length - rowsAhead && mayFindMore) void findMore();
  }, [last, conversations.length, rows.length, onEnd, q, mayFindMore, findMore]);
  const now = useRef(rows);
  now.current = rows;
  const { scrollToIndex } = virtual;
  // When another one was opened, not when the list has moved.
  useEffect(() => {
    const place = now.current.findIndex((row) => keyOf(row) === openId);
    if (openId !== undefined && place >= 0) scrollToIndex(place, { align: 'auto' });
  }, [openId, scrollToIndex]);
  return (
    <div className={classes.scroller} ref={scroller}>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }} aria-label={t('conversations')}>
        {shown.map(({ index, key, start, size }) => {
          const row = rows[index];
          return (
            <li
              key={key}
              className={classes.place}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row?.kind === 'conversation' && (
                <ConversationRow
                  conversation={row.conversation}
                  isOpen={row.conversation.conversationId === openId}
                  colours={colours}
                />
              )}
              {row?.kind === 'heading' && (
                <Box component="h2" p="10px 14px 4px" c="dimmed" fz="xs" fw={600}>
                  {row.text}
                </Box>
              )}
              {row?.kind === 'found' && (
                <Suspense fallback={null}>
                  <FoundRow found={row.found} q={q ?? ''} />
                </Suspense>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function keyOf(row: Row | undefined): string | undefined {
  if (row?.kind === 'conversation') return row.conversation.conversationId;
  return row?.kind === 'found' ? row.found.message.messageId : row?.text;
}
