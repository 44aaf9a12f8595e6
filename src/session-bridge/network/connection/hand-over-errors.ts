import type { HandOverError } from './connection.ts';

/** How the network says that it is asked too often. */
const tooManyCode = 429;
/** The client's own words when it has keys of none of a message's recipients. */
const nobodyReadable = 'All encryptions failed';

interface ClientError {
  message?: string;
  /** The code with which the network answered a query. */
  data?: unknown;
}

/**
 * What an error of the client says about the message that it was to send. All that the client asks the network, it asks
 * before it writes the message, though not before it encrypts the first part of one for a group.
 */
export function handOverErrorKind(
  error: unknown,
  wasEncrypted: boolean,
  isConnectionLoss: boolean,
): HandOverError['kind'] {
  const { data, message } = (error ?? {}) as ClientError;
  if (data === tooManyCode) return 'limited';
  if (typeof data === 'number' || message === nobodyReadable)
    return isConnectionLoss ? 'unconnected' : 'unprepared';
  if (wasEncrypted) return 'uncertain';
  return isConnectionLoss ? 'unconnected' : 'unprepared';
}
