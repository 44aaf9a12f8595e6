import { Box, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl';
import type { Conversation } from '../../../../../sdk/index.ts';
import { Problem, Waiting } from '../../../../parts/feedback.tsx';
import { Icon } from '../../../../parts/icon.tsx';
import { SmallButton } from '../../../../parts/small-button.tsx';
import { type ChatItem, idOf } from '../../../../queries/conversations/chat-items.ts';
import { activityQuery } from '../../../../queries/conversations/conversation-details.ts';
import { itemsQuery } from '../../../../queries/conversations/conversation-items.ts';
import classes from './timeline.module.css';
import { type ChatMessage, type TimelineRow, timelineRows } from './timeline-rows.ts';

/** Asked for at once, beside the messages themselves. */
const entry = import('./entry.tsx');
const Entry = lazy(() => entry);

/** So many rows before the end of what is loaded the next page is asked for. */
const rowsAhead = 15;
/** As close to the end as counts as being there. */
const endPixels = 80;
const glowMs = 1_600;

interface TimelineProps {
  conversation: Conversation;
  chatName: string;
  /** The window begins before this time; null: at the newest message. */
  until: string | null;
  /** What to show first in a window that begins elsewhere. */
  messageId: string | undefined;
  onReply: (message: ChatMessage) => void;
  /** A message that is not loaded. */
  onJumpAway: (messageId: string) => void;
  onNewest: () => void;
  /** What is on its way, at the end. */
  pending: ReactNode;
}

/** The chat: however long it is, only what is on screen is drawn. It opens at the newest message. */
export function Timeline(props: TimelineProps) {
  const { conversation, chatName, until, messageId, onReply, onJumpAway, onNewest, pending } = props;
  const { conversationId } = conversation;
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const query = useInfiniteQuery(itemsQuery(conversationId, until));
  const { data: activity } = useQuery(activityQuery(conversationId));
  const items = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data]);
  const firstUnread = useFirstUnread(conversation, items);
  const isWhole = query.isSuccess && !query.hasNextPage;
  const rows = useMemo(
    () => timelineRows({ items, activities: activity?.data ?? [], isWhole, firstUnread }),
    [items, activity, isWhole, firstUnread],
  );
  const scroller = useRef<HTMLDivElement>(null);
  // The same one while the rows are: with another one all of them are measured anew.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(rows[index]),
    getItemKey,
    overscan: 8,
    // What is loaded above moves nothing, and what comes in is followed by who looks at the end.
    anchorTo: 'end',
    followOnAppend: until === null,
    scrollEndThreshold: endPixels,
    paddingEnd: 12,
  });
  const [glowing, setGlowing] = useState<string | null>(null);
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (isPlaced.current || rows.length === 0) return;
    isPlaced.current = true;
    const wanted = messageId ?? (firstUnread === null ? undefined : 'unread');
    const place = rows.findIndex(({ key }) => key === wanted);
    if (place < 0) virtual.scrollToEnd();
    else virtual.scrollToIndex(place, { align: messageId === undefined ? 'start' : 'center' });
    if (messageId !== undefined) setGlowing(messageId);
  }, [rows, messageId, firstUnread, virtual]);
  useEffect(() => {
    if (glowing === null) return;
    const timer = setTimeout(() => setGlowing(null), glowMs);
    return () => clearTimeout(timer);
  }, [glowing]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || until !== null) return;
    let height = element.clientHeight;
    // Whoever is at the end stays there when something below takes room.
    const watch = new ResizeObserver(() => {
      const lost = height - element.clientHeight;
      height = element.clientHeight;
      const below = element.scrollHeight - element.scrollTop - height;
      if (lost > 0 && below - lost < endPixels) element.scrollTop = element.scrollHeight;
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [until]);
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  const { hasNextPage, isFetching, fetchNextPage, hasPreviousPage, fetchPreviousPage } = query;
  useEffect(() => {
    if (!isPlaced.current || isFetching) return;
    if (first < rowsAhead && hasNextPage) void fetchNextPage();
    else if (last >= rows.length - rowsAhead && hasPreviousPage) void fetchPreviousPage();
  }, [first, last, rows.length, hasNextPage, isFetching, fetchNextPage, hasPreviousPage, fetchPreviousPage]);
  const known = useRef(rows);
  known.current = rows;
  const jump = useCallback(
    (wanted: string) => {
      const place = known.current.findIndex(({ key }) => key === wanted);
      if (place < 0) return onJumpAway(wanted);
      virtual.scrollToIndex(place, { align: 'center' });
      setGlowing(wanted);
    },
    [virtual, onJumpAway],
  );
  const isAtEnd = until === null && (rows.length === 0 || virtual.isAtEnd(endPixels * 4));
  return (
    <Box pos="relative" flex={1} mih={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard. */}
      <section className={classes.scroller} ref={scroller} aria-label={t('messages')} tabIndex={0}>
        {query.isPending && (
          <Box p="lg">
            <Waiting rows={5} height={48} />
          </Box>
        )}
        <Problem error={query.error} onRetry={() => void query.refetch()} />
        {query.isSuccess && rows.length === 0 && (
          <Text m="auto" p={24} c="dimmed" ta="center">
            {common('noMessages')}
          </Text>
        )}
        <Box flex={1} />
        <ol className={classes.rows} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const row = rows[index];
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-glowing={key === glowing}
                className={classes.place}
                style={{ transform: `translateY(${start}px)` }}
              >
                {row !== undefined && (
                  <Suspense fallback={<div style={{ height: estimate(row) }} />}>
                    <Entry
                      row={row}
                      chatName={chatName}
                      isGroup={conversation.group !== null}
                      onReply={onReply}
                      onJump={jump}
                    />
                  </Suspense>
                )}
              </li>
            );
          })}
        </ol>
        {pending}
      </section>
      {!isAtEnd && (
        <SmallButton
          className={classes.newest}
          radius="xl"
          leftSection={<Icon name="down" size={14} />}
          onClick={() => (until === null ? virtual.scrollToEnd() : onNewest())}
        >
          {t('toNewest')}
        </SmallButton>
      )}
    </Box>
  );
}

/** About as high as it will be: measured once it is on screen. */
function estimate(row: TimelineRow | undefined): number {
  if (row?.kind !== 'message') return row?.kind === 'note' ? 70 : 34;
  const { messageType, text } = row.message;
  const lines = Math.ceil(text.length / 70);
  const heights: Partial<Record<typeof messageType, number>> = {
    text: 0,
    unsupported: 0,
    image: 240,
    video: 240,
    sticker: 150,
    audio: 44,
    document: 60,
    poll: 140,
  };
  return 36 + lines * 20 + (heights[messageType] ?? 90);
}

/** The first of the messages that nobody had read when the chat was opened: the line above it stays while it is open. */
function useFirstUnread(conversation: Conversation, items: readonly ChatItem[]) {
  const opened = useRef({ id: conversation.conversationId, count: conversation.unreadCount });
  if (opened.current.id !== conversation.conversationId) {
    opened.current = { id: conversation.conversationId, count: conversation.unreadCount };
  }
  const found = useRef<{ chat: string; id: string; count: number } | null>(null);
  return useMemo(() => {
    const { id: chat, count } = opened.current;
    if (found.current?.chat === chat) return found.current;
    if (count === 0) return null;
    let left = count;
    for (const item of items) {
      if (item.kind !== 'message' || item.message.direction !== 'inbound') continue;
      left -= 1;
      if (left > 0) continue;
      found.current = { chat, id: idOf(item), count };
      return found.current;
    }
    return null;
  }, [items]);
}
