import { errorText } from '../../logging.ts';
import type { ConnectionEnd } from './connection.ts';
import { connectionCodes } from './disconnect-reasons.ts';

interface BoomLike {
  message?: string;
  output?: { statusCode?: number };
  /** Attributes of the stanza that ended the connection. */
  data?: { expire?: string; tag?: string } | null;
}

/** How a connection ended, in the network's own codes. */
export function connectionEnd(error: Error | undefined): ConnectionEnd {
  const expiresInMs = expiryOf(error);
  const detail = error ? errorText(error) : '';
  return { code: codeOf(error), detail, ...(expiresInMs !== null && { expiresInMs }) };
}

export function codeOf(error: unknown): number {
  const { output, data } = (error as BoomLike | undefined) ?? {};
  const code = output?.statusCode ?? connectionCodes.badSession;
  // An end that bears no code but names something, such as a message, says nothing about the credentials.
  const namesSomething = data?.tag !== undefined && data.tag !== 'stream:error';
  return code === connectionCodes.badSession && namesSomething ? connectionCodes.closed : code;
}

/** What the network says of the end of a refusal: seconds from now on. */
function expiryOf(error: unknown): number | null {
  const seconds = Number((error as BoomLike | undefined)?.data?.expire);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** An HTTP status says nothing about the account: whatever answers may be a proxy on the way. */
export function refusedUpgrade(status: number): Error {
  const statusCode = status >= 500 ? connectionCodes.unavailable : connectionCodes.malformed;
  return Object.assign(new Error(`The network answered the upgrade with status ${status}.`), {
    output: { statusCode },
  });
}
