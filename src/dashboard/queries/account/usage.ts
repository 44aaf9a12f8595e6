import { queryOptions } from '@tanstack/react-query';
import { gateway } from '../../gateway/client.ts';

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: ({ signal }) => gateway.usage({ signal }),
});
