import type { Context } from 'hono';
import { countingFor } from '../../durable/counts/gathered-counts.ts';
import type { AppEnv } from '../app-env.ts';

const sends = ['/v1/messages/send', '/v1/messages/send-batch'];

/** Counts a request that sends, behind its answer; `route`: its pattern. Others are not counted. */
export function countSend(c: Context<AppEnv>, route: string, status: number, durationMs: number): void {
  if (!sends.includes(route) || c.req.method !== 'POST') return;
  const counting = countingFor(c.env, (work) => c.executionCtx.waitUntil(work), 'requestMs');
  counting.count('sendRequests', String(status));
  if (status === 202) counting.observe('acceptSeconds', durationMs);
}
