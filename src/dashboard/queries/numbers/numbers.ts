import { queryOptions } from '@tanstack/react-query';
import type { PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { changed, queryClient } from '../../gateway/query-client.ts';

const key = ['numbers'] as const;

/** Every number of the account: there are few. */
export const numbersQuery = queryOptions({
  queryKey: [...key, 'all'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.numbers.list({ limit: 200, signal })),
});

export const numberQuery = (numberId: string) =>
  queryOptions({
    queryKey: [...key, 'one', numberId],
    queryFn: ({ signal }) => gateway.numbers.get(numberId, { signal }),
    placeholderData: () =>
      queryClient.getQueryData(numbersQuery.queryKey)?.find((number) => number.numberId === numberId),
  });

export const numberHealthQuery = (numberId: string) =>
  queryOptions({
    queryKey: [...key, 'health', numberId],
    queryFn: ({ signal }) => gateway.numbers.health(numberId, { signal }),
  });

/** What the gateway has stored is what is shown, in the list as on its page. */
export function showNumber(number: PhoneNumber): void {
  queryClient.setQueryData(numberQuery(number.numberId).queryKey, number);
  queryClient.setQueryData(numbersQuery.queryKey, (all) => {
    if (all === undefined) return all;
    const isKnown = all.some(({ numberId }) => numberId === number.numberId);
    return isKnown ? all.map((one) => (one.numberId === number.numberId ? number : one)) : [number, ...all];
  });
}

export const numbersChanged = (deletedId?: string) => changed(key, deletedId);
