import { useEffect, useRef, useState } from 'react';
import { live } from '../../gateway/live.ts';
import { loadNewMessages } from '../../queries/messages.ts';
import type { MessageSearch } from './message-filter.ts';

/** Under a stream of messages the list is asked for at most this often. */
const loadEveryMs = 1_000;
/** As long as a row glows. */
const freshForMs = 1_500;

/**
 * New messages come in by themselves while the top of the list is on screen; further down they are counted, and wait until
 * they are asked for.
 */
export function useLiveTail(filter: MessageSearch, isAtTop: boolean) {
  const [waiting, setWaiting] = useState(0);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const state = useRef({ filter, isAtTop });
  state.current = { filter, isAtTop };
  const loading = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const load = useRef((ids: readonly string[]) => {
    setWaiting(0);
    setFresh((before) => new Set([...before, ...ids]));
    setTimeout(() => setFresh(new Set()), freshForMs + loadEveryMs);
    loading.current ??= setTimeout(() => {
      loading.current = undefined;
      // What fails here comes with the next message, or when the list is asked for again.
      void loadNewMessages(state.current.filter).catch(() => {});
    }, loadEveryMs / 4);
  }).current;

  useEffect(
    () =>
      live.onEvent(({ event, data }) => {
        if (event !== 'message.queued' && event !== 'message.received') return;
        const { numberId, direction } = state.current.filter;
        if (numberId !== undefined && numberId !== data.numberId) return;
        if (direction !== undefined && (direction === 'inbound') !== (event === 'message.received')) return;
        if (state.current.isAtTop) load([data.messageId]);
        else setWaiting((count) => count + 1);
      }),
    [load],
  );
  useEffect(() => () => clearTimeout(loading.current), []);
  return { waiting, fresh, show: () => load([]) };
}
