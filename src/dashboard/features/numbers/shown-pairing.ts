import { useQuery } from '@tanstack/react-query';
import { NotFoundError, type PhoneNumber } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { pairingQueryKey, showNumber } from '../../queries/numbers.ts';

/** The network replaces a QR code when it likes, and says so to nobody who waits: it is looked up while one is shown. */
const lookEveryMs = 1_500;

/** What is to be shown now; undefined while there is none. */
export function useShownPairing(number: PhoneNumber) {
  const isUnderWay = number.state === 'pairing';
  const { data } = useQuery({
    queryKey: pairingQueryKey(number.numberId),
    queryFn: async ({ signal }) => {
      try {
        return await gateway.numbers.pairing(number.numberId, { signal });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        // It is over: the number says how it ended.
        showNumber(await gateway.numbers.get(number.numberId, { signal }));
        return null;
      }
    },
    enabled: isUnderWay,
    refetchInterval: isUnderWay && lookEveryMs,
  });
  return isUnderWay ? data : null;
}
