import type { Context } from 'hono';
import { readTraceparent, traceFields } from '../../../../contract/trace.ts';
import type { AppEnv } from '../../../app-env.ts';

/** The trace that a request to send belongs to, for each of its messages; the log line of the request names it. */
export function requestTrace(c: Context<AppEnv>): { traceparent?: string } {
  const traceparent = readTraceparent(c.req.header('traceparent'));
  if (traceparent === undefined) return {};
  Object.assign(c.get('log'), traceFields({ traceparent }));
  return { traceparent };
}
