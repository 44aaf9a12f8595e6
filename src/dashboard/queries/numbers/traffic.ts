import { queryOptions } from '@tanstack/react-query';
import { gateway } from '../../gateway/client.ts';

/** The last 30 days, by day (UTC). */
export const monthTrafficQuery = queryOptions({
  queryKey: ['traffic', 'month'],
  queryFn: ({ signal }) => gateway.traffic({}, { signal }),
});

/** Today where the viewer is, by hour. */
export function todayTrafficQuery() {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return queryOptions({
    queryKey: ['traffic', 'today', midnight.toISOString()],
    queryFn: ({ signal }) => gateway.traffic({ interval: 'hour', since: midnight }, { signal }),
  });
}

/** The last 24 hours of each number, by hour. */
export const numbersTrafficQuery = queryOptions({
  queryKey: ['traffic', 'numbers'],
  queryFn: ({ signal }) => gateway.traffic({ interval: 'hour', groupBy: 'number' }, { signal }),
});
