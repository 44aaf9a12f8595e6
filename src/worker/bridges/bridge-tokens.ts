import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  bridgeTokenPattern,
  enrolmentTokenPattern,
  fleetRegionNames,
} from '../../contract/bridge/bridge-token.ts';
import type { FleetRegion } from '../../durable/bridge-fleet/fleet-of.ts';

/** The token of this bridge. The same one each time it is made, so nobody has to store it. */
export function bridgeToken(bridgeId: string, checksumSecret: string, region: FleetRegion = null): string {
  const [named, proven] = region === null ? ['', bridgeId] : [`${region}_`, `${region}/${bridgeId}`];
  return `hb_${named}${bridgeId}_${checksum('bridge', proven, checksumSecret)}`;
}

/** Whom the token names; null where it was made with none of these secrets. No object is asked. */
export function bridgeOfToken(
  token: string,
  checksumSecrets: readonly string[],
): { bridgeId: string; region: FleetRegion } | null {
  const [, named, bridgeId, presented] = bridgeTokenPattern.exec(token) ?? [];
  if (bridgeId === undefined || presented === undefined) return null;
  const region = fleetRegionNames.find((name) => name === named) ?? null;
  const proven = named === undefined ? bridgeId : `${named}/${bridgeId}`;
  return isOurs('bridge', proven, presented, checksumSecrets) ? { bridgeId, region } : null;
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
    timingSafeEqual(Buffer.from(checksum(purpose, text, secret)), Buffer.from(presented)),
  );
}

function checksum(purpose: Purpose, text: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}/${text}`).digest('base64url');
}
