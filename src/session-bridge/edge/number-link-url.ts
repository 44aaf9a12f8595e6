import type { Lease } from '../journal/leases.ts';

/** Where the link of a number is opened. The edge lets in only the bridge that its fleet has given this lease. */
export function numberLinkUrl(gatewayUrl: string, { numberId, epoch }: Lease): string {
  return `${gatewayUrl}/bridge/numbers/${numberId}?epoch=${epoch}`;
}
