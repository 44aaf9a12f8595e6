import { queryOptions, useQuery } from '@tanstack/react-query';
import { NotFoundError, type Pairing, type PhoneNumber, type StreamEvent } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored, withStored } from '../gateway/query-client.ts';

const key = ['numbers'] as const;

/** Every number of the account: there are few. */
export const numbersQuery = queryOptions({
  queryKey: [...key, 'all'],
  queryFn: ({ signal }) => Array.fromAsync(gateway.numbers.list({ limit: 200, signal })),
});

/** What a number is called, where it is known. */
export function useNumberLabel() {
  const { data: numbers = [] } = useQuery(numbersQuery);
  return (id: string | null | undefined) => numbers.find(({ numberId }) => numberId === id)?.label;
}

/** Every number, as a field offers them. */
export function useNumberOptions() {
  const { data: numbers = [] } = useQuery(numbersQuery);
  return numbers.map(({ numberId, label }) => ({ value: numberId, label }));
}

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
  showStored(numberQuery(number.numberId).queryKey, number);
  showStored(numbersQuery.queryKey, (all) => withStored(all, number, ({ numberId }) => numberId));
}

export const numbersChanged = (deletedId?: string) => changed(key, deletedId);

/** What the phone is to be shown; null when no pairing is under way any more. */
export const pairingQuery = (numberId: string) =>
  queryOptions({
    queryKey: ['pairing', numberId],
    queryFn: async ({ signal }): Promise<Pairing | null> => {
      try {
        const pairing = await gateway.numbers.pairing(numberId, { signal });
        // While there is nothing to show, the number says why.
        if ((pairing.qr ?? pairing.code) === null)
          showNumber(await gateway.numbers.get(numberId, { signal }));
        return pairing;
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        // It is over: the number says how it ended.
        showNumber(await gateway.numbers.get(numberId, { signal }));
        return null;
      }
    },
    refetchOnMount: 'always',
  });

/** A fresh code is shown as it comes. */
export function movePairing(event: StreamEvent): void {
  if (event.event !== 'device.pairing') return;
  const { numberId, method, qr = null, code = null, expiresAt } = event.data;
  const isOver = (qr ?? code) === null;
  const { queryKey } = pairingQuery(numberId);
  const hadCode = typeof queryClient.getQueryData(queryKey)?.expiresAt === 'string';
  showStored(queryKey, isOver ? null : { method, qr, code, expiresAt });
  // With the first code, what has kept it back is over.
  if (isOver || !hadCode) void numbersChanged();
}

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
