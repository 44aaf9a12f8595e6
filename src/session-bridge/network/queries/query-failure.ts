import { QueryError } from '../connection/connection.ts';
import { connectionCodes } from '../connection/connection-end.ts';
import { networkCode, statusOf } from '../connection/network-code.ts';

/** Why a query has no response, as reported to the edge. */
export function queryError(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  const code = networkCode(error);
  if (code === 429) return new QueryError({ reason: 'rate_limited' }, error);
  if (code !== null) return new QueryError({ reason: 'refused', code: String(code) }, error);
  if (statusOf(error) === connectionCodes.closed) return new QueryError({ reason: 'not_connected' }, error);
  return new QueryError({ reason: 'no_answer' }, error);
}

/** The network knows no such thing, or shows it to nobody. */
export function isAbsent(error: unknown): boolean {
  const { failure } = queryError(error);
  return failure.reason === 'refused' && ['401', '403', '404'].includes(failure.code ?? '');
}
