import { queryOptions } from '@tanstack/react-query';
import { NotFoundError, type Pairing, type StreamEvent } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';
import { numbersChanged, showNumber } from './numbers.ts';

/** What the phone is to be shown; null when no pairing is under way any more. */
export const pairingQuery = (numberId: string) =>
  queryOptions({
    queryKey: ['pairing', numberId],
    queryFn: async ({ signal }): Promise<Pairing | null> => {
      try {
        return await gateway.numbers.pairing(numberId, { signal });
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
  queryClient.setQueryData(pairingQuery(numberId).queryKey, isOver ? null : { method, qr, code, expiresAt });
  if (isOver) void numbersChanged();
}
