import { createHash } from 'node:crypto';
import { leaseMs } from '../event-log/deliveries/delivery-order.ts';

/** Callbacks to one host that all accounts of a deployment have under way at a time by their shares. */
export const callbacksMax = 1_000;
/** The most that one account gets of it. */
export const shareMax = 200;
/** An account may begin callbacks by a share for so long. */
export const shareMs = 60_000;

/** How many callbacks to a host an account may have under way. */
export interface HostShare {
  callbacks: number;
  /** Callbacks may begin until then; milliseconds since 1970. */
  until: number;
}

/** What an account asks for. */
export interface ShareRequest {
  accountId: string;
  /** What it has under way by the share before: that goes on, even where the new share is smaller. */
  underWay: number;
  /** So many it has a use for; an older version does not say. */
  wanted?: number | undefined;
}

/** The shares of a host, by account. */
export type HostShares = Record<string, HostShare>;

/** Callbacks that may be under way by these shares. A callback that began at the end of a share lasts `leaseMs` at most. */
export const sharedOut = (shares: HostShares, now: number): number =>
  Object.values(shares).reduce((sum, share) => sum + (isOver(share, now) ? 0 : share.callbacks), 0);

/**
 * Gives an account its share anew: as much as it can use, but at most half of what is free, so that something is left for the
 * next account.
 */
export function grantShare(
  before: HostShares,
  { accountId, underWay, wanted = shareMax }: ShareRequest,
  now: number,
): { shares: HostShares; granted: HostShare } {
  const shares = Object.fromEntries(
    Object.entries(before).filter(([id, share]) => id !== accountId && !isOver(share, now)),
  );
  const left = Math.max(0, callbacksMax - sharedOut(shares, now));
  const callbacks = Math.min(shareMax, wanted, Math.ceil(left / 2));
  const until = now + shareMs;
  const counted = Math.max(callbacks, Math.min(underWay, before[accountId]?.callbacks ?? 0));
  return { shares: { ...shares, [accountId]: { callbacks: counted, until } }, granted: { callbacks, until } };
}

const isOver = ({ until }: HostShare, now: number) => until + leaseMs <= now;

/** The name of a host's object: of any length and any characters, the host is no name. */
export const hostNameOf = (host: string): string => createHash('sha256').update(`host:${host}`).digest('hex');
