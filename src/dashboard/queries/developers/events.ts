import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  CursorExpiredError,
  type EventName,
  InvalidRequestError,
  type StreamEvent,
} from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';

export interface StreamFilter {
  event?: EventName;
  numberId?: string;
}

const key = ['events'] as const;
const pageEvents = 50;

const asked = ({ event, numberId }: StreamFilter) => ({
  ...(event && { events: [event] }),
  ...(numberId && { numberId }),
});

/** The newest events backwards, page by page; what happens from then on comes by the live connection. */
export const eventsQuery = (filter: StreamFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'list', filter],
    // What has happened since it was looked at last is not in it.
    staleTime: 0,
    gcTime: 0,
    initialPageParam: 'now',
    queryFn: ({ pageParam, signal }) =>
      gateway.events.list(asked(filter), { before: pageParam, limit: pageEvents, signal }),
    getNextPageParam: ({ nextCursor, hasMore }) => (hasMore ? nextCursor : null),
  });

/** One event by its place in the stream; null where that is too old, or none at all. */
export const eventQuery = (cursor: string) =>
  queryOptions({
    queryKey: [...key, 'one', cursor],
    queryFn: async ({ signal }): Promise<StreamEvent | null> => {
      try {
        const { data } = await gateway.events.list({}, { before: cursor, limit: 1, signal });
        return data.find((event) => event.cursor === cursor) ?? null;
      } catch (error) {
        if (error instanceof CursorExpiredError || error instanceof InvalidRequestError) return null;
        throw error;
      }
    },
  });
