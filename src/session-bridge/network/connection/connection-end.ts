import type { DisconnectReason, LogoutReason } from '../../../contract/bridge/device.ts';
import { errorText } from '../../logging.ts';
import type { ConnectionEnd } from './connection.ts';
import { statusOf } from './network-code.ts';

/** Attributes of the stanza that ended the connection. */
const attributesIn = (error: unknown) =>
  (error as { data?: { expire?: string; tag?: string } | null } | undefined)?.data;

/** How a connection ended, in the network's own codes. */
export function connectionEnd(error: Error | undefined): ConnectionEnd {
  const expiresInMs = expiryOf(error);
  const detail = error ? errorText(error) : '';
  return { code: codeOf(error), detail, ...(expiresInMs !== null && { expiresInMs }) };
}

export function codeOf(error: unknown): number {
  const tag = attributesIn(error)?.tag;
  const code = statusOf(error) ?? connectionCodes.badSession;
  // An error without a code that names something, such as a message, says nothing about the credentials.
  const namesSomething = tag !== undefined && tag !== 'stream:error';
  return code === connectionCodes.badSession && namesSomething ? connectionCodes.closed : code;
}

/** What the network says of the end of a refusal: seconds from now on. */
function expiryOf(error: unknown): number | null {
  const seconds = Number(attributesIn(error)?.expire);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** An HTTP status says nothing about the account: whatever answers may be a proxy on the way. */
export function refusedUpgrade(status: number): Error {
  const statusCode = status >= 500 ? connectionCodes.unavailable : connectionCodes.malformed;
  return Object.assign(new Error(`The network answered the upgrade with status ${status}.`), {
    output: { statusCode },
  });
}

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
      // Another client has the session now. If both reconnect at once, they disconnect each other forever.
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
