import { queryOptions } from '@tanstack/react-query';
import type { Bridge } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { queryClient, showStored } from '../gateway/query-client.ts';

/** No event of an account tells how the gateway's own machines do. */
const lookEveryMs = 5_000;

export const bridgesQuery = queryOptions({
  queryKey: ['bridges'],
  queryFn: ({ signal }) => gateway.bridges.list({ signal }),
  staleTime: 0,
  refetchInterval: lookEveryMs,
});

/** What the gateway has stored is what is shown. */
export function showBridge(bridge: Bridge): void {
  showStored(
    bridgesQuery.queryKey,
    (all) =>
      all && { ...all, data: all.data.map((one) => (one.bridgeId === bridge.bridgeId ? bridge : one)) },
  );
}

export const bridgesChanged = () => queryClient.invalidateQueries({ queryKey: bridgesQuery.queryKey });
