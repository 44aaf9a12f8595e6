import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StreamEvent } from '../../../sdk/index.ts';
import { live } from '../../gateway/live.ts';
import { eventsQuery, type StreamFilter } from '../../queries/developers/events.ts';

/** Of those that came live; a page that stays open for a day must not grow for ever. */
const liveEventsMax = 1_000;

const matches = ({ event, data }: StreamEvent, filter: StreamFilter): boolean =>
  (filter.event === undefined || event === filter.event) &&
  (filter.numberId === undefined || ('numberId' in data && data.numberId === filter.numberId));

/**
 * The stream, newest first. While `isPaused`, what comes waits (`waiting`), so that nothing moves under the eyes of who
 * reads. Mount it anew for another filter.
 */
export function useStream(filter: StreamFilter, isPaused: boolean) {
  const { event, numberId } = filter;
  const past = useInfiniteQuery(eventsQuery(filter));
  const [arrived, setArrived] = useState<readonly StreamEvent[]>([]);
  const [shownCount, setShownCount] = useState(0);
  useEffect(
    () =>
      live.onEvent((one) => {
        const wanted = { ...(event && { event }), ...(numberId && { numberId }) };
        if (matches(one, wanted)) setArrived((all) => [one, ...all].slice(0, liveEventsMax));
      }),
    [event, numberId],
  );
  if (!isPaused && shownCount !== arrived.length) setShownCount(arrived.length);
  const waiting = arrived.length - shownCount;
  const older = (past.data?.pages ?? []).flatMap(({ data }) => data.toReversed());
  const known = new Set(older.map(({ id }) => id));
  const fresh = arrived.slice(waiting).filter(({ id }) => !known.has(id));
  return { past, waiting, events: [...fresh, ...older], freshIds: new Set(fresh.map(({ id }) => id)) };
}
