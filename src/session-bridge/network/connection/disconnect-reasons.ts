import type { DisconnectReason, LogoutReason } from '../../../contract/bridge/device.ts';

/** What the end of a connection means for the session. */
export type Ending =
  /** The network asked for a new connection, as it does after a pairing; nothing was lost. */
  | { kind: 'restart' }
  /** The device is no longer linked: the credentials are worthless. */
  | { kind: 'ended'; reason: LogoutReason }
  /** Come back; `slowly` where a quick return would do harm, `at its end` where the network has set a time. */
  | { kind: 'lost'; reason: DisconnectReason; comeBack: 'with backoff' | 'slowly' | 'at its end' };

/** Codes of the network, as its client reports them. */
export const connectionCodes = {
  malformed: 400,
  loggedOut: 401,
  temporarilyBanned: 402,
  forbidden: 403,
  clientOutdated: 405,
  banned: 406,
  lostOrTimedOut: 408,
  conflict: 409,
  multideviceMismatch: 411,
  closed: 428,
  replaced: 440,
  badSession: 500,
  unavailable: 503,
  restartRequired: 515,
} as const;

/** The closed mapping from the network's codes to what the product says about them. */
export function endingOf(code: number): Ending {
  switch (code) {
    case connectionCodes.restartRequired:
      return { kind: 'restart' };
    case connectionCodes.loggedOut:
      return { kind: 'ended', reason: 'logged_out_by_phone' };
    case connectionCodes.temporarilyBanned:
      return { kind: 'lost', reason: 'temporarily_banned', comeBack: 'at its end' };
    case connectionCodes.forbidden:
    case connectionCodes.banned:
      return { kind: 'ended', reason: 'banned' };
    case connectionCodes.closed:
      return { kind: 'lost', reason: 'connection_closed', comeBack: 'with backoff' };
    case connectionCodes.lostOrTimedOut:
      return { kind: 'lost', reason: 'connection_lost', comeBack: 'with backoff' };
    case connectionCodes.replaced:
      // Another client has the session now: whoever comes back at once starts a fight that nobody wins.
      return { kind: 'lost', reason: 'connection_replaced', comeBack: 'slowly' };
    case connectionCodes.unavailable:
      return { kind: 'lost', reason: 'network_unavailable', comeBack: 'with backoff' };
    case connectionCodes.badSession:
      // Also what an untrusted certificate looks like: the credentials must survive it.
      return { kind: 'lost', reason: 'credentials_rejected', comeBack: 'with backoff' };
    case connectionCodes.multideviceMismatch:
      return { kind: 'lost', reason: 'multidevice_mismatch', comeBack: 'slowly' };
    case connectionCodes.clientOutdated:
      return { kind: 'lost', reason: 'client_outdated', comeBack: 'slowly' };
    default:
      return { kind: 'lost', reason: 'network_refused', comeBack: 'with backoff' };
  }
}
