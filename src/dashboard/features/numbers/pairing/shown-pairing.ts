import { useQuery } from '@tanstack/react-query';
import type { PhoneNumber } from '../../../../sdk/index.ts';
import { pairingQuery } from '../../../queries/numbers/pairing.ts';

/** A code that no fresh one has followed by then: it is asked whether the pairing goes on. */
const lateMs = 3_000;

/** What is to be shown now; undefined while there is none. Every fresh code comes by the stream of events. */
export function useShownPairing(number: PhoneNumber) {
  const isUnderWay = number.state === 'pairing';
  const { data } = useQuery({
    ...pairingQuery(number.numberId),
    enabled: isUnderWay,
    refetchInterval: ({ state }) => {
      const expiresAt = state.data?.expiresAt ?? null;
      return expiresAt === null ? lateMs : Math.max(0, Date.parse(expiresAt) - Date.now()) + lateMs;
    },
  });
  return isUnderWay ? data : null;
}
