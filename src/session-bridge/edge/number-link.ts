import { linkCloseCodes } from '../../contract/bridge/bridge-frames.ts';
import type { Lease } from '../journal/leases.ts';

/** Where the link of a number is opened. The edge lets in only the bridge that its fleet has given this lease. */
export function numberLinkUrl(gatewayUrl: string, { numberId, epoch }: Lease): string {
  return `${gatewayUrl}/bridge/numbers/${numberId}?epoch=${epoch}`;
}

/** How the edge refuses the upgrade of a link whose lease is over. */
const staleEpochStatus = 409;

/** How a number says that it does not believe the grant. Anything else that it cannot do with one is meant too. */
const grantRefusals: number[] = [400, 403];

export function isGrantRefusal(status: number): boolean {
  return grantRefusals.includes(status);
}

/** What the end of a number's link means, by its close code or the status of a refused upgrade. */
export function afterNumberLink(code: number): 'reconnect' | 'reconnect slowly' | 'stale epoch' | 'gone' {
  switch (code) {
    case linkCloseCodes.gone:
      return 'gone';
    case linkCloseCodes.staleEpoch:
    case staleEpochStatus:
      return 'stale epoch';
    // Replaced by another process under our identity, or misunderstood: coming back at once would only fight.
    case linkCloseCodes.revoked:
    case linkCloseCodes.replaced:
    case linkCloseCodes.protocolError:
      return 'reconnect slowly';
    default:
      return 'reconnect';
  }
}
