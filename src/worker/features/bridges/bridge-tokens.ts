import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  bridgeTokenPattern,
  enrolmentTokenPattern,
  fleetRegionNames,
} from '../../../contract/bridge/bridge-token.ts';
import type { FleetRegion } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { ShownBridge } from '../../../durable/bridge-fleet/verbs/operator-verbs.ts';
import { derivedKey } from '../../../durable/bridge-grants.ts';

/** Whom a token names: the bridge, its fleet, and what the fleet drew when it let the bridge in. */
interface BridgeName {
  bridgeId: string;
  region: FleetRegion;
  /** 16 bytes in hex; null in tokens of earlier releases. */
  generation: string | null;
}

/** The token of this bridge. The same one each time it is made, so nobody has to store it. */
export function bridgeToken(
  bridgeId: string,
  checksumSecret: string,
  region: FleetRegion = null,
  generation: string | null = null,
): string {
  const named = region === null ? '' : `${region}_`;
  const drawn = generation === null ? '' : `_${generation}`;
  const proven = provenOf({ bridgeId, region, generation });
  return `hb_${named}${bridgeId}${drawn}_${checksum('bridge', proven, checksumSecret)}`;
}

const provenOf = ({ bridgeId, region, generation }: BridgeName) =>
  [region, bridgeId, generation].filter((part) => part !== null).join('/');

/** Whom the token names; null where it was made with none of these secrets. No object is asked. */
export function bridgeOfToken(token: string, checksumSecrets: readonly string[]): BridgeName | null {
  const [, named, bridgeId, generation = null, presented] = bridgeTokenPattern.exec(token) ?? [];
  if (bridgeId === undefined || presented === undefined) return null;
  const region = fleetRegionNames.find((name) => name === named) ?? null;
  if (named !== undefined && region === null) return null;
  const name = { bridgeId, region, generation };
  return isOurs('bridge', provenOf(name), presented, checksumSecrets) ? name : null;
}

/** A new token that lets one bridge in. Shown once; only its hash is stored. */
export function newEnrolmentToken(checksumSecret: string): { token: string; tokenHash: string } {
  const secret = randomBytes(32).toString('base64url');
  const token = `hbe_${secret}_${checksum('enrolment', secret, checksumSecret)}`;
  return { token, tokenHash: hashEnrolmentToken(token) };
}

/** Whether this gateway has made the token; whether it is still good, the fleet knows. */
export function isEnrolmentToken(token: string, checksumSecrets: readonly string[]): boolean {
  const [, secret, presented] = enrolmentTokenPattern.exec(token) ?? [];
  if (secret === undefined || presented === undefined) return false;
  return isOurs('enrolment', secret, presented, checksumSecrets);
}

/** Lower-case hex SHA-256. */
export const hashEnrolmentToken = (token: string): string => hash('sha256', token);

type Purpose = 'bridge' | 'enrolment';

function isOurs(purpose: Purpose, text: string, presented: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) =>
    [checksum(purpose, text, secret), formerChecksum(purpose, text, secret)].some((ours) =>
      timingSafeEqual(Buffer.from(ours), Buffer.from(presented)),
    ),
  );
}

const checksum = (purpose: Purpose, text: string, secret: string) =>
  createHmac('sha256', derivedKey(secret, purpose)).update(text).digest('base64url');

/** As earlier releases made it: bridges keep their tokens for as long as they live. */
const formerChecksum = (purpose: Purpose, text: string, secret: string) =>
  createHmac('sha256', secret).update(`${purpose}/${text}`).digest('base64url');

export type BridgeState = 'revoked' | 'linked' | 'away' | 'expired';

/** How a bridge is at this time (milliseconds since 1970), in one word. */
export function bridgeState({ revokedAt, isLinked, leasesUntil }: ShownBridge, now: number): BridgeState {
  if (revokedAt) return 'revoked';
  if (isLinked) return 'linked';
  return leasesUntil !== null && leasesUntil <= now ? 'expired' : 'away';
}
