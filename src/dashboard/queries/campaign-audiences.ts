import { queryOptions } from '@tanstack/react-query';
import { gateway } from '../gateway/client.ts';

interface Segment {
  segmentId: string;
  name: string;
}

/** The names of labels that contacts may have. */
export const contactLabelsQuery = queryOptions({
  queryKey: ['contacts', 'label names'],
  queryFn: async () => {
    const { data } = await gateway.request<{ data: { name: string }[] }>({
      method: 'GET',
      path: '/v1/labels',
      query: { limit: 200 },
    });
    return data.map(({ name }) => name);
  },
});

/** Parts of the contacts that somebody has given a name. */
export const segmentsQuery = queryOptions({
  queryKey: ['contacts', 'segments'],
  queryFn: async () => {
    const { data } = await gateway.request<{ data: Segment[] }>({
      method: 'GET',
      path: '/v1/segments',
      query: { limit: 200 },
    });
    return data;
  },
});
