import type { PreparationFailure } from '../../../contract/messages/send-refusals.ts';
import { HandOverError } from './connection.ts';
import { connectionCodes } from './disconnect-reasons.ts';
import { networkCode } from './network-code.ts';

/** How the network says that it is asked too often. */
const tooManyCode = 429;
/** The client's own words when it has keys of none of a message's recipients. */
const nobodyReadable = 'All encryptions failed';

interface ClientError {
  message?: string;
  output?: { statusCode?: number };
}

/**
 * What an error of the client says about the message that it was to send. All that the client asks the network, it asks
 * before it writes the message, though not before it encrypts the first part of one for a group.
 */
export function handOverError(
  error: unknown,
  wasEncrypted: boolean,
  isConnectionLoss: boolean,
): HandOverError {
  const code = networkCode(error);
  if (code === tooManyCode) return new HandOverError(error, 'limited');
  const { message, output } = (error ?? {}) as ClientError;
  const isNobodyReadable = message === nobodyReadable;
  if (code === null && !isNobodyReadable && wasEncrypted) return new HandOverError(error, 'uncertain');
  if (isConnectionLoss) return new HandOverError(error, 'unconnected');
  let failure: PreparationFailure = 'unprepared';
  if (isNobodyReadable) failure = 'no_keys';
  else if (output?.statusCode === connectionCodes.lostOrTimedOut) failure = 'no_answer';
  return new HandOverError(error, 'unprepared', code === null ? failure : String(code));
}
