import { queryOptions } from '@tanstack/react-query';
import type { Segment } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';

/** Names of labels, as the newest contacts have them. */
export const contactLabelsQuery = queryOptions({
  queryKey: ['contacts', 'label names'],
  queryFn: async ({ signal }) => {
    const { data } = await gateway.contacts.list({}, { limit: 200, signal }).page();
    return [...new Set(data.flatMap(({ labels }) => labels))].sort();
  },
});

/** Parts of the contacts that somebody has given a name. */
export const segmentsQuery = queryOptions({
  queryKey: ['contacts', 'segments'],
  queryFn: async ({ signal }) => {
    const all: Segment[] = [];
    for await (const segment of gateway.segments.list({ limit: 200, signal })) all.push(segment);
    return all;
  },
});
